"""How long a search may take: in seconds, in simulations, and on how many cores."""

import math
import os
from dataclasses import dataclass

from cosca.core.errors import Refused

LONGEST = 3600.0
MOST = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Budget:
    """What a search may spend on one decision; the first limit reached ends it."""

    seconds: float | None = None
    """How long to think, by the clock of the bot."""
    simulations: int | None = None
    """How many simulations to run; with these alone the answer is the same on any machine."""
    cores: int = 1
    """How many processes to use."""

    def __post_init__(self) -> None:
        if self.seconds is None and self.simulations is None:
            raise Refused("budget_missing")
        if self.seconds is not None and not 0 < self.seconds <= LONGEST:
            raise Refused(
                "budget_seconds", seconds=_format_seconds(self.seconds), most=int(LONGEST)
            )
        if self.simulations is not None and not 0 < self.simulations <= MOST:
            raise Refused("budget_simulations", simulations=self.simulations, most=MOST)
        most = os.cpu_count() or 1
        if not 0 < self.cores <= most:
            raise Refused("budget_cores", cores=self.cores, most=most)


def _format_seconds(seconds: float) -> str:
    return f"{seconds:g}" if math.isfinite(seconds) else str(seconds)
