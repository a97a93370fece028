"""House rules as data: what may be set at a table, and to what."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from cosca.core.errors import Refused

Setting: TypeAlias = int | str
"""The value of one option."""

Settings: TypeAlias = Mapping[str, Setting]
"""The value of every option of a game, by the key of the option; `Game.settings` makes them."""

AIDED: Final = ("memory", "aided")
"""The option, and its value, by which a table shows what a player has seen before."""

SEALED: Final = ("reactions", "sealed")
"""The option, and its value, by which all answer unseen where else the fastest hand would count."""

HOUSE: Final = "house"
"""The edition of a table whose host has set something otherwise."""


@dataclass(frozen=True, slots=True)
class Option:
    """One thing a host may set, and the values it may have; the first is the default."""

    key: str
    values: Sequence[Setting]
    since: int = 1
    """The first format of records that always lists this option.

    In an older record an option that is not listed is at its default. So the default of an option
    that comes later is what the game did before.
    """

    @property
    def default(self) -> Setting:
        """What holds when neither edition nor host says otherwise."""
        return self.values[0]

    def parse(self, text: str) -> Setting:
        """The value a host has typed."""
        for value in self.values:
            if str(value) == text:
                return value
        raise self._refused(text)

    def check(self, value: Setting) -> None:
        """Refuse a value this option cannot have."""
        if value not in self.values:
            raise self._refused(str(value))

    def _refused(self, text: str) -> Refused:
        return Refused("bad_value", option=self.key, value=text, values=self.format_values())

    def format_values(self) -> str:
        """The possible values as a host may read them."""
        if isinstance(self.values, range):
            return f"{self.values[0]}..{self.values[-1]}"
        return ", ".join(str(value) for value in self.values)


def no_contradiction(settings: Settings, seats: int) -> None:
    """For a game whose options go together in every way, with any number of seats."""
