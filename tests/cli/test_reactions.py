"""Reaction windows in the terminal: the fastest counts, and a card is shown only for a moment."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from cosca.catalog import find
from cosca.cli import session as kinds
from cosca.cli.plain import PlainInterface
from cosca.cli.play_app import PlayApp
from cosca.cli.saved_game import HOME, SavedGame
from cosca.cli.seating import make_seating
from cosca.cli.session import REACTION_SECONDS, Session
from cosca.cli.table_screen import MoveInput
from cosca.core.errors import Refused

GAME = find("omerta")


class Clock:
    """Shows the time that a test sets it to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(HOME, str(tmp_path / "state"))
    return tmp_path / "state"


def begin(seed: int = 5, **changes: str) -> tuple[Session, Clock]:
    clock = Clock()
    seating = make_seating(GAME, seats=3, changes=changes, bots="picciotto", seed=seed)
    return Session.new(seating, clock), clock


def do(session: Session, text: str) -> None:
    session.handle_input(text)
    session.confirm()


def to_race(session: Session) -> None:
    """Play on, drawing and discarding, until the fastest reaction counts."""
    while not session.is_reaction_window:
        if not session.is_my_turn:
            session.advance()
        else:
            session.propose(session.open_menu()[0])
            session.confirm()


def answers(session: Session, since: int) -> list[int]:
    """Return who has answered since then, in the order that counts."""
    return [seat for seat, _ in session.table.log[since:] if seat >= 0]


@pytest.mark.parametrize(("seconds", "place"), [(0.0, 0), (REACTION_SECONDS, 2)])
def test_quick_reactions_come_before_slow_ones(seconds: float, place: int) -> None:
    session, clock = begin()
    to_race(session)
    since = len(session.table.log)
    asked = set(session.table.actors)
    session.start_reaction_clock()
    clock.now += seconds
    assert session.handle_input("pass").kind == kinds.REACTED
    order = answers(session, since)[: len(asked)]
    assert set(order) == asked
    assert order.index(session.seat) == min(place, len(asked) - 1)


def test_a_late_reaction_does_nothing() -> None:
    session, clock = begin()
    to_race(session)
    since = len(session.table.log)
    session.start_reaction_clock()
    clock.now += REACTION_SECONDS + 0.1
    assert session.time_left() == 0
    assert session.handle_input("1").kind == kinds.LATE
    mine = [action for seat, action in session.table.log[since:] if seat == session.seat]
    assert mine[0] == 0


def test_a_pass_is_never_late() -> None:
    session, clock = begin()
    to_race(session)
    session.start_reaction_clock()
    clock.now += REACTION_SECONDS + 1
    assert session.handle_input("").kind == kinds.REACTED


def test_an_empty_line_passes_and_a_mistake_does_not_stop_the_clock() -> None:
    session, clock = begin()
    to_race(session)
    log = list(session.table.log)
    session.start_reaction_clock()
    clock.now += 1
    with pytest.raises(Refused):
        session.handle_input("40")
    assert session.table.log == log
    assert session.time_left() == REACTION_SECONDS - 1
    assert session.handle_input("").kind == kinds.REACTED


def test_one_key_is_enough_where_it_can_mean_one_card_only() -> None:
    session, _ = begin()
    to_race(session)
    assert session.is_unambiguous("1") and session.is_unambiguous("-")
    assert not session.is_unambiguous("") and not session.is_unambiguous("9")


def test_a_menu_that_was_open_in_a_race_is_closed_after_it() -> None:
    session, _ = begin()
    to_race(session)
    session.open_menu()
    assert session.handle_input("1").kind == kinds.REACTED
    assert session.menu == []


def test_sealed_windows_are_no_race() -> None:
    session, _ = begin(reactions="sealed", max_rounds="3", games="1")
    while not session.is_over:
        assert not session.is_reaction_window
        if session.is_my_turn:
            session.propose(session.open_menu()[0])
            session.confirm()
        else:
            session.advance()


