"""`cosca replay`: the score sheet through a pipe, and the full screen with its keys."""

import asyncio
import io
import re
import sys
import tracemalloc
from collections.abc import Awaitable, Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from cosca.cli import replay_screen
from cosca.cli.main import main
from cosca.cli.replay import RecordFile, follow_score
from cosca.cli.replay_screen import ReplayApp, ReplayScreen
from cosca.cli.text_screen import TextScreen
from cosca.core.dice import Dice
from cosca.core.errors import Refused
from cosca.core.names import SPECTATOR
from cosca.match.replay import OMNISCIENT, Viewer
from cosca.match.score_sheet import format_score_sheet
from cosca.match.sealed import SealedDice
from cosca.match.verification import InvalidRecord
from cosca.words import say
from tests.kuhn.catalog import add_to_catalog
from tests.kuhn.game import GAME as KUHN
from tests.records.making import honest, lines_of, record_of, text_of

SIZES = [(80, 24), (100, 30), (140, 40)]
RECORD = honest(3, rounds=2)
Script = Callable[[Pilot[str], ReplayScreen], Awaitable[None]]


class Done(NamedTuple):
    """The result of a command."""

    returncode: int
    stdout: str
    stderr: str


def cosca(*words: str | Path) -> Done:
    """Run a command in this process."""
    out, err = io.StringIO(), io.StringIO()
    code: object = 0
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.setattr(sys, "argv", ["cosca", *map(str, words)])
        try:
            main()
        except SystemExit as stopped:
            code = stopped.code
    return Done(int(str(code or 0)), out.getvalue(), err.getvalue())


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return the file of a record of two rounds."""
    return write(tmp_path, RECORD)


def write(folder: Path, text: str | bytes) -> Path:
    file = folder / "game.jsonl"
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    return file


def kuhn_record() -> str:
    """Return the record of a game with hidden cards."""
    dice = SealedDice("kitchen", bytes(32), {})
    return record_of(KUHN, KUHN.settings(), dice, ["ann", "bob", "cleo"], Dice(2))


# --- The score, printed ------------------------------------------------------------------------


def test_through_a_pipe_comes_the_whole_score(file: Path) -> None:
    done = cosca("replay", file)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == format_score_sheet(RecordFile(file).replay)
    assert done.stdout.splitlines()[-1].startswith("Result    ")


def test_a_score_may_end_earlier_and_be_for_one_seat(file: Path) -> None:
    done = cosca("replay", file, "--at", "3", "--seat", "2", "--plain")
    assert done.stdout == format_score_sheet(RecordFile(file).replay, 1, 3)
    assert "Redacted  to what Yellow knew at the time\n" in done.stdout
    assert done.stdout.splitlines()[-1].startswith("   3. ")


def test_a_score_for_one_seat_does_not_show_the_cards_of_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_to_catalog(monkeypatch)
    file = write(tmp_path, kuhn_record())
    whole = cosca("replay", file).stdout
    assert whole.count("card ") == 3
    assert cosca("replay", file, "--seat", "2").stdout.count("card ") == 1


def test_a_game_that_is_not_over_has_a_score_too(tmp_path: Path) -> None:
    lines = RECORD.splitlines(keepends=True)
    done = cosca("replay", write(tmp_path, "".join(lines[:20])))
    assert done.returncode == 0
    assert "Result" not in done.stdout
    begun = cosca("replay", write(tmp_path, lines[0]))
    assert begun.returncode == 0 and begun.stdout.startswith("Game ")


# --- What cannot be ----------------------------------------------------------------------------


def test_chances_are_printed_with_the_decisive_moves(file: Path) -> None:
    done = cosca("replay", file, "--chances")
    assert (done.returncode, done.stderr) == (0, "")
    replay = RecordFile(file).replay
    rows = re.findall(r"^(\w+) +[▁-█]+ +(\d+) % → +(\d+) %$", done.stdout, re.MULTILINE)
    assert len(rows) == replay.seats
    assert sum(int(last) for _, _, last in rows) == 100, "at the end all is known"
    turns = re.findall(
        r"^ *(\d+)\. .*\n(?:      .*\n)*?      \w+.s chance (?:rose|fell) ", done.stdout, re.M
    )
    assert turns and all(1 <= int(number) <= len(replay.plies) for number in turns)
    assert cosca("replay", file, "--chances").stdout == done.stdout


def test_chances_of_an_unfinished_game_are_refused(tmp_path: Path) -> None:
    lines = RECORD.splitlines(keepends=True)
    done = cosca("replay", write(tmp_path, "".join(lines[:-1])), "--chances")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.strip() == say("replay.chances_over", {})


@pytest.mark.parametrize("words", [("--seat", "1"), ("--at", "3"), ("--follow",)])
def test_chances_are_of_the_whole_game(file: Path, words: tuple[str, ...]) -> None:
    done = cosca("replay", file, "--chances", *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.strip() == say("replay.chances_alone", {})


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--seat", "9"], "There is no seat 9 at this table. The seats are 1 to"),
        (["--seat", "0"], "--seat cannot be 0. Choose 1 to 99."),
        (["--at", "999"], "There is no move 999. The game has "),
        (["--at", "-1"], "--at cannot be -1. Choose 0 to "),
        (["--at", "soon"], "“soon” is not a whole number. --at needs one."),
    ],
)
def test_a_seat_or_a_move_that_is_not_there_is_refused(
    file: Path, words: list[str], sentence: str
) -> None:
    done = cosca("replay", file, *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(sentence) and done.stderr.count("\n") == 1


HEADER = lines_of(RECORD)[0]
BAD = {
    "noise": b"\xff\xfe\x00 noise \x80\n",
    "empty": b"",
    "a cut line": RECORD.encode()[:-40],
    "a cut header": RECORD.encode()[:40],
    "prose": b"It was a dark and stormy night.\n",
    "another JSON": b'{"name": "cosca"}\n',
    "a newer format": text_of([{**HEADER, "format": 3}]).encode(),
    "another game": text_of([{**HEADER, "game": "poker"}]).encode(),
    "newer rules": text_of([{**HEADER, "rules": 99}]).encode(),
    "no line feed": b"[" * 2_000_000,
    "brackets": b"[" * 900_000 + b"\n",
}


CUT = "a cut line"  # in a file that is followed it is not cut, but not there yet


@pytest.mark.parametrize(
    ("kind", "words"),
    [*((kind, []) for kind in BAD), *((kind, ["--follow"]) for kind in BAD if kind != CUT)],
)
def test_a_file_that_is_no_record_is_refused_in_one_sentence(
    tmp_path: Path, kind: str, words: list[str]
) -> None:
    done = cosca("replay", write(tmp_path, BAD[kind]), *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert "is not a game record: " in done.stderr and done.stderr.count("\n") == 1


def test_a_missing_file_and_a_folder_are_refused_in_one_sentence(tmp_path: Path) -> None:
    for path in (tmp_path / "none.jsonl", tmp_path):
        done = cosca("replay", path)
        assert (done.returncode, done.stdout) == (2, "")
        assert "Cannot read" in done.stderr and done.stderr.count("\n") == 1


@pytest.mark.parametrize("words", [[], ["--follow"]])
def test_a_hundred_megabytes_of_brackets_take_little_memory(
    tmp_path: Path, words: list[str]
) -> None:
    file = tmp_path / "brackets.jsonl"
    with file.open("wb") as stream:
        for _ in range(100):
            stream.write(b"[" * 1_000_000)
    tracemalloc.start()
    done = cosca("replay", file, *words)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert peak < 10_000_000


def test_a_line_that_breaks_the_rules_is_named(tmp_path: Path) -> None:
    lines = lines_of(RECORD)
    lines[4]["does"] = "deal 99\x1b[2J"
    done = cosca("replay", write(tmp_path, text_of(lines)))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("Invalid, line 5: ") and done.stderr.count("\n") == 1
    assert "\x1b" not in done.stderr


# --- Following ---------------------------------------------------------------------------------


class Growing:
    """A record that grows by one piece whenever somebody waits for more."""

    def __init__(self, file: Path, *pieces: str) -> None:
        self.file = file
        self.pieces = list(pieces)
        file.write_text(self.pieces.pop(0), encoding="utf-8")

    def __call__(self) -> None:
        with self.file.open("a", encoding="utf-8") as stream:
            stream.write(self.pieces.pop(0))


def pieces(text: str, *cuts: int) -> list[str]:
    """Return a text cut into pieces."""
    ends = [*cuts, len(text)]
    return [text[begin:end] for begin, end in zip([0, *cuts], ends, strict=True)]


def followed(wait: Growing, viewer: Viewer = OMNISCIENT, at: int | None = None) -> list[str]:
    """Return the printed lines, each with the number of pieces still to come."""
    lines: list[str] = []
    source = RecordFile(wait.file, growing=True)
    follow_score(source, viewer, at, lambda line: lines.append(f"{len(wait.pieces)} {line}"), wait)
    return lines


@pytest.mark.parametrize("step", [97, 1009, 10_007])
def test_a_followed_score_is_the_whole_one_in_the_end(tmp_path: Path, step: int) -> None:
    header = RECORD.index("\n") + 1
    wait = Growing(tmp_path / "game.jsonl", *pieces(RECORD, *range(header, len(RECORD), step)))
    lines = [line.partition(" ")[2] for line in followed(wait)]
    assert "\n".join([*lines, ""]) == format_score_sheet(RecordFile(wait.file).replay)
    assert wait.pieces == []


def test_a_move_is_printed_as_soon_as_it_is_complete(tmp_path: Path) -> None:
    replay_lines = RECORD.splitlines(keepends=True)
    wait = Growing(tmp_path / "game.jsonl", *replay_lines)
    lines = followed(wait)
    plies = RecordFile(wait.file).replay.plies
    steps = 0
    for ply in plies:
        steps += len(ply.steps)
        to_come = len(replay_lines) - 1 - steps
        printed = next(line for line in lines if f" {ply.number:>4}. " in line)
        assert printed.startswith(f"{to_come} ")


def test_following_may_begin_later(tmp_path: Path) -> None:
    wait = Growing(tmp_path / "game.jsonl", RECORD)
    lines = followed(wait, at=5)
    assert not any(" 5. " in line for line in lines) and any(" 6. " in line for line in lines)


def test_a_finished_record_is_followed_to_its_end_at_once(file: Path) -> None:
    assert cosca("replay", file, "--follow").stdout == format_score_sheet(RecordFile(file).replay)


def test_a_file_that_becomes_another_is_not_followed(tmp_path: Path) -> None:
    cut = RECORD.index("\n", 9000) + 1
    source = RecordFile(write(tmp_path, RECORD[:cut]), growing=True)
    write(tmp_path, honest(4))
    with pytest.raises(Refused, match="other_file"):
        source.poll()


def test_a_file_that_was_put_in_place_of_the_old_is_followed(tmp_path: Path) -> None:
    cut = RECORD.index("\n", 9000) + 1
    source = RecordFile(write(tmp_path, RECORD[:cut]), growing=True)
    known = len(source.replay.log)
    (tmp_path / "new").write_text(RECORD, encoding="utf-8")
    (tmp_path / "new").replace(source.file)
    assert source.poll() and source.is_finished
    assert len(source.replay.log) > known
    assert not source.poll()


# --- The screen --------------------------------------------------------------------------------


def show(
    script: Script,
    source: RecordFile,
    viewer: Viewer = OMNISCIENT,
    at: int | None = None,
    *,
    size: tuple[int, int] = (80, 24),
    follow: bool = False,
) -> ReplayApp:
    app = ReplayApp(source, viewer, at, follow=follow)

    async def run() -> None:
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            assert isinstance(app.screen, ReplayScreen)
            await script(pilot, app.screen)
            await pilot.pause()

    asyncio.run(run())
    return app


def text_of_part(screen: ReplayScreen, selector: str) -> str:
    return str(screen.query_one(selector, Static).content)


def happened(screen: ReplayScreen) -> str:
    table: Any = screen.query_one("#news Static", Static).content
    return "\n".join(str(cell) for column in table.columns[1:] for cell in column.cells)


def test_keys_go_on_and_back_through_the_game(file: Path) -> None:
    source = RecordFile(file)
    replay = source.replay
    end = len(replay.plies)
    begins = replay.round_after(0), replay.round_after(replay.round_after(0))

    async def script(pilot: Pilot[str], screen: ReplayScreen) -> None:
        async def press(*keys: str) -> int:
            await pilot.press(*keys)
            await pilot.pause()
            return screen.at

        assert screen.at == 0
        assert await press("left") == 0
        assert await press("right") == 1
        assert await press("space", "space") == 3
        assert await press("left") == 2
        assert await press("home") == 0
        assert await press("pagedown") == begins[0]
        assert await press("pagedown") == begins[1]
        assert await press("left", "pageup") == begins[0]
        assert await press("end") == end
        assert await press("right") == end
        assert await press("g", "1", "2", "enter") == 12
        assert await press("7", "enter") == 7
        assert await press("1", "backspace", "5", "enter") == 5
        assert await press("9", "escape") == 5
        assert await press("9", "right") == 6
        assert await press("g", "enter", "escape") == 6
        assert await press("9", "9", "9", "enter") == 6
        assert "There is no move 999" in text_of_part(screen, "#ask")

    show(script, source)


@pytest.mark.parametrize("size", SIZES)
def test_nothing_essential_is_cut(file: Path, size: tuple[int, int]) -> None:
    source = RecordFile(file)

    async def script(pilot: Pilot[str], screen: ReplayScreen) -> None:
        drawing = screen._drawing(screen.at)
        for part, lines in (("#board", drawing.board), ("#players", drawing.players)):
            region = screen.query_one(part).region
            assert region.height >= len(lines)
            assert region.width >= max(sum(len(piece.text) for piece in line) for line in lines)
            assert screen.region.contains_region(region)
        for part in ("#title", "#news", "#move", "#ask", "Footer"):
            assert screen.query_one(part).region.height >= 1
            assert screen.region.contains_region(screen.query_one(part).region)
        assert screen.query_one("#news").region.height >= 8

    show(script, source, at=12, size=size)


def test_title_move_events_and_result_are_those_of_the_current_move(file: Path) -> None:
    source = RecordFile(file)
    end = len(source.replay.plies)

    async def script(pilot: Pilot[str], screen: ReplayScreen) -> None:
        line = next(
            x for x in format_score_sheet(source.replay).splitlines() if x.startswith("   4. ")
        )
        assert text_of_part(screen, "#move") == line
        where = text_of_part(screen, "#title .right")
        assert where == f"move 4 of {end} · round 1 · everything revealed"
        before = happened(screen)
        await pilot.press("right")
        await pilot.pause()
        assert happened(screen).startswith(before)
        await pilot.press("end")
        await pilot.pause()
        assert text_of_part(screen, "#ask").startswith("The game is over. ")
        await pilot.press("home")
        await pilot.pause()
        assert text_of_part(screen, "#move") == happened(screen) == ""

    show(script, source, at=4)


def test_a_small_window_shows_a_warning_until_it_grows(file: Path) -> None:
    async def script(pilot: Pilot[str], screen: ReplayScreen) -> None:
        assert text_of_part(screen, "#ask") == say("play.too_small", {})
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert text_of_part(screen, "#ask").startswith("The game has not started")

    show(script, RecordFile(file), size=(60, 16))


def test_it_plays_by_itself_and_stops(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay_screen, "PACES", (0.0, 9999.0, 9999.0, 9999.0))  # no tick
    source = RecordFile(file)
    end = len(source.replay.plies)

    async def script(pilot: Pilot[str], screen: ReplayScreen) -> None:
        await pilot.press("f6")
        await pilot.press("p")
        await pilot.pause()
        assert "Playing, pace: slow" in text_of_part(screen, "#ask")
        screen.tick()
        screen.tick()
        assert screen.at == 2 and screen._play_timer
        await pilot.press("p")
        await pilot.pause()
        assert screen.at == 2 and not screen._play_timer
        await pilot.press("p", "left")
        assert screen.at == 1 and not screen._play_timer
        await pilot.press("p", "f6")
        await pilot.pause()
        assert screen.at == end and not screen._play_timer
        await pilot.press("left", "p")
        assert screen.at == end
        await pilot.press("f6", "p", "left", "p")
        screen.tick()
        assert screen.at == end and not screen._play_timer

    show(script, source)


@pytest.mark.parametrize("key", ["?", "s", "l"])
def test_help_score_and_log_open_over_the_game_and_close(file: Path, key: str) -> None:
    async def script(pilot: Pilot[str], screen: ReplayScreen) -> None:
        await pilot.press(key)
        await pilot.pause()
        assert isinstance(pilot.app.screen, TextScreen)
        await pilot.press("pageup", "escape")
        await pilot.pause()
        assert screen.is_current and screen.at == 9

    show(script, RecordFile(file), at=9)


def test_what_happened_can_be_scrolled(file: Path) -> None:
    async def script(pilot: Pilot[str], screen: ReplayScreen) -> None:
        news = screen.query_one("#news")
        at_the_end = news.scroll_y
        await pilot.press("up", "up", "up", "down")
        await pilot.pause()
        assert news.scroll_y == at_the_end - 2

    show(script, RecordFile(file), at=12)


def test_it_is_left_with_q(file: Path) -> None:
    async def script(pilot: Pilot[str], screen: ReplayScreen) -> None:
        await pilot.press("q")

    app = show(script, RecordFile(file))
    assert (app.return_value, app.return_code) == ("", 0)


# --- Eyes --------------------------------------------------------------------------------------


@pytest.fixture
def kuhn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RecordFile:
    """Return the record of a game with hidden cards."""
    add_to_catalog(monkeypatch)
    return RecordFile(write(tmp_path, kuhn_record()))


def test_with_everything_revealed_the_viewer_can_be_switched(kuhn: RecordFile) -> None:
    async def script(pilot: Pilot[str], screen: ReplayScreen) -> None:
        await pilot.press("right")
        seen = []
        for _ in range(5):
            await pilot.pause()
            where = text_of_part(screen, "#title .right").rpartition(" · ")[2]
            seen.append((screen.viewer, where, happened(screen).count("Your card is")))
            await pilot.press("v")
        assert seen == [
            (OMNISCIENT, "everything revealed", 3),
            (0, "as Ann knew it", 1),
            (1, "as Bob knew it", 1),
            (2, "as Cleo knew it", 1),
            (SPECTATOR, "as a spectator saw it", 0),
        ]
        await pilot.pause()
        assert screen.viewer is OMNISCIENT
        assert "(Ann only)" in happened(screen)

    show(script, kuhn)


def test_what_was_asked_for_one_seat_shows_no_other(kuhn: RecordFile) -> None:
    async def script(pilot: Pilot[str], screen: ReplayScreen) -> None:
        card = kuhn.replay.plies[0].steps[1].does
        await pilot.press("right", "v", "v")
        await pilot.pause()
        assert screen.viewer == 1
        assert "Leave out --seat" in text_of_part(screen, "#ask")
        assert text_of_part(screen, "#move").split()[2:] == ["?", *card.split(), "?"]
        players = text_of_part(screen, "#players")
        assert players.count("-1") == 2

    show(script, kuhn, 1)


# --- A file that grows, on the screen ------------------------------------------------------------


def test_a_viewer_at_the_end_moves_along_and_others_stay(tmp_path: Path) -> None:
    lines = RECORD.splitlines(keepends=True)
    parts = ["".join(lines[:20]), "".join(lines[20:30]), *pieces("".join(lines[30:40]), 50)]
    grow = Growing(tmp_path / "game.jsonl", *parts, "".join(lines[40:]))
    source = RecordFile(grow.file, growing=True)

    async def script(pilot: Pilot[str], screen: ReplayScreen) -> None:
        begun = len(source.replay.plies)
        assert screen.at == begun
        assert "New moves appear" in text_of_part(screen, "#ask")
        grow()
        screen.poll()
        more = len(source.replay.plies)
        assert screen.at == more > begun
        await pilot.press("left")
        grow()
        screen.poll()
        assert screen.at == more - 1 and len(source.replay.plies) == more
        grow()
        screen.poll()
        assert screen.at == more - 1 and len(source.replay.plies) > more
        await pilot.press("end")
        grow()
        screen.poll()
        assert screen.at == len(source.replay.plies) and source.is_finished
        assert "The game is over." in text_of_part(screen, "#ask")
        assert screen._poll_timer is None

    show(script, source, follow=True)


def test_a_bad_line_that_comes_later_is_reported_and_the_rest_can_be_viewed(tmp_path: Path) -> None:
    lines = RECORD.splitlines(keepends=True)
    grow = Growing(tmp_path / "game.jsonl", "".join(lines[:20]), lines[3])
    source = RecordFile(grow.file, growing=True)

    async def script(pilot: Pilot[str], screen: ReplayScreen) -> None:
        grow()
        screen.poll()
        assert "Invalid, line 21: this is not the next step." in text_of_part(screen, "#ask")
        at = screen.at
        await pilot.press("left")
        assert screen.at == at - 1
        await pilot.press("q")

    app = show(script, source, follow=True)
    assert (app.return_value, app.return_code) == (
        "Invalid, line 21: this is not the next step.",
        1,
    )


def test_a_file_that_disappears_is_reported(tmp_path: Path) -> None:
    source = RecordFile(write(tmp_path, RECORD[: RECORD.index("\n", 9000) + 1]), growing=True)

    async def script(pilot: Pilot[str], screen: ReplayScreen) -> None:
        source.file.unlink()
        screen.poll()
        assert "Cannot read" in text_of_part(screen, "#ask")
        await pilot.press("q")

    assert show(script, source, follow=True).return_code == 2


def test_a_bad_line_ends_a_printed_score(tmp_path: Path) -> None:
    lines = RECORD.splitlines(keepends=True)
    with pytest.raises(InvalidRecord, match="bad_step"):
        followed(Growing(tmp_path / "game.jsonl", "".join(lines[:20]), lines[3]))


def test_a_card_that_nobody_has_seen_is_marked_as_unseen() -> None:
    source = RecordFile(Path(__file__).parents[1] / "records" / "kept" / "0.1.0" / "omerta.jsonl")

    async def script(pilot: Pilot[str], screen: ReplayScreen) -> None:
        await pilot.press("right", "right")
        await pilot.pause()
        assert "card 1 is a 5. (seen by nobody)" in happened(screen)
        assert "[ 5 ]" in text_of_part(screen, "#board")
        await pilot.press("v")
        await pilot.pause()
        assert "card 1 is a 5" not in happened(screen)
        assert "[ 5 ]" not in text_of_part(screen, "#board")

    show(script, source)
