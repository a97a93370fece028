"""The primer: the rules of a game on one page in plain words, for one table's settings.

Its sentences are in the texts of the game, under `[primer]`; here is which of them apply when, and
which rules of the rulebook each of them sums up.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from cosca.core.options import Setting, Settings

Values: TypeAlias = Mapping[str, Sequence[Setting]]
"""Some values of some options, by the key of the option."""

SECTIONS: Final = ("goal", "turn", "then", "end", "traps")
"""The sections of every primer, in order."""


@dataclass(frozen=True, slots=True)
class PrimerLine:
    """A sentence or two of a primer."""

    key: str
    """The key of its text, under `[primer]`."""
    rules: Sequence[str]
    """The ids of the rules it sums up."""
    when: Values = field(default_factory=dict)
    """It applies only if each of these options has one of these values."""
    unless: Values = field(default_factory=dict)
    """It does not apply if one of these options has one of these values."""

    def applies(self, settings: Settings) -> bool:
        """Return whether it holds at a table with these settings."""
        return all(settings[key] in values for key, values in self.when.items()) and not any(
            settings[key] in values for key, values in self.unless.items()
        )


@dataclass(frozen=True, slots=True)
class PrimerSection:
    """A part of a primer, such as what you do on your turn."""

    name: str
    """One of `SECTIONS`."""
    lines: Sequence[PrimerLine]
