"""`cosca new-game`: create a small, complete game from the template."""

import re
import shutil
from collections.abc import Iterator
from importlib import import_module, invalidate_caches
from keyword import iskeyword
from pathlib import Path
from typing import Any, Final, NamedTuple

import click

import cosca
from cosca import catalog
from cosca.core.dice import Dice
from cosca.core.errors import Refused
from cosca.core.game import Game
from cosca.testing.golden import format_story
from cosca.testing.traceability import rules_of
from cosca.testing.walks import TableSetup, random_walk
from cosca.words import forget, say, sentences

ROOT: Final = Path(cosca.__file__).parents[2]
"""The source tree, if Cosca runs from one."""
TEMPLATE: Final = Path("templates/game")
CATALOG: Final = Path("src/cosca/catalog.py")
GUIDE: Final = "docs/add-a-game.md"

# What the template calls its game.
TEMPLATE_NAME: Final = "skeleton"
TEMPLATE_TITLE: Final = "Skeleton"
TEMPLATE_PREFIX: Final = "SK-"

NAME: Final = re.compile(r"[a-z][a-z0-9_]{1,19}")
TITLE: Final = re.compile(r"[^\W_][\w -]{1,23}")
IMPORT: Final = re.compile(r"from cosca\.games\.\w+\.game import GAME as \w+\n")
END_OF_LIST: Final = re.compile(r"(?<=,\n)\)\nGAMES: ")
SUFFIXES: Final = (".md", ".pxd", ".py", ".toml")
STORIES: Final[tuple[tuple[int, dict[str, str]], ...]] = ((3, {}), (4, {"laps": "3"}), (5, {}))
"""Seats and house rules of the golden stories to write."""


class Plan(NamedTuple):
    """The names of a new game: in code, for people, and of its rule ids."""

    name: str
    title: str
    prefix: str

    def rename(self, text: str) -> str:
        """Replace the names of the template in a text or a path."""
        names = {
            TEMPLATE_NAME: self.name,
            TEMPLATE_TITLE: self.title,
            TEMPLATE_PREFIX: f"{self.prefix}-",
        }
        return re.sub("|".join(names), lambda there: names[there[0]], text)


@click.command()
@click.argument("name")
@click.option("--title", default=None)
def command(name: str, title: str | None) -> None:
    """Create a new game called NAME in this source tree, small but complete.

    It comes with rules, texts, a bot, passing tests and golden stories, ready for you to change.
    """
    check_source_tree()
    check_name(name)
    title = title if title is not None else name.replace("_", " ").capitalize()
    check_title(title)
    plan = Plan(name, title, free_prefix(name))
    made = create_game(plan)
    click.echo(say("new_game.made", {"title": title, "prefix": plan.prefix}))
    for path in made:
        click.echo(f"  {path.as_posix()}")
    click.echo(say("new_game.next", {"name": name, "guide": GUIDE}))


# --- Checks -----------------------------------------------------------------------------------


def check_source_tree() -> None:
    """Refuse if Cosca does not run from a source tree."""
    if not (ROOT / TEMPLATE).is_dir() or not (ROOT / CATALOG).is_file():
        raise Refused("new_game.no_source_tree")


def check_name(name: str) -> None:
    """Refuse a name that is not a valid package name, or is taken."""
    if not NAME.fullmatch(name):
        raise Refused("new_game.bad_name", name=name[:40])
    if iskeyword(name):
        raise Refused("new_game.keyword", name=name)
    spoken = {key.partition(".")[0] for key in sentences()}
    if name in spoken or hasattr(catalog, name.upper()):
        raise Refused("new_game.taken", name=name)


def check_title(title: str) -> None:
    """Refuse a title that a golden story cannot contain, or that another game has."""
    if not TITLE.fullmatch(title):
        raise Refused("new_game.bad_title", title=title[:40])
    if title in [game.title for game in catalog.GAMES.values()]:
        raise Refused("new_game.title_taken", title=title)


