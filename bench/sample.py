"""One measurement, ours or a peer's."""

from collections.abc import Callable
from typing import TypeAlias

from cosca.arena.speed import Sample, clock, copies, repeat

__all__ = ["Measurement", "Sample", "clock", "copies", "repeat"]

Measurement: TypeAlias = Callable[[float], Sample]
"""Measures for about that many seconds. Setting up costs extra and is not counted."""
