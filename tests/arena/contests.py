"""Contests for the tests: fast games among bots that hardly search."""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from cosca.arena.contest import Contest
from cosca.arena.folder import GAMES_FILE
from cosca.arena.result import Result
from cosca.catalog import find

SHORT = {"omerta": {"games": "1"}, "vendetta": {"max_rounds": "2"}}


def contest(game: str, *bots: str, seats: int = 3, seed: int = 5) -> Contest:
    """Return a contest with short house rules."""
    rules = find(game)
    settings = dict(rules.settings("", {**rules.random_play_options, **SHORT.get(game, {})}))
    return Contest.of(rules, settings, seats, bots, seed)


def no_time() -> float:
    """Return 0: a clock that stands still."""
    return 0.0


def timeless(results: Sequence[Result]) -> list[Result]:
    """Return the same results without times."""
    return [
        msgspec.structs.replace(result, seconds=[0.0] * len(result.seconds)) for result in results
    ]


def games_in(folder: Path) -> bytes:
    """Return the stored results of a folder without times."""
    results = [
        msgspec.json.decode(line, type=Result)
        for line in (folder / GAMES_FILE).read_bytes().splitlines()
    ]
    return b"\n".join(msgspec.json.encode(result) for result in timeless(results))
