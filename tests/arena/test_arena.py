"""The arena: rotation is complete, and merged, resumed or parallel runs give the same games."""

import itertools
import multiprocessing
import signal
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cosca.arena.arena import complete_deals, merge, play_contest
from cosca.arena.contest import Contest
from cosca.arena.figures import report
from cosca.arena.folder import CONTEST, GAMES_FILE, folder_lock, read_results
from cosca.catalog import GAMES, find
from cosca.core.errors import Refused
from tests.arena.contests import contest, games_in, no_time, timeless
from tests.processes import run, started

BOTS = ("random", "smemorato", "novice", "picciotto")


def without_time(report: dict[str, object]) -> dict[str, object]:
    """Return a report without what depends on the machine."""
    return {key: value for key, value in report.items() if key != "time"}


# --- Rotation -------------------------------------------------------------------------------------


@settings(derandomize=True, max_examples=60, deadline=None)
@given(seats=st.integers(3, 5), bots=st.integers(2, 4), deal=st.integers(0, 10_000))
def test_every_deal_is_played_once_from_every_seat(seats: int, bots: int, deal: int) -> None:
    whole = contest("omerta", *BOTS[:bots], seats=seats)
    bouts = [whole.bout(number) for number in whole.numbers([deal])]
    assert len({(bout.seed, bout.deal) for bout in bouts}) == 1
    assert len({bout.dice().seal for bout in bouts}) == 1
    assert len({bout.number for bout in bouts}) == seats
    lineup = bouts[0].bots
    for start in range(seats):
        sat = [bout.bots[(start + turn) % seats] for turn, bout in enumerate(bouts)]
        assert sat == [lineup[start]] * seats  # each moves on by one seat a game
    assert sorted(lineup) in [sorted(one) for one in whole.lineups()]


@pytest.mark.parametrize("game", GAMES)
def test_all_bots_of_a_game_sit_equally_often_in_every_seat(game: str) -> None:
    bots = ("random", *find(game).heuristic_bots)
    whole = contest(game, *bots, seats=4)
    numbers = whole.numbers(range(6 * len(whole.lineups())))
    sat = [(bot, seat) for number in numbers for seat, bot in enumerate(whole.bout(number).bots)]
    assert len({sat.count(place) for place in set(sat)}) == 1
    assert len(set(sat)) == 4 * len(bots)


def test_equal_bots_play_each_deal_once() -> None:
    mirror = contest("vendetta", "random", "random", "random")
    assert mirror.numbers(range(4)) == [0, 1, 2, 3]
    assert [mirror.bout(number).deal for number in range(4)] == [0, 1, 2, 3]


# --- Sharing the work -----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def whole() -> Contest:
    """Return the contest that most tests play."""
    return contest("omerta", "random", "novice")


