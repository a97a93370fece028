"""An action as a person finds it among others: what stands on its button."""

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

from cosca.core.errors import Param

Heading: TypeAlias = tuple[str, Mapping[str, Param]]
"""A key, and what fills it."""


class Choice(NamedTuple):
    """One thing that may be done now, in a few words, and under which heading it stands."""

    key: str
    params: Mapping[str, Param]
    group: Heading | None = None
    """What alike choices have in common, so that it is chosen first; nothing where they are few."""
