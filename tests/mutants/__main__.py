"""Mutation testing: change the rules in small wrong ways, and see whether a rule test notices.

Results are kept in build/mutants: started again, it goes on where it stopped, and after a change it
tries only what could come out otherwise. The report of each game lies there, too.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence

from tests.mutants.mutations import mutants
from tests.mutants.page import write
from tests.mutants.report import report
from tests.mutants.results import FOLDER, ROOT, rules_file
from tests.soak.ledger import commit

GAMES = sorted(path.parent.name for path in ROOT.glob("src/cosca/games/*/rules.py"))


def main(words: Sequence[str]) -> int:
    """Try the mutants of the games that are asked for and write the reports."""
    parser = argparse.ArgumentParser(prog="./run soak mutants", description=__doc__)
    parser.add_argument("game", nargs="*", help=f"{', '.join(GAMES)}; all if none is named")
    parser.add_argument("--function", default="", help="only the mutants of this function")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="mutants at a time")
    asked = parser.parse_args(words)
    games = asked.game or GAMES
    for game in games:
        if game not in GAMES:
            parser.error(f"Unknown game “{game}”. Choose {', '.join(GAMES)}.")
    if asked.function:
        games = [game for game in games if asked.function in functions(game)]
        if not games:
            parser.error(f"No rules have a function “{asked.function}”.")
    return max([test(game, asked.function, max(asked.jobs, 1)) for game in games])


def functions(game: str) -> set[str]:
    """Return the functions of a game's rules that have mutants."""
    return {one.function for one in mutants(rules_file(game).read_text(encoding="utf-8"))}


def test(game: str, function: str, jobs: int) -> int:
    """Try the mutants of one game in plain Python; return 0 if the tests are good enough."""
    command = [sys.executable, "-m", "tests.mutants.trial", game, function, str(jobs)]
    failed = subprocess.call(command, cwd=ROOT, env={**os.environ, "COSCA_PURE": "1"})
    if failed:
        return failed
    result = report(game, function)
    text = "\n".join(result.lines()) + "\n"
    if function:
        print(text)
    else:
        FOLDER.joinpath(f"{game}.md").write_text(text, encoding="utf-8")
        write(result, commit())
    print(f"{game}: {result.share()}, see {(FOLDER / game).relative_to(ROOT)}.md")
    for error in result.errors():
        print(error, file=sys.stderr)
    return int(bool(result.errors()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