def free_prefix(name: str) -> str:
    """Return the first letters of a name, at least two, that no other game uses in rule ids."""
    ids = [id for game in catalog.GAMES.values() for id in rules_of(game)]
    taken = {id.partition("-")[0] for id in ids}
    letters = re.sub("[^A-Z]", "", name.upper()) + "X" * len(ids)
    return next(letters[:n] for n in range(2, len(letters)) if letters[:n] not in taken)


# --- Files ------------------------------------------------------------------------------------


def create_game(plan: Plan) -> list[Path]:
    """Write all files of a new game, or none; return their paths in the source tree."""
    files = dict(render_template(plan))
    listed = add_to_catalog((ROOT / CATALOG).read_text(encoding="utf-8"), plan)
    for path in (*files, stories_folder(plan)):
        if (ROOT / path).exists():
            raise Refused("new_game.in_the_way", path=path.as_posix())
    written: list[Path] = []
    try:
        for path, text in files.items():
            write(path, text, written)
        for path, text in stories(plan):
            write(path, text, written)
        replace_catalog(listed)
    except BaseException as error:
        remove_files(written)
        if isinstance(error, OSError):
            reason = error.strerror or type(error).__name__
            raise Refused("new_game.not_written", reason=reason) from None
        raise
    return [*(path for path in written if path.suffix), CATALOG]


def render_template(plan: Plan) -> Iterator[tuple[Path, str]]:
    """Yield the path and text of each file of the template, with the names replaced."""
    for file in sorted((ROOT / TEMPLATE).rglob("*")):
        if file.suffix in SUFFIXES:
            path = Path(plan.rename(file.relative_to(ROOT / TEMPLATE).as_posix()))
            yield path, plan.rename(file.read_text(encoding="utf-8"))


def add_to_catalog(text: str, plan: Plan) -> str:
    """Return the source of the catalog with one more game: its import in order, its entry last."""
    imports = IMPORT.findall(text)
    constant = plan.name.upper()
    if "".join(imports) not in text or not END_OF_LIST.search(text):
        raise Refused("new_game.odd_catalog", path=CATALOG.as_posix())
    more = f"from cosca.games.{plan.name}.game import GAME as {constant}\n"
    text = text.replace("".join(imports), "".join(sorted([*imports, more])))
    return END_OF_LIST.sub(lambda end: f"    {constant},\n{end[0]}", text)


def replace_catalog(text: str) -> None:
    """Replace the catalog atomically."""
    new = (ROOT / CATALOG).with_suffix(".new")
    try:
        new.write_text(text, encoding="utf-8", newline="\n")
        new.replace(ROOT / CATALOG)
    finally:
        new.unlink(missing_ok=True)


def stories_folder(plan: Plan) -> Path:
    """Return the folder of the golden stories of a game."""
    return Path("tests/golden") / plan.name


def stories(plan: Plan) -> Iterator[tuple[Path, str]]:
    """Yield golden stories: three random games by the new rules."""
    invalidate_caches()
    forget()
    game: Game[Any, Any] = import_module(f"cosca.games.{plan.name}.game").GAME
    for seats, changes in STORIES:
        settings = game.settings("", changes)
        log = random_walk(TableSetup(game, settings, seats), Dice(seats)).log
        story = f"{seats}-seats-{game.edition_of(settings)}.txt"
        yield stories_folder(plan) / story, format_story(game, settings, seats, log)


def write(path: Path, text: str, written: list[Path]) -> None:
    """Write a new file; add it and any new folders to `written`, folders first."""
    for folder in reversed(path.parents):
        if not (ROOT / folder).exists():
            (ROOT / folder).mkdir()
            written.append(folder)
    with (ROOT / path).open("x", encoding="utf-8", newline="\n") as file:
        written.append(path)
        file.write(text)


def remove_files(written: list[Path]) -> None:
    """Remove the written files and folders, with anything Python has left in them."""
    for path in reversed(written):
        if (ROOT / path).is_dir():
            shutil.rmtree(ROOT / path)
        else:
            (ROOT / path).unlink(missing_ok=True)
