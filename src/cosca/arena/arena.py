"""Playing contests: play the games a contest still lacks, and store every result."""

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
    results_of_complete_deals,
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
    """Play these deals; yield each result, starting with those a folder already has."""
    if out is None:
        yield from _play(contest, contest.numbers(deals), jobs, clock)
        return
    make_folder(out, contest)
    with folder_lock(out):
        stored = read_results(out, contest)
        yield from stored
        done = {result.number for result in stored}
        missing = [number for number in contest.numbers(deals) if number not in done]
        journal = Journal(out)
        try:
            for result in _play(contest, missing, jobs, clock):
                journal.add(result)
                yield result
        finally:
            journal.close()
        write_results(out, read_results(out, contest))


def _play(contest: Contest, numbers: Sequence[int], jobs: int, clock: Clock) -> Iterator[Result]:
    bouts = (contest.bout(number) for number in numbers)
    return play_all(bouts, jobs, analyse_game, clock=clock)


def complete_deals(contest: Contest, results: Sequence[Result]) -> list[Result]:
    """Return the results that figures are made from: in order, and of complete deals only."""
    return results_of_complete_deals(contest, sorted(results, key=lambda result: result.number))


def merge(folders: Sequence[Path], out: Path) -> tuple[Contest, list[Result]]:
    """Merge the results of several folders into one, as if it had played them all."""
    contests = [read_contest(folder) for folder in folders]
    for folder, contest in zip(folders, contests, strict=True):
        if contest != contests[0]:
            raise Refused("arena.not_the_same", folder=str(folder), other=str(folders[0]))
    by_number: dict[int, Result] = {}
    for folder in folders:
        for result in read_results(folder, contests[0]):
            by_number.setdefault(result.number, result)
    make_folder(out, contests[0])
    with folder_lock(out):
        for result in read_results(out, contests[0]):
            by_number.setdefault(result.number, result)
        results = [by_number[number] for number in sorted(by_number)]
        write_results(out, results)
    return contests[0], results
