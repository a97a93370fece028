"""The log of a table: its lines, of which everything else is a fold.

Lines are for the store alone: they hold the seed of the dice. They are only ever added to, and what
a line means never changes: a new meaning is a new line.
"""

from typing import Final, Literal, TypeAlias

import msgspec
from msgspec import Struct

FORMAT: Final = 2
"""Of the lines and of the deal of new tables; a log of a later format is refused.

Tables of format 1 go on to their end as they began: their browsers added to the dice without a
commitment (`Stirred`).
"""


class Entry(Struct, kw_only=True, tag_field="line", omit_defaults=True):
    """Something that has happened to a table. What came later is written only where it is used."""

    at: int
    """When, in milliseconds since 1970: for people to read, never for a decision."""


class Opened(Entry, tag="opened"):
    """The first line: what was agreed."""

    format: int
    code: str
    game: str
    rules: int
    settings: dict[str, int | str]
    seats: list[str]
    """The bot that has each seat; empty where it is open."""
    host: str
    """The hash of what only the host's browser knows."""
    seed: str
    """Of the sealed dice, in hex. Its hash is published at once, itself at the end."""
    pace: Literal["live", "relaxed", "days"] = "relaxed"
    move: int = 0
    """Milliseconds for each decision, and, once in all, for those that take longer."""
    bank: int = 0
    listed: bool = False
    """Whether anybody finds the table on the first page while it is played."""
    spectator_chat: bool = False
    """Whether spectators may read what is said."""


class Sat(Entry, tag="sat"):
    """Somebody has taken an open seat."""

    seat: int
    name: str
    owner: str
    """The hash of what only that browser knows."""
    key: str
    """The hash of what stands in the seat's own link."""


class Claimed(Entry, tag="claimed"):
    """Somebody has come back to a seat by its own link, with another browser."""

    seat: int
    owner: str


class Freed(Entry, tag="freed"):
    """A seat is open again."""

    seat: int


class Filled(Entry, tag="filled"):
    """A bot has an open seat, or keeps the seat of somebody who is gone."""

    seat: int
    bot: str
    until_back: bool = False
    """Whether the person has the seat back by coming to the table."""


class Expelled(Entry, tag="expelled"):
    """Somebody was sent away from a game in progress, and a bot has the seat for good."""

    seat: int
    bot: str


class TakenBack(Entry, tag="taken_back"):
    """Somebody has the own seat back from a bot."""

    seat: int


class Stirred(Entry, tag="stirred"):
    """A browser has added to the dice of a table of format 1."""

    seat: int
    entropy: str


class Committed(Entry, tag="committed"):
    """A person's browser has sent the hash of the bytes that it will contribute to the deal."""

    seat: int
    commitment: str


class CommitmentsClosed(Entry, tag="commitments_closed"):
    """No commitment is accepted any more; those who sent one reveal their bytes now."""


class Revealed(Entry, tag="revealed"):
    """A browser has revealed the bytes behind its commitment."""

    seat: int
    contribution: str


class Started(Entry, tag="started"):
    """The host has begun the game. Seats that are still open go to that bot."""

    bot: str


class Dealt(Entry, tag="dealt"):
    """All contributions are in or their time is over; the first card may fall."""

    bot: str = ""
    """Plays for the whole game the seats of those who committed and revealed nothing."""


class Moved(Entry, tag="moved"):
    """A seat has done some steps. What chance answers follows from the dice."""

    seat: int
    actions: list[int]


class Overdue(Entry, tag="overdue"):
    """Somebody's time has run out: what is done then is done, and a bot keeps the seat."""

    seat: int
    actions: list[int]
    bot: str


class Woken(Entry, tag="woken"):
    """The house was closed for a while, which counts on nobody's clock."""

    alive: int | None = None
    """When a house last ran before that: only the time since then is given back. Logs of the first
    release do not have it: there everybody begins to think anew."""


class Proposed(Entry, tag="proposed"):
    """Somebody proposes something that all people at the table must agree to."""

    seat: int
    what: Literal["pause", "takeback"]


class Answered(Entry, tag="answered"):
    """Somebody agrees to what was proposed, or does not."""

    seat: int
    agrees: bool


class Resumed(Entry, tag="resumed"):
    """Somebody ends a pause."""

    seat: int


class Spoken(Entry, tag="spoken"):
    """Somebody has said something."""

    seat: int
    text: str


class PrivacySet(Entry, tag="privacy_set"):
    """The host has decided anew who finds the table, and who reads what is said from now on."""

    listed: bool
    spectator_chat: bool


class Continued(Entry, tag="continued"):
    """It goes on at another table."""

    code: str


LogEntry: TypeAlias = (
    Opened
    | Sat
    | Claimed
    | Freed
    | Filled
    | Expelled
    | TakenBack
    | Stirred
    | Committed
    | CommitmentsClosed
    | Revealed
    | Started
    | Dealt
    | Moved
    | Overdue
    | Woken
    | Proposed
    | Answered
    | Resumed
    | Spoken
    | PrivacySet
    | Continued
)


def listed_by(line: LogEntry) -> bool | None:
    """Return whether a line shows its table on the first page or hides it; None for neither."""
    return line.listed if isinstance(line, Opened | PrivacySet) else None


encode_entry = msgspec.json.Encoder().encode
_lines: msgspec.json.Decoder[LogEntry] = msgspec.json.Decoder(LogEntry)
decode_entry = _lines.decode
