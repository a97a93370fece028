"""A whole game of each title, on the full screen and line by line: every frame is complete."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.pilot import Pilot

from cosca.catalog import GAMES, find
from cosca.cli.plain import PlainInterface
from cosca.cli.play_app import PlayApp
from cosca.cli.saved_game import HOME, SavedGame
from cosca.cli.seating import make_seating
from cosca.cli.session import Session
from cosca.cli.table_screen import MoveInput, TableScreen
from cosca.core.dice import Dice
from cosca.core.drawing import Drawing, Line
from cosca.words import say, speaking

SIZES = [(80, 24), (120, 40)]
AT_ONCE = 0
MOST_TURNS = 60
"""Turns of the person after which a random move gives way to the first of the menu."""
CHANGES = {"vendetta": {"max_rounds": "2"}, "omerta": {"games": "1", "max_rounds": "3"}}
BOTS = {"vendetta": "random", "omerta": "novice", "sicilianos": "capo"}
SEATS = {"vendetta": 5, "omerta": 5, "sicilianos": 6}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(HOME, str(tmp_path))


def begin(name: str, seed: int = 3) -> Session:
    """Return a game with as many seats as it can have, which need the most room."""
    seating = make_seating(
        find(name), seats=SEATS[name], changes=CHANGES.get(name), bots=BOTS[name], seed=seed
    )
    return Session.new(seating, clock=lambda: 0.0)


class Person:
    """Types moves of the menu, some mistakes, and second thoughts."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.dice = Dice(7)
        self.turns = 0

    def move(self) -> str:
        """Return a move to type."""
        moves = self.session.game.candidates(self.session.position())
        self.turns += 1
        number = self.dice.below(len(moves)) if self.turns < MOST_TURNS else 0
        return self.session.format_move(moves[number])


def plain(lines: list[Line]) -> list[str]:
    return ["".join(piece.text for piece in line).rstrip() for line in lines]


# --- Full screen ----------------------------------------------------------------------------------


class Watcher:
    """Looks at every frame of a full-screen game, and remembers what was to be seen."""

    def __init__(self, session: Session, size: tuple[int, int]) -> None:
        self.session = session
        self.width, self.height = size
        self.frames = 0
        self.wars = 0

    def look(self, pilot: Pilot[str]) -> None:
        """Check that the frame shows everything, each part once and nothing cut."""
        screen = pilot.app.screen
        assert isinstance(screen, TableScreen)
        frame = [strip.text for strip in screen._compositor.render_strips()]
        assert len(frame) == self.height and all(len(line) <= self.width for line in frame)
        drawing = self.session.preview()
        board = self._find(frame, plain(drawing.board), 0)
        players = self._find(frame, plain(drawing.players), board + len(drawing.board))
        self._check_regions(screen)
        asked = " ".join(str(screen.query_one("#ask").content).split())  # type: ignore[attr-defined]
        shown = " ".join(" ".join(frame[players + len(drawing.players) :]).split())
        assert asked and asked in shown, f"{asked!r} is cut in\n" + "\n".join(frame)
        self.frames += 1
        self.wars += self._is_war(drawing)

    def _find(self, frame: list[str], lines: list[str], start: int) -> int:
        """Return where some lines stand in the frame, one below the other, whole."""
        for top in range(start, len(frame) - len(lines) + 1):
            if all(line.strip() in frame[top + n] for n, line in enumerate(lines)):
                return top
        raise AssertionError("\n".join([*lines, "is not complete in", *frame]))

    def _check_regions(self, screen: TableScreen) -> None:
        parts = ("#title", "#board-view", "#players-view", "#ask", "#line")
        regions = [screen.query_one(part).region for part in parts]
        for number, region in enumerate(regions):
            assert region.height and screen.region.contains_region(region), parts[number]
            for other in regions[number + 1 :]:
                assert not region.overlaps(other), (region, other)

    def _is_war(self, drawing: Drawing) -> bool:
        return self.session.game.name == "sicilianos" and any(
            "is at war" in sentence for sentence in drawing.sentences
        )


async def play_through(pilot: Pilot[str], session: Session, watcher: Watcher) -> None:
    """Play to the end, and look after everything that is typed."""
    person = Person(session)
    while not session.is_over:
        await pilot.pause()
        watcher.look(pilot)
        text = person.move() if session.is_my_turn else ""
        if session.is_reaction_window:
            await type_line(pilot, text)
            continue
        if person.turns % 10 == 1:
            await type_line(pilot, "99 99 99")
            watcher.look(pilot)
        await type_line(pilot, text)
        watcher.look(pilot)
        await type_line(pilot, "")
    await pilot.pause()
    watcher.look(pilot)


async def type_line(pilot: Pilot[str], text: str) -> None:
    """Enter a line, and wait until the screen shows what follows."""
    line = pilot.app.screen.query_one(MoveInput)
    line.value = text
    await line.action_submit()
    await pilot.pause()


@pytest.mark.parametrize("size", SIZES, ids=lambda size: "x".join(map(str, size)))
@pytest.mark.parametrize("name", GAMES)
def test_every_frame_of_a_whole_game_on_the_full_screen_is_complete(
    name: str, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cosca.cli.table_screen.OLD_NEWS_LINES", 5)  # drawing them takes long
    session = begin(name)
    app = PlayApp(session.game, session, pace=AT_ONCE)
    watcher = Watcher(session, size)

    async def run() -> None:
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await play_through(pilot, session, watcher)

    asyncio.run(run())
    assert session.is_over and watcher.frames > 8
    assert watcher.wars or name != "sicilianos"


# --- Line by line ---------------------------------------------------------------------------------


def lines_of(session: Session, width: int) -> list[str]:
    """Play a whole game line by line and return everything that is printed."""
    person = Person(session)
    printed: list[str] = []

    def typed() -> Iterator[str]:
        yield from ("?", "h", "m", "99 99 99")
        while True:
            if session.is_my_turn:
                yield person.move()
            yield ""

    lines = typed()
    seen = [0, 0]  # the steps that were played and the lines that were printed at the last prompt

    def read(prompt: str) -> str:
        if prompt == say("play.put_back", {}):  # the table comes after it
            return ""
        steps = len(session.table.log)
        if session.is_my_turn and steps != seen[0]:
            check_frame(session, printed[seen[1] :])
        seen[:] = steps, len(printed)
        printed.append(prompt)
        return next(lines)

    PlainInterface(
        session,
        SavedGame(session.game),
        read,
        printed.append,
        interactive=True,
        width=lambda: width,
    ).run()
    return printed


def check_frame(session: Session, printed: list[str]) -> None:
    """Check that what the player was shown last is the whole table."""
    drawing = session.drawing()
    whole = plain([*drawing.board, *drawing.players])
    assert any(
        printed[at : at + len(whole)] == whole for at in range(len(printed) - len(whole) + 1)
    ), "\n".join(printed)


@pytest.mark.parametrize("language", ["en", "de", "fr", "it"])
@pytest.mark.parametrize("name", GAMES)
def test_every_line_of_a_whole_game_in_plain_text_fits(name: str, language: str) -> None:
    with speaking(language):
        session = begin(name)
        printed = lines_of(session, 80)
    assert session.is_over
    path = str(SavedGame(session.game).path.parent)
    for line in printed:
        assert len(line) <= 80 or path in line or line.startswith("\x1b"), line
