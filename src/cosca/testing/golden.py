"""Golden stories: whole games as text that people can read and the rules can replay.

A story has every action in notation, below it what happened and why, and the full state whenever a
round begins. To check a story, its actions are played and it is written again: it must come out the
same.

Running `python -m cosca.testing.golden FOLDER` checks all stories of a folder; with `--retell` it
rewrites them from their actions, so that changes can be read as a diff.
"""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from cosca.catalog import GAMES
from cosca.core.game import Game
from cosca.core.names import CHANCE, Action, Seat
from cosca.core.options import Settings
from cosca.core.state import State
from cosca.match.narration import reason_text, reasons_to_show
from cosca.words import say

Step = tuple[Seat, Action]
INDENT = " " * 8
CHANCE_NAME = "chance"


def format_story(game: Game[Any, Any], settings: Settings, seats: int, log: Sequence[Step]) -> str:
    """Return the story of a game."""
    return "\n".join([*_header(game, settings, seats), *_steps(game, settings, seats, log), ""])


def _header(game: Game[Any, Any], settings: Settings, seats: int) -> Iterator[str]:
    """Yield what was played, with the options; newer ones only if they change anything."""
    yield f"{game.title}, rules {game.version}, {seats} seats, {game.edition_of(settings)}"
    yield " ".join(f"{key}={value}" for key, value in game.list_settings(settings, 1).items())


def _steps(
    game: Game[Any, Any], settings: Settings, seats: int, log: Sequence[Step]
) -> Iterator[str]:
    state = game.new(settings, seats)
    for seat, action in log:
        began = game.round(state)
        choices = len(_choices(state, seat))
        yield f"{_name(game, seat):<8}{game.format_action(state, action):<15} 1 of {choices}"
        happened = game.events(state, seat, action)
        state.apply(seat, action)
        for event, reason in zip(happened, reasons_to_show(happened), strict=True):
            text = say(event.key, event.params)
            yield INDENT + (f"{text} {reason_text(reason)}" if reason else text)
        if game.round(state) > began or state.is_over:
            yield f"\n{game.format_state(state)}\n"


def _name(game: Game[Any, Any], seat: Seat) -> str:
    return CHANCE_NAME if seat == CHANCE else say(f"{game.name}.seat.{seat}", {})


def _choices(state: State, seat: Seat) -> list[Action]:
    """Return what that seat, or chance, may do."""
    if seat == CHANCE:
        return [action for action, _ in state.chance_outcomes()] if CHANCE in state.actors() else []
    return state.legal_actions(seat)


def parse_story(text: str) -> tuple[Game[Any, Any], Settings, int, list[Step]]:
    """Return the game of a story, with its actions."""
    title, options, *lines = text.splitlines()
    name, _, rest = title.partition(", ")
    game = next(game for game in GAMES.values() if game.title == name)
    seats = int(rest.split(", ")[1].split()[0])
    settings = game.settings("", dict(word.split("=", 1) for word in options.split()))
    names = {_name(game, seat): seat for seat in (CHANCE, *range(seats))}
    state = game.new(settings, seats)
    log: list[Step] = []
    for line in lines:
        if line[:8].strip() in names:
            seat = names[line[:8].strip()]
            action = game.parse_action(state, line[8:].rpartition("1 of")[0].strip())
            if action not in _choices(state, seat):
                raise ValueError(f"illegal step: {line.strip()}")
            log.append((seat, action))
            state.apply(seat, action)
    return game, settings, seats, log


def retell(text: str) -> str:
    """Return the same story, played and written again."""
    return format_story(*parse_story(text))


def main(folder: str, *options: str) -> int:
    """Check all stories of a folder, or rewrite them; return how many differ."""
    stories = sorted(Path(folder).rglob("*.txt"))
    if not stories:
        print(f"No story found in {folder}.")
    changed = 0 if stories else 1
    for path in stories:
        story = path.read_text(encoding="utf-8")
        again = retell(story)
        if again != story:
            changed += 1
            print(f"{path.name} differs.")
            if "--retell" in options:
                path.write_text(again, encoding="utf-8")
    return changed


if __name__ == "__main__":
    sys.exit(1 if main(*sys.argv[1:]) else 0)
