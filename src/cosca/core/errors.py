"""Refusals: what is wrong with a request, as the key of a sentence in the language files."""

from functools import partial
from typing import TypeAlias

Param: TypeAlias = int | str
"""A parameter that fills a sentence."""


class Refused(Exception):
    """A request that cannot be granted: the key of a sentence that says why, and parameters."""

    def __init__(self, key: str, **params: Param) -> None:
        super().__init__(key, params)
        self.key = key
        self.params = params

    def __reduce__(self) -> "tuple[object, ...]":
        """Support pickling: parameters have names, which the default would lose."""
        return partial(Refused, self.key, **self.params), ()

    def __str__(self) -> str:
        params = ", ".join(f"{name}={value!r}" for name, value in self.params.items())
        return f"{self.key}({params})"
