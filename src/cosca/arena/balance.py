"""The house rules to compare: every edition, and every option changed by itself."""

from collections.abc import Mapping
from typing import Any

from cosca.core.game import Game
from cosca.core.options import Setting

Variants = dict[str, dict[str, Setting]]
"""Settings by a name that also works as a folder name: `english`, or `control=most`."""


def variants(game: Game[Any, Any], edition: str, changes: Mapping[str, str]) -> Variants:
    """Return the given edition, then the others, then each option of it with each other value.

    The host's changes apply to all of them, and options that are a range of numbers are not varied.
    """
    edition = edition or next(iter(game.editions))
    by_name: Variants = {edition: dict(game.settings(edition, changes))}
    base = by_name[edition]
    for other in game.editions:
        _add(by_name, other, dict(game.settings(other, changes)))
    for option in game.options:
        if option.key not in changes and not isinstance(option.values, range):
            for value in option.values:
                _add(by_name, f"{option.key}={value}", {**base, option.key: value})
    return by_name


def _add(by_name: Variants, name: str, settings: dict[str, Setting]) -> None:
    """Add settings unless they are already there under another name."""
    if settings not in by_name.values():
        by_name[name] = settings
