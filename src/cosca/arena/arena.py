"""An arena: play what is still missing of a contest, and keep every game."""

import time
from collections.abc import Generator, Iterator, Sequence
from pathlib import Path

from cosca.arena.bout import Clock
from cosca.arena.contest import Contest
from cosca.arena.folder import (
    Journal,
    folder_lock,
    make_folder,
    read_contest,
    read_results,
    whole_deals,
    write_results,
)
from cosca.arena.playing import play_all
from cosca.arena.result import Result, analyse_game
from cosca.core.errors import Refused


def play_contest(
    contest: Contest,
    deals: range,
    jobs: int,
    out: Path | None,
    clock: Clock = time.perf_counter,
) -> Generator[Result, None, None]:
    """Play these deals; each game as it is over, those first that a folder has already."""
    if out is None:
        yield from _played(contest, contest.numbers(deals), jobs, clock)
        return
    make_folder(out, contest)
    with folder_lock(out):
        before = read_results(out, contest)
        yield from before
        done = {result.number for result in before}
        missing = [number for number in contest.numbers(deals) if number not in done]
        journal = Journal(out)
        try:
            for result in _played(contest, missing, jobs, clock):
                journal.add(result)
                yield result
        finally:
            journal.close()
        write_results(out, read_results(out, contest))


def _played(contest: Contest, numbers: Sequence[int], jobs: int, clock: Clock) -> Iterator[Result]:
    bouts = (contest.bout(number) for number in numbers)
    return play_all(bouts, jobs, analyse_game, clock=clock)


def complete_deals(contest: Contest, results: Sequence[Result]) -> list[Result]:
    """The games that figures are made from: in order, and of whole deals alone."""
    return whole_deals(contest, sorted(results, key=lambda result: result.number))


def merge(folders: Sequence[Path], out: Path) -> tuple[Contest, list[Result]]:
    """Put the games of several folders into one, as if one had played them all."""
    contests = [read_contest(folder) for folder in folders]
    for folder, contest in zip(folders, contests, strict=True):
        if contest != contests[0]:
            raise Refused("arena.not_the_same", folder=str(folder), other=str(folders[0]))
    found: dict[int, Result] = {}
    for folder in folders:
        for result in read_results(folder, contests[0]):
            found.setdefault(result.number, result)
    make_folder(out, contests[0])
    with folder_lock(out):
        for result in read_results(out, contests[0]):
            found.setdefault(result.number, result)
        results = [found[number] for number in sorted(found)]
        write_results(out, results)
    return contests[0], results
