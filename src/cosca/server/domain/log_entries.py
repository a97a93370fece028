"""The entries of a table's event log. Everything else about a table is computed from them.

The log never leaves the store, because it holds the seed of the dice. It is append-only, and the
meaning of an entry never changes: a new meaning is a new kind of entry.
"""

from typing import Final, Literal, TypeAlias

import msgspec
from msgspec import Struct

FORMAT: Final = 2
"""The format of the log and of the deal of new tables; a log of a later format is refused.

Tables of format 1 are played to their end in that format: their browsers added to the dice without
a commitment (`Stirred`).
"""


class Entry(Struct, kw_only=True, tag_field="line", omit_defaults=True):
    """Something that happened at a table. Fields with a default are omitted when they have it."""

    at: int
    """The date, in milliseconds since 1970. Dates never go back; clocks are computed from them."""


class Opened(Entry, tag="opened"):
    """The first entry: the game, its settings and the time limits."""

    format: int
    code: str
    game: str
    rules: int
    settings: dict[str, int | str]
    seats: list[str]
    """The bot that has each seat; empty where it is open."""
    host: str
    """The hash of the token of the host's browser."""
    seed: str
    """The seed of the sealed dice, in hex. Its hash is published at once, the seed at the end."""
    pace: Literal["live", "relaxed", "days"] = "relaxed"
    move: int = 0
    """Milliseconds for each decision."""
    bank: int = 0
    """Milliseconds each seat has for the whole game, for decisions that take longer."""
    listed: bool = False
    """Whether the table is listed on the first page while it is played."""
    spectator_chat: bool = False
    """Whether spectators may read the chat."""


class Sat(Entry, tag="sat"):
    """Somebody has taken an open seat."""

    seat: int
    name: str
    owner: str
    """The hash of the token of that browser."""
    key: str
    """The hash of the token in the seat's own link."""


class Claimed(Entry, tag="claimed"):
    """Somebody has come back to a seat by its own link, with another browser."""

    seat: int
    owner: str


class Freed(Entry, tag="freed"):
    """A seat is open again."""

    seat: int


class Filled(Entry, tag="filled"):
    """A bot has taken an open seat, or plays for somebody who is gone."""

    seat: int
    bot: str
    until_back: bool = False
    """Whether the person gets the seat back by coming to the table."""


class Expelled(Entry, tag="expelled"):
    """Somebody was removed from a game in progress, and a bot has the seat for good."""

    seat: int
    bot: str


class TakenBack(Entry, tag="taken_back"):
    """Somebody has taken their seat back from a bot."""

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
    """All contributions are in or their time is over; the cards are dealt."""

    bot: str = ""
    """The bot that plays, for the whole game, for those who committed and revealed nothing."""


class Moved(Entry, tag="moved"):
    """A seat has taken some steps. The answers of chance follow from the dice."""

    seat: int
    actions: list[int]


class Overdue(Entry, tag="overdue"):
    """Somebody's time has run out: the timeout action was taken, and a bot plays on."""

    seat: int
    actions: list[int]
    bot: str


class Woken(Entry, tag="woken"):
    """No server ran for a while: that time is refunded on all clocks."""

    alive: int | None = None
    """When a server last ran before that: the time since then is refunded. Logs of the first
    release do not have it; there each decision in progress starts again with its full time."""


class Proposed(Entry, tag="proposed"):
    """Somebody proposes something that all people at the table must agree to."""

    seat: int
    what: Literal["pause", "takeback"]


class Answered(Entry, tag="answered"):
    """Somebody agrees to the proposal, or refuses it."""

    seat: int
    agrees: bool


class Resumed(Entry, tag="resumed"):
    """Somebody ends a pause."""

    seat: int


class Spoken(Entry, tag="spoken"):
    """Somebody has sent a chat message."""

    seat: int
    text: str


class PrivacySet(Entry, tag="privacy_set"):
    """The host has changed whether the table is listed, and who may read new chat messages."""

    listed: bool
    spectator_chat: bool


class Continued(Entry, tag="continued"):
    """A rematch was opened at another table."""

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


def listed_by(entry: LogEntry) -> bool | None:
    """Return whether an entry lists its table on the first page or not; None if it does neither."""
    return entry.listed if isinstance(entry, Opened | PrivacySet) else None


encode_entry = msgspec.json.Encoder().encode
_decoder: msgspec.json.Decoder[LogEntry] = msgspec.json.Decoder(LogEntry)
decode_entry = _decoder.decode