@pytest.fixture(scope="module")
def uninterrupted(whole: Contest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder that was played without interruption."""
    folder = tmp_path_factory.mktemp("whole")
    assert len(list(play_contest(whole, range(6), 1, folder, no_time))) == 18
    return folder


@settings(derandomize=True, max_examples=12, deadline=None)
@given(cuts=st.lists(st.integers(1, 5), max_size=3, unique=True), backwards=st.booleans())
def test_merged_parts_equal_the_whole_byte_for_byte(
    whole: Contest,
    uninterrupted: Path,
    tmp_path_factory: pytest.TempPathFactory,
    cuts: list[int],
    backwards: bool,
) -> None:
    ends = [0, *sorted(cuts), 6]
    place = tmp_path_factory.mktemp("parts")
    parts = []
    for first, last in itertools.pairwise(ends):
        parts.append(place / f"{first}")
        list(play_contest(whole, range(first, last), 1, parts[-1], no_time))
    merged, results = merge(parts[::-1] if backwards else parts, place / "all")
    assert merged == whole
    assert games_in(place / "all") == games_in(uninterrupted)
    contests = [(folder / CONTEST).read_bytes() for folder in (place / "all", uninterrupted)]
    assert contests[0] == contests[1]
    once = complete_deals(whole, read_results(uninterrupted, whole))
    assert report(whole, complete_deals(whole, results)) == report(whole, once)


@settings(derandomize=True, max_examples=12, deadline=None)
@given(data=st.data())
def test_a_run_resumed_after_any_byte_equals_an_uninterrupted_one(
    whole: Contest,
    uninterrupted: Path,
    tmp_path_factory: pytest.TempPathFactory,
    data: st.DataObject,
) -> None:
    folder = tmp_path_factory.mktemp("cut")
    written = (uninterrupted / GAMES_FILE).read_bytes()
    cut = data.draw(st.integers(0, len(written)))
    (folder / CONTEST).write_bytes((uninterrupted / CONTEST).read_bytes())
    (folder / GAMES_FILE).write_bytes(written[:cut])
    list(play_contest(whole, range(6), 1, folder, no_time))
    assert (folder / GAMES_FILE).read_bytes() == written


def test_jobs_change_nothing_but_the_time(whole: Contest, uninterrupted: Path) -> None:
    shared = complete_deals(whole, list(play_contest(whole, range(6), 3, None)))
    alone = read_results(uninterrupted, whole)
    assert timeless(shared) == timeless(alone)
    assert without_time(report(whole, shared)) == without_time(report(whole, alone))


def test_a_kill_loses_no_game_that_was_over(tmp_path: Path) -> None:
    words = ["arena", "vendetta", "--seats", "3", "--deals", "40", "--bots", "random,soldato"]
    words += ["--seed", "5", "--jobs", "2", "--set", "max_rounds=2"]
    command = [sys.executable, "-m", "cosca.cli", *words, "--out"]
    killed, straight = tmp_path / "killed", tmp_path / "straight"
    games = killed / GAMES_FILE
    with started([*command, str(killed)]) as program:
        program.until(lambda: games.exists() and games.read_bytes().count(b"\n") >= 10)
        program.send(signal.SIGKILL)
        program.end()
    kept = games.read_bytes()
    assert 10 <= kept.count(b"\n") < 120
    for folder in (killed, straight):
        assert run([*command, str(folder)]).returncode == 0
    assert games_in(killed) == games_in(straight)
    done = games.read_bytes().splitlines()
    assert set(kept[: kept.rfind(b"\n")].splitlines()) <= set(done)  # with the times they took


def test_ctrl_c_ends_it_at_once_and_quietly(tmp_path: Path) -> None:
    words = ["arena", "vendetta", "--deals", "100000", "--jobs", "2", "--out", str(tmp_path)]
    command = [sys.executable, "-m", "cosca.cli", *words]
    games = tmp_path / GAMES_FILE
    with started(command) as program:
        program.until(lambda: games.exists() and games.read_bytes().count(b"\n") >= 3)
        program.send(signal.SIGINT)
        _, errors = program.end()
    assert (program.exit_code, errors.strip()) == (130, "")


def test_stopping_early_ends_all_workers(whole: Contest) -> None:
    before = set(threading.enumerate())
    games = play_contest(whole, range(1000), 2, None)
    next(games)
    games.close()
    assert set(threading.enumerate()) <= before  # a timer of another test may have ended meanwhile
    assert multiprocessing.active_children() == []


def test_more_deals_can_be_added_later(whole: Contest, uninterrupted: Path, tmp_path: Path) -> None:
    list(play_contest(whole, range(2), 1, tmp_path, no_time))
    assert len(list(play_contest(whole, range(4, 6), 1, tmp_path, no_time))) == 12
    list(play_contest(whole, range(6), 1, tmp_path, no_time))
    assert games_in(tmp_path) == games_in(uninterrupted)


def test_figures_leave_out_incomplete_deals(whole: Contest) -> None:
    results = list(play_contest(whole, range(2), 1, None, no_time))
    assert complete_deals(whole, results[:-1]) == results[:3]


# --- What is refused ------------------------------------------------------------------------------


def test_a_folder_holds_one_arena(whole: Contest, uninterrupted: Path, tmp_path: Path) -> None:
    other = contest("omerta", "random", "novice", seed=6)
    with pytest.raises(Refused, match=r"arena\.other_contest"):
        list(play_contest(other, range(1), 1, uninterrupted))
    (tmp_path / "letter.txt").write_text("Dear aunt")
    with pytest.raises(Refused, match=r"arena\.no_arena"):
        list(play_contest(whole, range(1), 1, tmp_path))


def test_a_folder_in_use_is_locked(whole: Contest, tmp_path: Path) -> None:
    list(play_contest(whole, range(1), 1, tmp_path, no_time))
    with folder_lock(tmp_path), pytest.raises(Refused, match=r"arena\.in_use"):
        list(play_contest(whole, range(2), 1, tmp_path, no_time))


def test_parts_of_different_arenas_cannot_be_merged(uninterrupted: Path, tmp_path: Path) -> None:
    other = contest("omerta", "random", "novice", seed=6)
    list(play_contest(other, range(1), 1, tmp_path / "other", no_time))
    with pytest.raises(Refused, match=r"arena\.not_the_same"):
        merge([uninterrupted, tmp_path / "other"], tmp_path / "all")
    assert not (tmp_path / "all").exists()


@pytest.mark.parametrize("line", [b"nonsense", b"{}", b'{"number": -1}'])
def test_an_invalid_line_is_reported(
    whole: Contest, uninterrupted: Path, tmp_path: Path, line: bytes
) -> None:
    (tmp_path / CONTEST).write_bytes((uninterrupted / CONTEST).read_bytes())
    first = (uninterrupted / GAMES_FILE).read_bytes().splitlines()[0]
    (tmp_path / GAMES_FILE).write_bytes(first + b"\n" + line + b"\n")
    with pytest.raises(Refused, match=r"arena\.bad_line.*line=2"):
        list(play_contest(whole, range(1), 1, tmp_path))
