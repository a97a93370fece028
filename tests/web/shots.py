"""`./run shots FOLDER`: screenshots of every page and scene, at every size, light and dark.

    ./run shots pictures                                  all of them; takes some minutes
    ./run shots pictures --game vendetta --size phone --theme dark

Each scene of a drawn table is taken the first time it is played in a game.
"""

import argparse
import itertools
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NoReturn

from playwright.sync_api import Browser, Page

from cosca.catalog import GAMES
from tests.web.browser import DESK, PHONE, launched
from tests.web.guests import Guest, guest, open_by_api
from tests.web.houses import opened

SIZES: Final[dict[str, dict[str, Any]]] = {
    "desk": DESK,
    "phone": PHONE,
    "sideways": {**PHONE, "viewport": {"width": 844, "height": 390}},
    "tablet": {**PHONE, "viewport": {"width": 820, "height": 1180}},
    "small": {"viewport": {"width": 1024, "height": 768}},
    "large": {"viewport": {"width": 1920, "height": 1080}},
    "huge": {"viewport": {"width": 2560, "height": 1440}},
    "zoomed": {"viewport": {"width": 720, "height": 450}},
}
THEMES: Final = {"light": "light", "dark": "dark"}
SHORT: Final = {"vendetta": {"max_rounds": "2"}, "omerta": {"games": "1"}, "sicilianos": {}}
STEPS: Final = 160
"""Clicks in a game to meet its scenes, and as many again to bring it to its end."""
MIDDLE: Final = 8
"""Clicks after which the screenshots from the middle of a game are taken."""
SCENES_SECONDS: Final = 60.0
"""Seconds in a game after which its scenes are no longer waited for."""
SCENE_DELAY: Final = 200
"""Milliseconds from the beginning of a scene to its screenshot."""
PLAYING: Final = ".stage[data-playing]"
SCENE: Final = "() => document.querySelector('.picture')?.dataset.scene ?? ''"


class Arguments(argparse.ArgumentParser):
    """Reports wrong arguments in one sentence."""

    def error(self, message: str) -> NoReturn:
        """Print it and exit with 2."""
        self.exit(2, f"{self.prog}: {message}. See --help.\n")


def arguments() -> Arguments:
    """Return the parser of the command line."""
    parser = Arguments(prog="shots", description="Save screenshots of every page and scene.")
    parser.add_argument("folder", type=Path, help="folder to write to")
    parser.add_argument("--game", choices=sorted(GAMES), help="only the tables of this game")
    parser.add_argument("--size", choices=sorted(SIZES), help="only this size")
    parser.add_argument("--theme", choices=sorted(THEMES), help="only this theme")
    return parser


class Album:
    """The screenshots of one size and theme."""

    def __init__(self, folder: Path, size: str, theme: str) -> None:
        self.folder = folder
        self.ending = f"{size}-{theme}.png"
        self.taken: set[str] = set()

    def take(self, page: Page, name: str, *, whole: bool = False) -> None:
        """Take a screenshot of the visible part or of the whole page; each name is taken once."""
        if name in self.taken:
            return
        self.taken.add(name)
        page.screenshot(path=self.folder / f"{name}-{self.ending}", full_page=whole)


def pages(album: Album, page: Page, house: str) -> None:
    """Take the pages other than tables."""
    for name, path in (("home", "/"), ("new", "/new"), ("join", "/join"), ("nowhere", "/no/where")):
        page.goto(f"{house}{path}", wait_until="networkidle")
        album.take(page, name, whole=True)
    page.goto(house, wait_until="networkidle")
    page.get_by_role("button", name="Rules").first.click()
    page.locator("dialog .primer").wait_for()
    album.take(page, "rules")


def open_table(page: Page, house: str, game: str, *, start: bool) -> str:
    """Open a table with bots, or one that waits for friends; return its code."""
    seats = ["you", *(["open"] * 3 if not start else ["random"] * 3)]
    return open_by_api(page, house, game, seats, SHORT[game], start=start)


def tables(album: Album, one: Guest, house: str, game: str) -> None:
    """Take a table: lobby, start, scenes, text view, end and replay."""
    page = one.page
    page.goto(f"{house}/t/{open_table(page, house, game, start=False)}", wait_until="networkidle")
    album.take(page, f"{game}-lobby", whole=True)
    code = open_table(page, house, game, start=True)
    page.goto(f"{house}/t/{code}", wait_until="networkidle")
    page.locator(".move").wait_for()
    album.take(page, f"{game}-start", whole=True)
    until = time.monotonic() + SCENES_SECONDS
    for step in range(2 * STEPS):
        one.take_step(hurry=step > STEPS)
        take_scenes(album, page, game, until)
        if step == MIDDLE:
            middle(album, page, game)
        if one.is_over:
            break
    album.take(page, f"{game}-over" if one.is_over else f"{game}-late", whole=True)
    if one.is_over:
        page.goto(f"{house}/t/{code}/replay#move=9&viewer=all", wait_until="networkidle")
        album.take(page, f"{game}-replay", whole=True)


def take_scenes(album: Album, page: Page, game: str, until: float) -> None:
    """Take the scenes that are playing, each new one a moment after its beginning."""
    while time.monotonic() < until and page.locator(PLAYING).count():
        key = str(page.evaluate(SCENE))
        name = f"{game}-scene-{key.partition('.')[2]}"
        page.wait_for_timeout(SCENE_DELAY)  # no test depends on it
        if key and name not in album.taken and page.evaluate(SCENE) == key:
            album.take(page, name)


def middle(album: Album, page: Page, game: str) -> None:
    """Take the middle of a game: the table, an explanation and the text view."""
    album.take(page, f"{game}-middle", whole=True)
    piece = page.locator("[data-piece]").first
    if piece.count():
        piece.hover()
        page.wait_for_timeout(700)
        album.take(page, f"{game}-explained")
        page.mouse.move(0, 0)
        page.keyboard.press("t")
        page.locator(".board").wait_for()
        album.take(page, f"{game}-twin", whole=True)
        page.keyboard.press("t")


def shoot(browser: Browser, house: str, asked: argparse.Namespace) -> Iterator[str]:
    """Take all screenshots that are wanted; yield a line for each size and theme."""
    games = [asked.game] if asked.game else list(GAMES)
    for size, theme in itertools.product(SIZES, THEMES):
        if asked.size not in (None, size) or asked.theme not in (None, theme):
            continue
        album = Album(asked.folder, size, theme)
        one = guest(browser, {**SIZES[size], "color_scheme": theme}, seed=7)
        if not asked.game:
            pages(album, one.page, house)
            one.complaints.clear()  # one page does not exist
        for game in games:
            tables(album, one, house, game)
        one.context.close()
        yield f"{size}, {theme}: {len(album.taken)} screenshots"
        if one.complaints:
            yield "\n".join(["Errors in the console:", *one.complaints])


def main(words: Sequence[str]) -> int:
    """Take the screenshots."""
    asked = arguments().parse_args(words)
    try:
        asked.folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        print(f"shots: cannot create the folder {asked.folder}: {error.strerror}.", file=sys.stderr)
        return 2
    with (
        tempfile.TemporaryDirectory() as place,
        opened(Path(place) / "tables.db") as house,
        launched() as browser,
    ):
        for line in shoot(browser, house, asked):
            print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
