"""What came of each mutant, kept in a folder so that a long run can go on where it stopped."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "build" / "mutants"
LOOP = "endless"


def rules_file(game: str) -> Path:
    """Return where a game's rules stand."""
    return ROOT / "src" / "cosca" / "games" / game / "rules.py"


@dataclass(frozen=True)
class Outcome:
    """What came of one mutant."""

    mutant: str
    killer: str  # the test that noticed; empty if none did
    how: str  # "failed" or "endless"; of a survivor "not reached", if no test runs that line
    digest: str  # of all that it depends on


class Results:
    """The outcomes of a game, on disk as soon as they are known."""

    def __init__(self, game: str, folder: Path = FOLDER) -> None:
        self.path = folder / f"{game}.jsonl"
        self.reach = folder / f"{game}.reach.json"
        self.outcomes: dict[str, Outcome] = {}
        if self.path.exists():
            for line in self.path.read_text(encoding="utf-8").splitlines():
                if line.endswith("}"):  # the last one may be half written
                    outcome = Outcome(**json.loads(line))
                    self.outcomes[outcome.mutant] = outcome

    def killer(self, mutant: str) -> str:
        """Return the test that noticed a mutant when it was last tried."""
        return self.outcomes[mutant].killer if mutant in self.outcomes else ""

    def add(self, outcome: Outcome) -> None:
        """Write down what came of a mutant."""
        self.outcomes[outcome.mutant] = outcome
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(outcome)) + "\n")

    def read_reach(self) -> dict[str, Any]:
        """Return which lines each test reached when that was last measured."""
        if not self.reach.exists():
            return {}
        return dict(json.loads(self.reach.read_text(encoding="utf-8")))

    def write_reach(self, known: dict[str, Any]) -> None:
        """Keep which lines each test reaches."""
        self.reach.parent.mkdir(parents=True, exist_ok=True)
        self.reach.write_text(json.dumps(known), encoding="utf-8")

    def forget_all_but(self, mutants: set[str]) -> None:
        """Write the file anew without mutants that exist no longer."""
        self.outcomes = {name: one for name, one in self.outcomes.items() if name in mutants}
        if self.path.exists():
            lines = [json.dumps(asdict(one)) + "\n" for one in self.outcomes.values()]
            self.path.with_suffix(".new").write_text("".join(lines), encoding="utf-8")
            self.path.with_suffix(".new").replace(self.path)
