"""`cosca play`: play in a browser, or against bots in the terminal."""

import sys
from contextlib import closing, nullcontext
from typing import Any

import click

from cosca.catalog import GAMES
from cosca.cli.options import (
    GameName,
    WholeNumber,
    bots_option,
    edition_options,
    seats_option,
    seed_option,
)
from cosca.cli.plain import PlainInterface
from cosca.cli.saved_game import SavedGame
from cosca.cli.seating import make_seating
from cosca.cli.serve import open_house
from cosca.cli.session import Session
from cosca.cli.terminal import echo_text, is_full_screen, print_lines
from cosca.core.errors import Refused
from cosca.core.game import Game


@click.command()
@click.argument("game", type=GameName(), required=False)
@seats_option
@edition_options
@bots_option
@click.option("--seat", type=WholeNumber(1, 99), default=None)
@seed_option
@click.option(
    "--new/--resume",
    "new",
    default=None,
)
@click.option("--plain", is_flag=True)
@click.option("--terminal", is_flag=True)
@click.option("--lan", is_flag=True)
def command(
    game: Game[Any, Any] | None,
    seats: int | None,
    edition: str,
    changes: dict[str, str],
    bots: str,
    seat: int | None,
    seed: int | None,
    new: bool | None,
    plain: bool,
    terminal: bool,
    lan: bool,
) -> None:
    """Play in a browser, or play GAME against bots in this terminal.

    In the terminal you can quit at any time: the game is saved, and next time you resume it.
    """
    wishes = {"seats": seats, "edition": edition, "set": changes, "bots": bots}
    wishes |= {"seat": seat, "seed": seed}
    asked = [f"--{name}" for name, wish in wishes.items() if wish not in (None, "", {})]
    if game is None and not (asked or plain or terminal) and new is None:
        open_house(lan=lan, browse=True, log_level="warning")
        return
    if lan:
        raise Refused("play.no_lan")
    game, kept = _look_for(game)
    seating = make_seating(
        game,
        seats=seats,
        edition=edition,
        changes=changes,
        bots=bots,
        seat=1 if seat is None else seat,
        seed=seed,
    )
    _check(game, kept, asked, new)
    plain = plain or not is_full_screen()
    session = None if new else kept
    if session is None and (new or asked or plain):
        session = Session.new(seating)
    if plain:
        _play_plain(session or Session.new(seating))
    else:
        _play_on_screen(game, session if new is not None or asked else None)


def _look_for(game: Game[Any, Any] | None) -> tuple[Game[Any, Any], Session | None]:
    """Return the game to play and its saved session; without a game, look for any saved session."""
    if game is not None:
        return game, SavedGame(game).read()
    for some in GAMES.values():
        kept = SavedGame(some).read()
        if kept:
            return some, kept
    return next(iter(GAMES.values())), None


def _check(game: Game[Any, Any], kept: Session | None, asked: list[str], new: bool | None) -> None:
    """Refuse options that would abandon or change a saved game by accident."""
    if new is False and kept is None:
        raise Refused("play.no_save", title=game.title, game=game.name)
    if new is False and asked:
        raise Refused("play.resume_as_it_was", options=", ".join(asked))
    if new is None and kept and asked:
        raise Refused("play.resume_or_new", title=game.title)


def _play_plain(session: Session) -> None:
    """Play in plain text; errors end the game if the input is not a terminal."""
    saved = SavedGame(session.game)
    with closing(session):
        print_lines(
            PlainInterface(session, saved, _read, click.echo, interactive=sys.stdin.isatty()).run
        )


def _read(prompt: str) -> str:
    """Read a line; echo piped input, so that the output reads like a dialogue."""
    line = input(prompt)
    if not sys.stdin.isatty():
        click.echo(line)
    return line


def _play_on_screen(game: Game[Any, Any], session: Session | None) -> None:
    from cosca.cli.play_app import PlayApp  # slow to import

    app = PlayApp(game, session)
    with closing(session) if session else nullcontext():
        last_words = app.run()
    if last_words:
        echo_text(last_words, err=bool(app.return_code))
    if app.return_code:
        sys.exit(app.return_code)
