"""One measurement: how many things were done, and how long that took."""

from collections.abc import Callable
from time import process_time
from typing import TypeAlias

Sample: TypeAlias = tuple[int, float]
"""How many decisions (or copies), and the seconds they took."""

Measurement: TypeAlias = Callable[[float], Sample]
"""Measures for about that many seconds. Setting up costs extra and is not counted."""

# Processor time, not the clock on the wall: everything measured here works on one core and never
# waits, so what another program takes from that core is no part of it.
clock = process_time


def repeat(batch: Callable[[], Sample], seconds: float) -> Sample:
    """Do a batch again and again until that much time has been measured."""
    count, spent = 0, 0.0
    while spent < seconds:
        more, took = batch()
        count += more
        spent += took
    return count, spent


def copies(copy: Callable[[], object], seconds: float) -> Sample:
    """Copy a state many times over; each copy is thrown away at once."""

    def batch() -> Sample:
        began = clock()
        for _ in range(10_000):
            copy()
        return 10_000, clock() - began

    return repeat(batch, seconds)
