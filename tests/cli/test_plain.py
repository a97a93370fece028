"""Playing line by line, with the lines in memory."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from cosca.catalog import find
from cosca.cli.plain import PlainInterface
from cosca.cli.saved_game import HOME, SavedGame
from cosca.cli.seating import make_seating
from cosca.cli.session import Session
from cosca.core.errors import Refused

GAME = find("vendetta")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(HOME, str(tmp_path))


def session(seed: int = 5) -> Session:
    seating = make_seating(GAME, seats=3, changes={"max_rounds": "2"}, bots="random", seed=seed)
    return Session.new(seating)


def play(
    lines: Iterator[str],
    game: Session | None = None,
    *,
    interactive: bool = True,
    width: int = 1000,
) -> list[str]:
    """Return what is printed when these lines are typed."""
    printed: list[str] = []

    def read(prompt: str) -> str:
        printed.append(prompt)
        try:
            return next(lines)
        except StopIteration:
            raise EOFError from None

    PlainInterface(
        game or session(),
        SavedGame(GAME),
        read,
        printed.append,
        interactive=interactive,
        width=lambda: width,
    ).run()
    return printed


def passing() -> Iterator[str]:
    while True:
        yield "pass"
        yield ""


def test_a_whole_game_to_the_end() -> None:
    game = session()
    printed = play(passing(), game)
    assert game.is_over
    assert printed[-5] == f"The game is over. {game.result()}"
    assert printed[-4:-1] == game.ranking()
    assert printed[-4].startswith("1. Yellow: Points ")
    assert printed[-1].startswith("The record is in ")
    assert "Round 2 begins with" in " ".join(printed)
    assert not SavedGame(GAME).path.exists()


def test_the_end_of_the_input_keeps_the_game() -> None:
    printed = play(iter(["2>6"]))
    assert printed[-1] == "Your game is saved. Continue it with “cosca play vendetta”."
    again = SavedGame(GAME).read()
    assert again is not None
    assert again.pending_text() == "2>6"
    assert "Turn up the card? Enter = yes, u = undo> " in play(iter([]), again)


def test_quitting_and_going_on_ends_like_one_go() -> None:
    straight = session()
    play(passing(), straight)
    play(iter(["pass", "", "pass", "y", "quit"]))
    again = SavedGame(GAME).read()
    assert again is not None
    play(passing(), again)
    assert again.table.log == straight.table.log
    assert again.record() == straight.record()


def test_after_a_mistake_the_question_is_asked_again() -> None:
    printed = play(iter(["nonsense", "99>1", "u", "y", "m", "#77", "#1", "u", "2>6", "undo"]))
    for sentence in (
        "“nonsense” is not a move. Write for example 3 into 6 and 4 into 11, or pass.",
        "There is no pending move to undo. A confirmed move stands.",
        "There is no move to confirm. Type a move, or m for the menu.",
        "Undone. Type another move.",
        "Your move: 2>6. It is not made yet.",
    ):
        assert sentence in printed


def test_a_mistake_in_lines_from_a_program_ends_them_and_loses_nothing() -> None:
    with pytest.raises(Refused, match="bad_move"):
        play(iter(["pass", "", "nonsense", "pass"]), interactive=False)
    kept = SavedGame(GAME).read()
    assert kept is not None and "Red places nobody." in kept.event_lines()


def test_everything_can_be_asked_for() -> None:
    printed = "\n".join(play(iter(["?", "h", "log", "map", "list", "", "m"])))
    for part in (
        "# How to play Vendetta in the terminal",
        "**V-17**",
        "Try ",
        "is the trustee and starts.",
        "6 Chiesa Madre: ",
        "Type a move, for example 3 into 6 and 4 into 11, or pass.",
        "Type # and the number of a move, for example #2, or a move of your own.",
    ):
        assert part in printed


def test_a_folder_that_cannot_be_written_is_said_once_and_the_game_goes_on(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    saved = SavedGame(GAME)
    saved.path = tmp_path / "file" / "vendetta.json"
    game = session()
    printed: list[str] = []
    lines = passing()

    def read(prompt: str) -> str:
        return next(lines)

    PlainInterface(game, saved, read, printed.append, interactive=True, width=lambda: 1000).run()
    assert game.is_over
    assert sum("Cannot save the game to" in line for line in printed) == 1
    assert printed[-1].startswith("Your game is not saved: ")
    assert saved.read() is None


@pytest.mark.parametrize("width", [20, 40, 60, 80])
def test_no_line_is_wider_than_the_terminal_and_no_word_is_broken(width: int) -> None:
    """Where the table does not fit, it is told in sentences."""
    typed = ["?", "m", "list", "nonsense", "2>6"]
    narrow, wide = (play(iter(typed), session(), width=each) for each in (width, 1000))
    for line in narrow:
        assert len(line) <= width or " " not in line.strip(), line
    if width < 76:
        assert not any("╭" in line for line in narrow)
    else:
        assert " ".join(narrow).split() == " ".join(wide).split()
