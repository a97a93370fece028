"""Which house rules there are to compare: every edition, and every option changed by itself."""

from collections.abc import Mapping
from typing import Any

from cosca.core.game import Game
from cosca.core.options import Setting

Variants = dict[str, dict[str, Setting]]
"""House rules by a name that is also one of a folder: `english`, or `control=most`."""


def variants(game: Game[Any, Any], edition: str, changes: Mapping[str, str]) -> Variants:
    """The edition asked for, then the others, then each option of it with each other value.

    What the host has set stays set, and options that are a range of numbers stay as they are.
    """
    edition = edition or next(iter(game.editions))
    found: Variants = {edition: dict(game.settings(edition, changes))}
    base = found[edition]
    for other in game.editions:
        _add(found, other, dict(game.settings(other, changes)))
    for option in game.options:
        if option.key not in changes and not isinstance(option.values, range):
            for value in option.values:
                _add(found, f"{option.key}={value}", {**base, option.key: value})
    return found


def _add(found: Variants, name: str, settings: dict[str, Setting]) -> None:
    """One more, unless it is there under another name."""
    if settings not in found.values():
        found[name] = settings
