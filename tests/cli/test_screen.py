"""Playing on the full screen: keys go in, and the screen shows the right thing."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from cosca.catalog import find
from cosca.cli.play_app import PlayApp
from cosca.cli.saved_game import HOME, SavedGame
from cosca.cli.seating import make_seating
from cosca.cli.session import Session
from cosca.cli.setup_screen import GameSetup, SetupScreen
from cosca.cli.table_screen import MoveInput, MoveMenu, TableScreen
from cosca.cli.text_screen import TextScreen
from tests.bots.programs import answering

GAME = find("vendetta")
SIZES = [(80, 24), (140, 40)]
AT_ONCE = 0
Script = Callable[[Pilot[str]], Awaitable[None]]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(HOME, str(tmp_path))


def session(rounds: int = 1) -> Session:
    """Return a game in which the person begins."""
    changes = {"max_rounds": str(rounds), "trustee": "1"}
    return Session.new(make_seating(GAME, seats=4, changes=changes, bots="random", seed=5))


def play(
    script: Script,
    game: Session | None = None,
    size: tuple[int, int] = (80, 24),
    pace: int = AT_ONCE,
) -> PlayApp:
    app = PlayApp(GAME, game, pace=pace)

    async def run() -> None:
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await script(pilot)
            await pilot.pause()

    asyncio.run(run())
    return app


async def type_line(pilot: Pilot[str], text: str) -> None:
    pilot.app.screen.query_one(MoveInput).value = text
    await pilot.press("enter")
    await pilot.pause()


def thought(game: Session) -> str:
    """Return the pending move, which is shown but not made yet."""
    return game.pending_text()


def text_of(pilot: Pilot[str], selector: str) -> str:
    return str(pilot.app.screen.query_one(selector, Static).content)


# --- A turn -----------------------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES)
def test_a_move_is_previewed_undone_and_made(size: tuple[int, int]) -> None:
    game = session()

    async def script(pilot: Pilot[str]) -> None:
        before = text_of(pilot, "#board")
        await type_line(pilot, "3 into 6")
        assert game.pending_text() == "3>6"
        assert "R 5" in text_of(pilot, "#board")
        assert "Turn up the card?" in text_of(pilot, "#ask")
        await pilot.press("u")
        await pilot.pause()
        assert game.pending is None
        assert text_of(pilot, "#board") == before
        await type_line(pilot, "3>6")
        await pilot.press("enter")
        await pilot.pause()
        assert "Red places 3 mafiosi in 6 Chiesa Madre." in game.event_lines()
        assert game.is_my_turn and len(game.table.log) > 8

    play(script, game, size)


@pytest.mark.parametrize("size", [*SIZES, (100, 30)])
def test_nothing_essential_is_cut(size: tuple[int, int]) -> None:
    game = session()

    async def script(pilot: Pilot[str]) -> None:
        drawing = game.drawing()
        screen = pilot.app.screen
        for part, lines in (("#board", drawing.board), ("#players", drawing.players)):
            region = screen.query_one(part).region
            assert region.height >= len(lines)
            assert region.width >= max(sum(len(piece.text) for piece in line) for line in lines)
            assert screen.region.contains_region(region)
        for part in ("#title", "#news", "#ask", "#line", "Footer"):
            assert screen.query_one(part).region.height >= 1
            assert screen.region.contains_region(screen.query_one(part).region)
        assert screen.query_one("#news").region.height >= 8

    play(script, game, size)


def test_a_small_window_shows_a_warning_until_it_grows() -> None:
    async def script(pilot: Pilot[str]) -> None:
        assert "too small" in text_of(pilot, "#ask")
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert "your move" in text_of(pilot, "#ask")

    play(script, session(), (60, 16))


def test_a_mistake_is_explained_and_stays_in_the_input() -> None:
    game = session()

    async def script(pilot: Pilot[str]) -> None:
        await type_line(pilot, "30>6")
        assert "cannot place 30" in text_of(pilot, "#ask")
        assert pilot.app.screen.query_one(MoveInput).value == "30>6"
        await pilot.press("escape")
        assert pilot.app.screen.query_one(MoveInput).value == ""
        await type_line(pilot, "undo")
        assert "no pending move to undo" in text_of(pilot, "#ask")

    play(script, game)
    assert game.pending is None


@pytest.mark.parametrize("size", SIZES)
def test_a_move_is_picked_from_the_menu(size: tuple[int, int]) -> None:
    game = session()

    async def script(pilot: Pilot[str]) -> None:
        await pilot.press("f2")
        await pilot.pause()
        menu = pilot.app.screen.query_one(MoveMenu)
        assert menu.has_focus and menu.region.height >= 8
        assert thought(game) == game.format_move(game.menu[0])
        await pilot.press("escape")
        await pilot.pause()
        assert thought(game) == ""
        await type_line(pilot, "m")
        await pilot.press("down", "enter")
        await pilot.pause()
        assert thought(game) == game.format_move(game.menu[1])
        assert pilot.app.screen.query_one(MoveInput).has_focus

    play(script, game, size)


def test_typing_in_the_menu_closes_it_and_types_a_move() -> None:
    game = session()

    async def script(pilot: Pilot[str]) -> None:
        await type_line(pilot, "m")
        await pilot.press("3")
        await pilot.pause()
        line = pilot.app.screen.query_one(MoveInput)
        assert line.has_focus and line.value == "3" and game.pending is None
        await pilot.press("greater_than_sign", "6", "enter")
        await pilot.pause()
        assert thought(game) == "3>6"
        await type_line(pilot, "#2")
        assert thought(game) == game.format_move(game.menu[1])

    play(script, game)


def test_enter_after_a_mistake_makes_no_move() -> None:
    game = session()

    async def script(pilot: Pilot[str]) -> None:
        before = text_of(pilot, "#board")
        await type_line(pilot, "3>6")
        await type_line(pilot, "99>6")
        assert text_of(pilot, "#board") == before
        await type_line(pilot, "")
        assert not [seat for seat, _ in game.table.log if seat == game.seat]

    play(script, game)


def test_a_hint_is_given() -> None:
    async def script(pilot: Pilot[str]) -> None:
        await pilot.press("f3")
        await pilot.pause()
        assert "Try " in text_of(pilot, "#ask")

    play(script, session())


# --- TextScreen ----------------------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("key", ["?", "f1", "f4"])
def test_rules_and_log_open_over_the_game_and_close(key: str, size: tuple[int, int]) -> None:
    async def script(pilot: Pilot[str]) -> None:
        await pilot.press(key)
        await pilot.pause()
        assert isinstance(pilot.app.screen, TextScreen)
        await pilot.press("pagedown")
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(pilot.app.screen, TableScreen)
        assert pilot.app.screen.query_one(MoveInput).value == ""

    play(script, session(), size)


# --- The bots ---------------------------------------------------------------------------------


def test_any_key_hurries_the_bots() -> None:
    game = session()

    async def script(pilot: Pilot[str]) -> None:
        await type_line(pilot, "pass")
        await pilot.press("enter")
        await pilot.pause()
        assert game.actor != game.seat
        await pilot.press("space")
        await pilot.pause()
        assert game.actor == game.seat
        assert pilot.app.screen.query_one(MoveInput).value == ""

    play(script, game, pace=3)


def test_the_pace_can_be_changed() -> None:
    async def script(pilot: Pilot[str]) -> None:
        await pilot.press("f6")
        await pilot.pause()
        assert "fast" in text_of(pilot, "#ask")

    play(script, session())


# --- Coming and going ---------------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES)
def test_a_game_is_left_and_resumed(size: tuple[int, int]) -> None:
    game = session()

    async def leave(pilot: Pilot[str]) -> None:
        await type_line(pilot, "2>6")
        await pilot.press("enter")
        await pilot.press("ctrl+q")

    app = play(leave, game, size)
    assert app.return_value == "Your game is saved. Continue it with “cosca play vendetta”."

    async def go_on(pilot: Pilot[str]) -> None:
        assert isinstance(pilot.app.screen, SetupScreen)
        assert "resume: round 1, you are Red" in text_of(pilot, "Static")
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(pilot.app.screen, TableScreen)
        assert pilot.app.screen.session.save() == game.save()

    play(go_on, size=size)


def test_the_end_of_a_game_offers_another() -> None:
    game = session()

    async def script(pilot: Pilot[str]) -> None:
        while not game.is_over:
            await type_line(pilot, "pass")
            await pilot.press("enter")
            await pilot.pause()
        assert game.result() in text_of(pilot, "#ask")
        await type_line(pilot, "pass")
        assert "The game is over" in text_of(pilot, "#ask")
        await type_line(pilot, "")
        await pilot.pause()
        assert isinstance(pilot.app.screen, SetupScreen)
        await pilot.press("escape")

    app = play(script, game)
    assert app.return_value == ""
    assert not SavedGame(GAME).path.exists()


def test_the_setup_screen_starts_a_game_with_what_was_chosen() -> None:
    async def script(pilot: Pilot[str]) -> None:
        await pilot.press(
            "down", "right", "down", "right", "down", "right", "down", "left", "enter"
        )
        await pilot.pause()
        screen = pilot.app.screen
        assert isinstance(screen, TableScreen)
        assert screen.session.table.seats == 5
        assert screen.session.edition() == "english"
        assert screen.session.seat == 4

    play(script)


def test_fewer_seats_move_the_person_to_one_that_is_there() -> None:
    opening = GameSetup(GAME, lambda game: None)
    opening.at = opening.choices.index(opening.you)
    opening.change(-1)
    assert opening.seating().seat == 3
    opening.at = opening.choices.index(opening.seats)
    opening.change(-1)
    assert opening.seating().seat == 2


def test_a_folder_that_cannot_be_written_is_said_and_the_game_goes_on(tmp_path: Path) -> None:
    game = session()

    async def script(pilot: Pilot[str]) -> None:
        assert isinstance(pilot.app.screen, TableScreen)
        pilot.app.screen.saved.path = tmp_path / "file" / "vendetta.json"
        (tmp_path / "file").write_text("")
        await type_line(pilot, "pass")
        await type_line(pilot, "")
        assert "Cannot save the game" in text_of(pilot, "#ask")
        await type_line(pilot, "pass")
        assert "Turn up the card?" in text_of(pilot, "#ask")
        await type_line(pilot, "")
        assert game.is_my_turn and "Cannot save" not in text_of(pilot, "#ask")
        await pilot.press("ctrl+q")

    app = play(script, game)
    assert not app.return_code
    assert str(app.return_value).startswith("Your game is not saved: ")


def test_a_program_that_fails_ends_the_game_in_one_sentence(tmp_path: Path) -> None:
    """The person's move is kept: with another program in its place the game could go on."""
    bot = answering(tmp_path, "raise ValueError('I am lost')")
    changes = {"max_rounds": "1", "trustee": "1"}
    game = Session.new(make_seating(GAME, seats=3, changes=changes, bots=bot, seed=5))

    async def script(pilot: Pilot[str]) -> None:
        await type_line(pilot, "pass")
        await type_line(pilot, "")

    app = play(script, game)
    assert app.return_code == 2
    assert str(app.return_value).endswith("Its last message was: ValueError: I am lost")
    assert SavedGame(GAME).path.exists()
    game.close()
