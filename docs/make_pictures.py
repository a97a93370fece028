"""Draws the pictures of the README again: `.venv/bin/python docs/make_pictures.py`."""

import asyncio
import os
import re
import tempfile
from pathlib import Path

from cosca.catalog import find
from cosca.cli.saved import HOME
from cosca.cli.screen import PlayApp
from cosca.cli.seating import take_seats
from cosca.cli.session import Session

DOCS = Path(__file__).parent
SIZE = (100, 32)
TURNS = 7
"""Of the person before the picture is taken."""


def in_the_middle(name: str, seed: int) -> Session:
    """A game after some turns, with a move on the map that is only thought of."""
    game = find(name)
    session = Session.new(take_seats(game, seed=seed))
    turns = 0
    while turns <= TURNS:
        if not session.is_my_turn:
            session.step()
            continue
        session.propose(game.candidates(session.position())[0])
        turns += 1
        if turns <= TURNS:
            session.confirm()
    return session


async def screenshot(session: Session) -> str:
    """The screen of a game, as SVG."""
    app = PlayApp(session.game, session, pace=0)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        return app.export_screenshot(title="cosca play")


def without_fetched_fonts(picture: str) -> str:
    """A picture must not call home: the reader's own fixed-width font will do."""
    return re.sub(r"@font-face \{.*?\}\s*", "", picture, flags=re.DOTALL)


def main() -> None:
    with tempfile.TemporaryDirectory() as home:
        os.environ[HOME] = home  # nobody's saved game is touched
        for name, file in {"vendetta": "play.svg", "omerta": "omerta.svg"}.items():
            picture = asyncio.run(screenshot(in_the_middle(name, seed=7)))
            DOCS.joinpath(file).write_text(without_fetched_fonts(picture), encoding="utf-8")


if __name__ == "__main__":
    main()
