"""The values that callers hand to the store and get back from it."""

from dataclasses import dataclass
from typing import NamedTuple


class Collision(Exception):
    """Another process was first: read the log again and decide again."""


@dataclass(frozen=True, slots=True)
class NewEntry:
    """A log entry to append at a fixed place."""

    code: str
    seq: int
    command_id: str
    """The idempotency key of the command that caused the entry; unique in its table."""
    digest: str
    """A hash of that command: the same id with another digest is another command."""
    body: bytes
    owner: str = ""
    """The owner who gets a seat by this entry, if any."""
    at: int = 0
    """Milliseconds since 1970."""
    listed: bool | None = None
    """Whether the table is listed on the first page from now on; None if that does not change."""


class StoredEntry(NamedTuple):
    """A log entry as it was appended."""

    command_id: str
    digest: str
    body: bytes


@dataclass(frozen=True, slots=True)
class StoredTable:
    """A table without its log."""

    code: str
    game: str
    stage: str
    touched: int = 0
    """The time of the last activity, accurate to an hour."""
    summary: bytes = b""
    """What lists show of the table, as it was after `summary_length` log entries."""
    summary_format: int = 0
    summary_length: int = 0
    length: int = 0
    """The number of log entries."""


@dataclass(frozen=True, slots=True)
class StoredSummary:
    """What lists show of a table, so that nobody has to read its log."""

    code: str
    game: str
    stage: str
    at: int
    """The time of the last activity."""
    summary: bytes = b""
    summary_format: int = 0
    summary_length: int = 0


@dataclass(frozen=True, slots=True)
class ClockJump:
    """How far the wall clock has jumped, in milliseconds."""

    by: int
    """The jump just seen: below 0 if backwards, 0 if none."""
    skipped: int
    """The sum of all jumps: time in the past that never really passed."""
    jumped: int
    """The date of the last jump; 0 if there was none."""
