"""The label of an action, as it stands on a button."""

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

from cosca.core.errors import Param

Heading: TypeAlias = tuple[str, Mapping[str, Param]]
"""The key of a sentence and the parameters that fill it."""


class Choice(NamedTuple):
    """The label of one legal action, and the heading it is grouped under."""

    key: str
    params: Mapping[str, Param]
    group: Heading | None = None
    """A heading that similar choices share, so that it is chosen first; None if there are few."""
