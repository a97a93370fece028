"""Fuzzing on a build of the rules with sanitizers."""

import contextlib
import fcntl
import hashlib
import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from cosca.core.dice import Dice
from cosca.core.errors import Refused
from cosca.core.names import CHANCE
from cosca.match.table import Table
from cosca.testing.laws import INVALID_VALUES, state_of
from cosca.testing.walks import POLICIES, TableSetup, next_step
from tests.compiled.builds import ROOT, build_with_sanitizers, python
from tests.laws.cases import CASES

BUILDS: Final = ROOT / "build" / "sanitized"
STEPS: Final = 20_000
"""Steps of one piece."""
WRONG: Final = 3
"""How many illegal actions are tried before each step."""


def fuzz(game: str, piece: int) -> int:
    """Take random steps and try illegal ones, in a process of the sanitized build."""
    library = str(sanitized_build())
    command = ("-m", "tests.soak.fuzz", game, str(piece))
    done = python(*command, PYTHONPATH=f"{library}:{ROOT}")
    assert done.returncode == 0, f"exit code {done.returncode}\n{done.stdout}{done.stderr}"
    result = json.loads(done.stdout)
    assert result["home"] == f"{library}/cosca", result
    return int(result["steps"])


def sanitized_build() -> Path:
    """Return the path of the sanitized build of these sources, building it if needed."""
    sources = sorted((ROOT / "src").rglob("*.p[yx]*"))
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in sources if path.is_file()))
    place = BUILDS / digest.hexdigest()[:16]
    with _one_at_a_time():
        if not (place / "ready").exists():
            shutil.rmtree(BUILDS, ignore_errors=True)
            place.mkdir(parents=True)
            build_with_sanitizers(place)
            (place / "ready").touch()
    return place / "lib"


@contextlib.contextmanager
def _one_at_a_time() -> Iterator[None]:
    BUILDS.parent.mkdir(exist_ok=True)
    with open(BUILDS.parent / "sanitized.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


# --- Inside the sanitized build -------------------------------------------------------------------


def walk(game: str, piece: int, steps: int = STEPS) -> int:
    """Take walks over all settings of a game until enough steps are done; return how many."""
    done = games = 0
    table_setups = CASES[game].table_setups()
    while done < steps:
        setup = table_setups[games % len(table_setups)]
        done += _one_game(setup, Dice(piece, games), steps - done)
        games += 1
    return done


def _one_game(setup: TableSetup, dice: Dice, most: int) -> int:
    """Play one game through `Table.submit`, and try illegal actions at each step."""
    table = Table(setup.game, setup.settings, setup.seats, dice)
    habit = POLICIES[dice.below(len(POLICIES))]
    steps = 0
    while not table.is_over and steps < most:
        _try_wrong_actions(table, dice)
        seat, action = next_step(setup, state_of(table), dice, habit)
        assert seat != CHANCE
        table.submit(seat, action)
        steps += 1
    return steps


def _try_wrong_actions(table: Table, dice: Dice) -> None:
    """Try actions that are not legal; each must be refused and change nothing."""
    before = state_of(table).ints()
    for _ in range(WRONG):
        seat = dice.below(table.seats)
        action = _any_action(dice)
        if type(action) is int and action in state_of(table).legal_actions(seat):
            continue
        try:
            table.submit(seat, action)  # type: ignore[arg-type]  # some of them are no integers
        except Refused:
            continue
        raise AssertionError(f"seat {seat} was allowed {action!r}")
    assert state_of(table).ints() == before, "a refused action changed the game"


def _any_action(dice: Dice) -> object:
    """Return an action from any range, or something that is no action at all."""
    kind = dice.below(4)
    if kind == 0:
        return INVALID_VALUES[dice.below(len(INVALID_VALUES))]
    if kind == 1:
        return dice.below(1 << 31) - (1 << 30)
    return dice.below(400) - 20


if __name__ == "__main__":
    import cosca

    done = walk(sys.argv[1], int(sys.argv[2]))
    print(json.dumps({"steps": done, "home": cosca.__path__[0]}))
