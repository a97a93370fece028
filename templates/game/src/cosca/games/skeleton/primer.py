"""The rules of Skeleton on one page: which sentences apply, and their rules."""

from typing import Final

from cosca.core.errors import Param
from cosca.core.options import Settings
from cosca.core.primer import PrimerLine, PrimerSection

PRIMER: Final = (
    PrimerSection("goal", (PrimerLine("highest", ("SK-8",)),)),
    PrimerSection("turn", (PrimerLine("keep_or_swap", ("SK-2", "SK-3", "SK-4")),)),
    PrimerSection("then", (PrimerLine("each_turn", ("SK-1", "SK-6")),)),
    PrimerSection("end", (PrimerLine("show", ("SK-7",)),)),
    PrimerSection("traps", (PrimerLine("empty", ("SK-5",)),)),
)


def facts(settings: Settings, seats: int) -> dict[str, Param]:
    """Return what the sentences need besides the settings: nothing."""
    return {}
