"""House rules as data: the options of a game and their possible values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from cosca.core.errors import Refused

Setting: TypeAlias = int | str
"""The value of one option."""

Settings: TypeAlias = Mapping[str, Setting]
"""The value of every option of a game, by the key of the option; `Game.settings` makes them."""

AIDED: Final = ("memory", "aided")
"""The option and value with which a table shows what a player has seen before."""

SEALED: Final = ("reactions", "sealed")
"""The option and value with which all answer in secret instead of the fastest reaction winning."""

HOUSE: Final = "house"
"""The edition of a table whose host has changed a setting."""


@dataclass(frozen=True, slots=True)
class Option:
    """One setting a host can change, with its possible values; the first is the default."""

    key: str
    """Its name in commands and records."""
    values: Sequence[Setting]
    """What it can be set to, the default first."""
    since: int = 1
    """The first record format that always lists this option.

    In an older record an option that is not listed has its default. So the default of an option
    added later must be what the game did before.
    """

    @property
    def default(self) -> Setting:
        """Return the value used when neither edition nor host sets another."""
        return self.values[0]

    def parse(self, text: str) -> Setting:
        """Return the value for what a host has typed, or refuse it."""
        for value in self.values:
            if str(value) == text:
                return value
        raise self._refused(text)

    def check(self, value: Setting) -> None:
        """Refuse a value this option does not have."""
        if value not in self.values:
            raise self._refused(str(value))

    def _refused(self, text: str) -> Refused:
        return Refused("bad_value", option=self.key, value=text, values=self.format_values())

    def format_values(self) -> str:
        """Return the possible values as a host reads them."""
        if isinstance(self.values, range):
            return f"{self.values[0]}..{self.values[-1]}"
        return ", ".join(str(value) for value in self.values)


def no_contradiction(settings: Settings, seats: int) -> None:
    """Accept all settings, for a game whose options work in every combination."""
