"""How many mutants of each function the tests notice, and what of those they do not.

`equal.toml` lists the mutants that mean the same as the rules as they are, with the reason. It is
checked: a survivor that stands there is explained; an entry that fits no survivor is an error.
"""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.mutants.mutations import Mutant, mutants
from tests.mutants.results import FOLDER, Outcome, Results, rules_file

ROOT = Path(__file__).parents[2]
EQUAL = Path(__file__).parent / "equal.toml"
ENOUGH = 95  # percent of the mutants of each game
STORY = "test_a_story_comes_out_the_same"

Entry = tuple[str, str, str]  # function, how the line reads, how the mutant's reads


def read_equal(game: str, path: Path = EQUAL) -> dict[Entry, str]:
    """Return why some mutants of a game mean the same as the rules."""
    listed = tomllib.loads(path.read_text(encoding="utf-8")).get(game, [])
    return {
        (group["function"], entry[0], entry[1]): group["why"]
        for group in listed
        for entry in group["mutants"]
    }


@dataclass
class Report:
    """What came of the mutants of a game."""

    game: str
    tried: list[tuple[Mutant, Outcome]]
    waiting: int
    equal: dict[Entry, str]

    @property
    def survivors(self) -> list[tuple[Mutant, Outcome]]:
        """Return the mutants that no test noticed."""
        return [(mutant, outcome) for mutant, outcome in self.tried if not outcome.killer]

    @property
    def killed(self) -> int:
        """Return how many mutants a test noticed."""
        return len(self.tried) - len(self.survivors)

    def why(self, mutant: Mutant) -> str:
        """Return why a mutant means the same as the rules; empty if that is not known."""
        return self.equal.get((mutant.function, mutant.was, mutant.becomes), "")

    def unexplained(self) -> list[Mutant]:
        """Return the survivors that are not listed as equal in meaning."""
        return [mutant for mutant, _ in self.survivors if not self.why(mutant)]

    def outdated(self) -> list[Entry]:
        """Return the entries of the list that fit no survivor."""
        left = {(mutant.function, mutant.was, mutant.becomes) for mutant, _ in self.survivors}
        return [entry for entry in self.equal if entry not in left]

    def errors(self) -> list[str]:
        """Return all that is wrong, a sentence each."""
        if self.waiting:
            return [f"{self.waiting} mutants of {self.game} are not tried yet. Run it again."]
        wrong = [
            f"equal.toml lists a mutant of {self.game} that is not a survivor. Remove it: "
            f"{function}: {was} => {becomes}"
            for function, was, becomes in self.outdated()
        ]
        if 100 * self.killed < ENOUGH * len(self.tried):
            wrong.append(f"Too few mutants of {self.game} are killed: {self.share()}.")
        if self.unexplained():
            wrong.append(
                f"{len(self.unexplained())} survivors of {self.game} are not explained. Write a "
                "rule test for each, or say in equal.toml why it means the same."
            )
        return wrong

    def share(self) -> str:
        """Return killed and total as people write it."""
        percent = 100 * self.killed / max(len(self.tried), 1)
        return f"{self.killed} of {len(self.tried)} killed ({percent:.1f} %)"

    def lines(self) -> Iterator[str]:
        """Yield the whole report as Markdown."""
        by_story = sum(STORY in outcome.killer for _, outcome in self.tried)
        yield f"# Mutants of {self.game}\n"
        yield f"{self.share()}, {by_story} of them first by a golden story.\n"
        yield "| function | killed | mutants |\n|---|---:|---:|"
        count: dict[str, list[int]] = {}
        for mutant, outcome in self.tried:
            row = count.setdefault(mutant.function, [0, 0])
            row[0] += bool(outcome.killer)
            row[1] += 1
        for function, (killed, total) in count.items():
            yield f"| {function} | {killed} | {total} |"
        yield "\n## Survivors\n"
        path = rules_file(self.game).relative_to(ROOT)
        for mutant, outcome in self.survivors:
            how = f" ({outcome.how})" if outcome.how else ""
            yield f"{path}:{mutant.line} in {mutant.function}{how}\n```diff"
            yield f"- {mutant.was}\n+ {mutant.becomes}\n```"
            yield (self.why(mutant) or "**Not explained.**") + "\n"


def report(game: str, function: str = "", folder: Path = FOLDER) -> Report:
    """Make the report of a game, or of one of its functions, from the results on disk."""
    outcomes = Results(game, folder).outcomes
    source = rules_file(game).read_text(encoding="utf-8")
    asked = [one for one in mutants(source) if function in ("", one.function)]
    tried = [(one, outcomes[one.id]) for one in asked if one.id in outcomes]
    equal = {entry: why for entry, why in read_equal(game).items() if function in ("", entry[0])}
    return Report(game, tried, len(asked) - len(tried), equal)
