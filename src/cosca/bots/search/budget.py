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
    simulations: int | None = None
    cores: int = 1

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
