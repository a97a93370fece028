"""Draws the pictures of the README and the icons: `.venv/bin/python -m docs.make_pictures`."""

import asyncio
import os
import re
import struct
import tempfile
from pathlib import Path

from playwright.sync_api import Browser

from cosca.bots.roster import default_bot
from cosca.catalog import find
from cosca.cli.play_app import PlayApp
from cosca.cli.saved_game import HOME
from cosca.cli.seating import make_seating
from cosca.cli.session import Session
from tests.web.browser import DESK, launched
from tests.web.guests import Guest, guest, open_by_api, wait_until_still
from tests.web.houses import opened

DOCS = Path(__file__).parent
PUBLIC = DOCS.parent / "web" / "public"
CLICKS = {"vendetta": 24, "omerta": 14, "sicilianos": 25}
"""Steps at a drawn table before the picture of a game is taken."""
SIZE = (100, 32)
TURNS = 7
"""Turns of the person before the picture is taken."""


def in_the_middle(name: str, seed: int) -> Session:
    """Return a game after some turns, with a pending move on the map."""
    game = find(name)
    session = Session.new(make_seating(game, seed=seed))
    turns = 0
    while turns <= TURNS:
        if not session.is_my_turn:
            session.advance()
            continue
        session.propose(game.candidates(session.position())[0])
        turns += 1
        if turns <= TURNS:
            session.confirm()
    return session


async def screenshot(session: Session) -> str:
    """Return the screen of a game as SVG."""
    app = PlayApp(session.game, session, pace=0)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        return app.export_screenshot(title="cosca play")


def without_fetched_fonts(picture: str) -> str:
    """Return a picture that loads no fonts from a server; any fixed-width font will do."""
    return re.sub(r"@font-face \{.*?\}\s*", "", picture, flags=re.DOTALL)


def draw(one: Guest, house: str, game: str) -> None:
    """Take the picture of a drawn table, some steps into a game with bots."""
    page = one.page
    code = open_by_api(page, house, game, ["you", *[default_bot(find(game))] * 3])
    page.goto(f"{house}/t/{code}")
    done = 0
    while done < CLICKS[game] and not one.is_over:  # then there is nothing to show, and it fails
        done += one.take_step(hurry=False)
    page.locator(".move.mine").wait_for()
    wait_until_still(page)
    page.screenshot(path=DOCS / f"{game}.png")
    one.context.close()


def draw_icons(browser: Browser) -> None:
    """Draw the icon for programs without SVG: /favicon.ico and home screens of phones."""
    small, large = (rasterised(browser, size) for size in (32, 180))
    PUBLIC.joinpath("favicon.ico").write_bytes(as_ico(small, 32))
    PUBLIC.joinpath("icon-180.png").write_bytes(large)


def rasterised(browser: Browser, size: int) -> bytes:
    """Return the icon as a PNG of that size."""
    page = browser.new_page(viewport={"width": size, "height": size})
    page.goto(PUBLIC.joinpath("icon.svg").as_uri())
    picture = page.screenshot(omit_background=True)
    page.close()
    return picture


def as_ico(png: bytes, size: int) -> bytes:
    """Wrap a PNG as an icon file with one picture in it."""
    entry = struct.pack("<4B2H2I", size, size, 0, 0, 1, 32, len(png), 22)
    return struct.pack("<3H", 0, 1, 1) + entry + png


def main() -> None:
    with tempfile.TemporaryDirectory() as home:
        os.environ[HOME] = home  # nobody's saved game is touched
        picture = asyncio.run(screenshot(in_the_middle("vendetta", seed=7)))
        DOCS.joinpath("play.svg").write_text(without_fetched_fonts(picture), encoding="utf-8")
        with opened(Path(home) / "tables.db") as house, launched() as browser:
            draw_icons(browser)
            for name in CLICKS:
                draw(guest(browser, DESK, seed=3), house, name)


if __name__ == "__main__":
    main()
