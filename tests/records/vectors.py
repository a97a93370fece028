"""The test vectors of docs/records.md, read from the page."""

import re
from dataclasses import dataclass
from pathlib import Path

RECORDS = Path(__file__).parents[2] / "docs" / "records.md"


@dataclass(frozen=True)
class Vectors:
    """The vectors of one format."""

    text: str

    def hash_of(self, name: str) -> str:
        """Return the one hash behind a name."""
        (found,) = re.findall(rf"\b{name}\s+`?([0-9a-f]{{64}})\b", self.text)
        return str(found)

    @property
    def draws(self) -> list[tuple[str, int, int, int]]:
        """Return the draws: purpose, index, among, and the number drawn."""
        rows = re.findall(r"^\| (\w+) \| (\d+) \| (\d+) \| (\d+) \|$", self.text, re.MULTILINE)
        return [(purpose, int(index), int(n), int(roll)) for purpose, index, n, roll in rows]


def read_vectors() -> tuple[Vectors, Vectors]:
    """Return the vectors of format 2 and those of format 1."""
    second, first = RECORDS.read_text(encoding="utf-8").split("## Format 1\n")
    return Vectors(second), Vectors(first)
