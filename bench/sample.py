"""The type of a measurement."""

from collections.abc import Callable
from typing import TypeAlias

from cosca.arena.speed import Sample, clock, copies, repeat

__all__ = ["Measurement", "Sample", "clock", "copies", "repeat"]

Measurement: TypeAlias = Callable[[float], Sample]
"""Measures for about that many seconds. Set-up is not counted."""