def test_a_card_that_was_looked_at_is_seen_once_and_not_in_the_log() -> None:
    session, _ = begin()
    do(session, "peek 1 2")
    while not session.glimpses():
        session.advance()
    glimpses = session.glimpses()
    assert len(glimpses) == 2 and "card 1 is" in glimpses[0]
    assert glimpses[0] not in " ".join(session.event_lines())
    assert "[▒▒▒]" not in _row(session)[:12]
    while not session.is_my_turn or session.is_reaction_window:
        session.handle_input("pass") if session.is_reaction_window else session.advance()
    do(session, "draw")
    assert glimpses[0] not in session.glimpses()
    assert _row(session).count("▒▒▒") == len(session.position().to_wire()["rows"][session.seat])


def test_with_the_memory_aid_it_stays() -> None:
    session, _ = begin(memory="aided")
    do(session, "peek 1 2")
    while not any("card 1 is" in line for line in session.event_lines()):
        session.advance()
    assert session.glimpses() == []
    while not session.is_my_turn:
        session.advance()
    assert any("card 1 is" in line for line in session.event_lines())


# --- On the screen ------------------------------------------------------------------------------


def play(session: Session, script: Callable[[Pilot[str]], Awaitable[None]]) -> None:
    async def run() -> None:
        async with PlayApp(GAME, session, pace=0).run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            await script(pilot)

    asyncio.run(run())


def question(pilot: Pilot[str]) -> str:
    return str(pilot.app.screen.query_one("#ask", Static).content)


@pytest.mark.parametrize("key", ["1", "space"])
def test_a_key_is_all_it_takes_on_the_screen(key: str) -> None:
    session, _ = begin()
    to_race(session)
    since = len(session.table.log)

    async def script(pilot: Pilot[str]) -> None:
        assert "Quick" in question(pilot)
        await pilot.press(key)
        await pilot.pause()

    play(session, script)
    mine = [action for seat, action in session.table.log[since:] if seat == session.seat]
    assert mine[0] == (0 if key == "space" else 46)


def test_time_runs_out_on_the_screen() -> None:
    session, clock = begin()
    to_race(session)
    since = len(session.table.log)

    async def script(pilot: Pilot[str]) -> None:
        clock.now += REACTION_SECONDS + 1
        while len(session.table.log) == since:
            await pilot.pause(0.05)

    play(session, script)
    assert (session.seat, 0) in session.table.log[since:]


def test_cards_stay_in_sight_until_a_key_is_pressed() -> None:
    session, _ = begin()

    async def script(pilot: Pilot[str]) -> None:
        pilot.app.screen.query_one(MoveInput).value = "peek 1 2"
        await pilot.press("enter", "enter")
        await pilot.pause()
        assert "Look closely" in question(pilot)
        assert session.glimpses()
        await pilot.press("x")
        await pilot.pause()
        assert "Look well" not in question(pilot)

    play(session, script)


def _row(session: Session) -> str:
    """Return the row of the person as it is drawn."""
    name = session.name(session.seat)
    lines = ["".join(piece.text for piece in line) for line in session.drawing().board]
    return next(line.partition(name)[2].strip() for line in lines[2:] if name in line)


def test_a_person_at_a_terminal_puts_the_cards_back_and_they_are_wiped_away() -> None:
    session, _ = begin()
    typed = iter(["peek 1 2", "y", "", "q"])
    printed: list[str] = []
    asked: list[str] = []

    def read(prompt: str) -> str:
        asked.append(prompt)
        return next(typed, "q")

    PlainInterface(session, SavedGame(GAME), read, printed.append, interactive=True).run()
    assert any("put the cards back" in prompt for prompt in asked)
    at = next(i for i, line in enumerate(printed) if "card 1 is" in line)
    assert printed[at + 2].startswith("\x1b[3F\x1b[J")
