"""`./run shots FOLDER`: pictures of every page and scene, on desk and phone, by day and by night.

    ./run shots pictures                                  all of them, some minutes
    ./run shots pictures --game vendetta --size phone --theme dark

A scene is one that a drawing names: the first time it is played in a game, it is taken.
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

SIZES: Final[dict[str, dict[str, Any]]] = {"desk": DESK, "phone": PHONE}
THEMES: Final = {"light": "light", "dark": "dark"}
SHORT: Final = {"vendetta": {"max_rounds": "2"}, "omerta": {"games": "1"}, "sicilianos": {}}
STEPS: Final = 160
"""So often a game is clicked on, to meet its scenes; and as often the end is asked for."""
MIDDLE: Final = 8
WATCHED: Final = 60.0
"""Seconds in which the scenes of a game are waited for."""
INTO: Final = 200
"""Milliseconds into a scene, for its picture."""
PLAYING: Final = ".stage[data-playing]"
SCENE: Final = "() => document.querySelector('.picture')?.dataset.scene ?? ''"


class Arguments(argparse.ArgumentParser):
    """Answers what it cannot read with one sentence."""

    def error(self, message: str) -> NoReturn:
        """Say it and leave with 2."""
        self.exit(2, f"{self.prog}: {message}; --help tells what can be asked.\n")


def arguments() -> Arguments:
    """What can be asked for."""
    parser = Arguments(prog="shots", description="Pictures of every page and scene.")
    parser.add_argument("folder", type=Path, help="where they go")
    parser.add_argument("--game", choices=sorted(GAMES), help="only the tables of this game")
    parser.add_argument("--size", choices=sorted(SIZES), help="only this size")
    parser.add_argument("--theme", choices=sorted(THEMES), help="only by day, or by night")
    return parser


class Album:
    """Where the pictures of one size and theme go."""

    def __init__(self, folder: Path, size: str, theme: str) -> None:
        self.folder = folder
        self.ending = f"{size}-{theme}.png"
        self.taken: set[str] = set()

    def take(self, page: Page, name: str, *, whole: bool = False) -> None:
        """One picture, of what is seen or of the whole page; each name once."""
        if name in self.taken:
            return
        self.taken.add(name)
        page.screenshot(path=self.folder / f"{name}-{self.ending}", full_page=whole)


def pages(album: Album, page: Page, house: str) -> None:
    """What there is beside the tables."""
    for name, path in (("home", "/"), ("new", "/new"), ("join", "/join"), ("nowhere", "/no/where")):
        page.goto(f"{house}{path}", wait_until="networkidle")
        album.take(page, name, whole=True)
    page.goto(house, wait_until="networkidle")
    page.get_by_role("button", name="Rules").first.click()
    page.locator("dialog .prose").wait_for()
    album.take(page, "rules")


def open_table(page: Page, house: str, game: str, *, start: bool) -> str:
    """A table of that game with bots, or one that waits for friends."""
    seats = ["you", *(["open"] * 3 if not start else ["random"] * 3)]
    return open_by_api(page, house, game, seats, SHORT[game], start=start)


def tables(album: Album, one: Guest, house: str, game: str) -> None:
    """A table of a game: lobby, start, scenes, text twin, the end, and the replay."""
    page = one.page
    page.goto(f"{house}/t/{open_table(page, house, game, start=False)}", wait_until="networkidle")
    album.take(page, f"{game}-lobby", whole=True)
    code = open_table(page, house, game, start=True)
    page.goto(f"{house}/t/{code}", wait_until="networkidle")
    page.locator(".move").wait_for()
    album.take(page, f"{game}-start", whole=True)
    until = time.monotonic() + WATCHED
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
    """The scenes that play now, each new one a while after it began."""
    while time.monotonic() < until and page.locator(PLAYING).count():
        key = str(page.evaluate(SCENE))
        name = f"{game}-scene-{key.partition('.')[2]}"
        page.wait_for_timeout(INTO)  # for a picture: nothing is judged by it
        if key and name not in album.taken and page.evaluate(SCENE) == key:
            album.take(page, name)


def middle(album: Album, page: Page, game: str) -> None:
    """In the middle of a game: the table, an explanation, and the text twin."""
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
    """All that is asked for; tells what it has done."""
    games = [asked.game] if asked.game else list(GAMES)
    for size, theme in itertools.product(SIZES, THEMES):
        if asked.size not in (None, size) or asked.theme not in (None, theme):
            continue
        album = Album(asked.folder, size, theme)
        one = guest(browser, {**SIZES[size], "color_scheme": theme}, seed=7)
        if not asked.game:
            pages(album, one.page, house)
            one.complaints.clear()  # one of them is nowhere
        for game in games:
            tables(album, one, house, game)
        one.context.close()
        yield f"{size}, {theme}: {len(album.taken)} pictures"
        if one.complaints:
            yield "\n".join(["the console complains:", *one.complaints])


def main(words: Sequence[str]) -> int:
    """Take the pictures."""
    asked = arguments().parse_args(words)
    try:
        asked.folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        print(f"shots: {asked.folder} cannot be a folder: {error.strerror}.", file=sys.stderr)
        return 2
    with (
        tempfile.TemporaryDirectory() as place,
        opened(Path(place) / "tables.db") as house,
        launched() as browser,
    ):
        for told in shoot(browser, house, asked):
            print(told, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
