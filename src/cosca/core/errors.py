"""What is said when something asked for cannot be. The sentences stand in the language files."""

from functools import partial
from typing import TypeAlias

Param: TypeAlias = int | str
"""What a sentence can be filled with."""


class Refused(Exception):
    """A wish that cannot be granted: a key for the sentence, and what fills it."""

    def __init__(self, key: str, **params: Param) -> None:
        super().__init__(key, params)
        self.key = key
        self.params = params

    def __reduce__(self) -> "tuple[object, ...]":
        """As it travels from one process to another: what fills the sentence has names."""
        return partial(Refused, self.key, **self.params), ()

    def __str__(self) -> str:
        told = ", ".join(f"{name}={value!r}" for name, value in self.params.items())
        return f"{self.key}({told})"
