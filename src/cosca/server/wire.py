"""What is said between a browser and the house: every message, and how it looks as JSON.

The client's types are made from these (`python -m cosca.server.http.typescript`);
`docs/protocol.md` tells how they go together. Nothing here knows a game. What a frame may contain
is checked as it is read.
"""

from typing import Any, Final, Literal, TypeAlias, TypeVar

import msgspec
from msgspec import Struct

from cosca.core import errors
from cosca.server.domain import commands
from cosca.server.domain.chat import Said
from cosca.words import say

T = TypeVar("T")

PROTOCOL: Final = 2
"""The version of everything in this module. 1 was Cosca 0.1.0, which did not name it."""
FRAME_BYTES: Final = 8192
"""The longest frame a socket may send."""


# --- What a socket gets ---------------------------------------------------------------------------


class Seated(Struct, kw_only=True, frozen=True):
    """Who has a seat."""

    seat_name: str
    """The name of the seat in this game, such as "Red"."""
    kind: Literal["open", "person", "bot"]
    name: str
    """The person's name, or the bot's."""
    bot: str = ""
    """The bot that plays: at a bot's seat, or for a person who is gone."""
    present: bool = False
    """Whether the person has the table open now."""


class Contributed(Struct, kw_only=True, frozen=True, omit_defaults=True):
    """What a seat has contributed to the deal."""

    status: Literal["waiting", "committed", "revealed", "withheld", "silent", "bot"]
    commitment: str = ""
    """The hash that the seat has sent first; empty where it has sent none."""


class Proposal(Struct, kw_only=True, frozen=True):
    """What somebody proposes, and who has agreed."""

    what: Literal["pause", "takeback"]
    seat: int
    agreed: list[int]
    asked: list[int]
    """Who has not answered yet."""


class Room(Struct, kw_only=True, frozen=True):
    """A table as everybody who knows its code may see it."""

    code: str
    game: str
    title: str
    edition: str
    options: dict[str, int | str]
    stage: commands.Stage
    seats: list[Seated]
    you: int
    """Your seat; -2 for spectators."""
    host: bool
    """Whether you are the host."""
    seal: str
    """The hash of the seed of the house, which was chosen before anybody sent anything."""
    dealing: Literal["", "commit", "reveal"]
    """What browsers are to send now, before the first card; empty before that and after it."""
    contributions: list[Contributed]
    """Of each seat, from the beginning of the deal on; empty before it."""
    taken_back: list[int]
    """To how many steps the game went back each time a move was taken back."""
    rematch: str
    """The code of the table at which it goes on; empty while there is none."""
    pace: Literal["live", "relaxed", "days"]
    move_seconds: int
    """For each decision; 0 where there are no clocks."""
    bank_seconds: int
    paused: bool
    proposal: Proposal | None
    listed: bool
    """Whether anybody finds the table on the first page while it is played."""
    spectator_chat: bool
    """Whether spectators may read what is said from now on."""
    watchers: int
    """How many people without a seat have the table open; told to players and the host only."""


class Timer(Struct, kw_only=True, frozen=True):
    """The clock of somebody who may act, in milliseconds of the house (see Ping)."""

    seat: int
    move_until: int
    """When the time for this decision is over, and that of the bank begins."""
    until: int
    """When all time is over."""


class Choice(Struct, frozen=True):
    """One step that may be taken now."""

    action: int
    text: str
    group: str = ""
    """The heading under which alike choices stand; empty where there is none."""
    name: str = ""
    """What kind of step it is: the last word of its key, as `men` of `vendetta.choice.men`."""
    params: dict[str, int | str] = {}
    """The pieces it concerns: what fills the text and the heading."""


class Cell(Struct, array_like=True, frozen=True):
    """Some text in a style, or in several words of style."""

    text: str
    style: str = ""


class Grid(Struct, frozen=True):
    """A table of the text table: a caption, headings, rows whose first cell is their heading."""

    caption: str
    head: list[str]
    rows: list[list[Cell]]


class TextView(Struct, kw_only=True, frozen=True, tag_field="kind", tag="text"):
    """What a seat sees now, in words, and the position that they tell of, to draw it from."""

    round: str
    """As "Round 3"; empty before the first."""
    actors: list[int]
    question: str
    """What you have to decide; empty when others act."""
    grids: list[Grid]
    notes: list[str]
    choices: list[Choice]
    """The first steps you may take now."""
    position: dict[str, Any]
    """The same as in a `DataView`."""
    sights: list["Event"]
    """What you are shown, and will have to remember after your next move."""
    reaction_seconds: float
    """How many seconds you have to react; 0 where speed does not count."""
    clocks: list[Timer]
    """Of those who may act, where there are clocks and no pause."""
    result: str
    """Who has won, and why; empty while it goes on."""


class DataView(Struct, kw_only=True, frozen=True, tag_field="kind", tag="data"):
    """What a seat sees now, as data, for programs."""

    actors: list[int]
    position: dict[str, Any]
    sights: list["Event"]
    reaction_seconds: float
    clocks: list[Timer]
    result: str


class Event(Struct, kw_only=True, frozen=True, omit_defaults=True):
    """Something that happened, and what fills its sentence; the sentence is for people only."""

    key: str
    text: str = ""
    params: dict[str, int | str] = {}


class Link(Struct, kw_only=True, frozen=True):
    """A link of the hash chain of the record: it binds the house to all steps so far."""

    step: int
    """After how many steps it is the newest; 0 before the first."""
    chain: str


class Message(Struct, kw_only=True, tag_field="type"):
    """Something the house tells."""


class Sync(Message, tag="sync", kw_only=True):
    """Everything you may know: the first message of every connection."""

    protocol: int = PROTOCOL
    room: Room
    view: TextView | DataView | None
    """None until the first card."""
    events: list[Event]
    chat: list[Said]
    link: Link | None
    """The newest that is published: none while several decide in secret. None before the deal."""


class Update(Message, tag="update", omit_defaults=True):
    """What has changed since the message before: new room and view, and what came to the lists."""

    room: Room | None = None
    view: TextView | DataView | None = None
    events: list[Event] = []
    chat: list[Said] = []
    link: Link | None = None


class Done(Message, tag="done"):
    """The command is written down, for good."""

    id: str
    code: str = ""
    """Of the table a rematch has opened."""


class Refused(Message, tag="refused"):
    """The command cannot be granted, and nothing has changed."""

    id: str
    key: str
    text: str
    rule: str = ""
    """The id of the rule that it comes from; empty where it is none of the game's."""


class Preview(Message, tag="preview"):
    """What the table would look like after some steps. Nothing has happened."""

    id: str
    actions: list[int]
    text: str
    """The move so far, as it would be typed."""
    move: list[str | int]
    """The same as data, a verb and numbers: a drawing can go on from it (see `PreviewMove`)."""
    complete: bool
    """Whether these steps are a whole move that can be sent now."""
    view: TextView | DataView
    """With what could come next as its choices."""


class Suggestion(Struct, frozen=True):
    """A whole move worth a thought."""

    actions: list[int]
    text: str
    win_chance: float
    """The share of the victory that it promises, from 0 to 1."""
    visits: int
    """How often the search visited it."""


class ExpectedMove(Struct, frozen=True):
    """A move of the principal variation."""

    seat: int
    text: str


class HintAnswer(Message, tag="hint"):
    """What the consigliere advises, from what the seat knows."""

    id: str
    moves: list[Suggestion]
    """Best first; none if the table has gone on meanwhile."""
    reason: str
    """One sentence on why the first is best."""
    principal_variation: list[ExpectedMove]
    """That move, and what may follow in one of the worlds that could be true."""


class Pong(Message, tag="pong"):
    """What time it is in the house, in milliseconds since 1970."""

    id: str
    now: int


class Latency(Message, tag="latency"):
    """The measured round trip to the browser of each seat."""

    milliseconds: list[int | None]
    """None for bots and for people who are not present."""


class Reaction(Struct, frozen=True):
    """Who reacted in a window that is over, and how many milliseconds the person took."""

    seat: int
    took_ms: int


class Reactions(Message, tag="reactions"):
    """Who reacted in the window that has just closed, the fastest first."""

    reactions: list[Reaction]


AnyMessage: TypeAlias = (
    Sync | Update | Done | Refused | Preview | HintAnswer | Pong | Latency | Reactions
)


# --- What is asked for over HTTP ------------------------------------------------------------------


class Join(Struct, kw_only=True, forbid_unknown_fields=True, frozen=True):
    """Take an open seat: that one, or any."""

    name: commands.Name
    seat: commands.SeatNumber | None = None
    local_player: commands.LocalPlayer = 0
    """Which of several people who share one device; each has a seat of their own."""


class Claim(Struct, kw_only=True, forbid_unknown_fields=True, frozen=True):
    """Come back to a seat by its own link."""

    token: commands.Token


class Place(Struct, kw_only=True, frozen=True):
    """The seat somebody has got."""

    code: str
    seat: int
    token: str
    """Of the seat's own link; told once. Empty where it is known already."""


class Listed(Struct, kw_only=True, frozen=True):
    """A table in a list."""

    code: str
    game: str
    title: str
    stage: commands.Stage
    seats: list[Seated]
    you: int
    your_turn: bool


class OptionInfo(Struct, kw_only=True, frozen=True):
    """Something a host may set."""

    key: str
    text: str
    values: dict[str, str]
    """What each value means, in words; empty where it is any number of a long range."""
    range: list[int] = []
    """The least and the greatest number of a long range; else empty."""
    default: str


class BotInfo(Struct, kw_only=True, frozen=True):
    """A bot that can be asked to play."""

    name: str
    text: str
    """What it is like, in a sentence."""
    level: int
    """Of a character, from 1; of a plain bot 0."""


class GameInfo(Struct, kw_only=True, frozen=True):
    """A game of the house."""

    name: str
    title: str
    tagline: str
    minutes: str
    min_seats: int
    max_seats: int
    default_seats: int
    editions: dict[str, dict[str, str]]
    """Of each edition what its options are; the first is the default."""
    options: list[OptionInfo]
    bots: list[BotInfo]
    """The characters and then the plain ones, of both the weakest first."""
    default_bot: str
    """The bot that plays where none is named."""
    example: str
    """How a move may be typed."""


class ReplayedMove(Struct, kw_only=True, frozen=True):
    """One move of a finished game, as a viewer saw it."""

    number: int
    text: str
    """The move, as it stands on the score sheet."""
    sentences: list[str]
    """What happened, in words: one sentence for each kind of event."""
    events: list[Event]
    """The same as data, one by one, to draw it from."""


class Replay(Struct, kw_only=True, frozen=True):
    """A finished game, move by move."""

    room: Room
    viewer: str
    result: str
    moves: list[ReplayedMove]


class ChancePoint(Struct, frozen=True):
    """The win chances after some moves: the share of the victory each seat could expect, 0 to 1."""

    number: int
    shares: list[float]
    """Of each seat from what that seat knew; so they need not add up to 1."""


class TurningPoint(Struct, kw_only=True, frozen=True):
    """A move that decided a game, with everything hidden shown."""

    number: int
    text: str
    """The move, as it stands on the score sheet."""
    sentences: list[str]
    """What happened, in words."""
    seat: int
    """Whose win chance it changed most, and from what to what."""
    before: float
    after: float


class WinChances(Struct, kw_only=True, frozen=True):
    """How the win chances went in a finished game. Ask again until `done` equals `total`."""

    done: int
    """How many points are computed; the lists stay empty until all of them are."""
    total: int
    curve: list[ChancePoint]
    turning_points: list[TurningPoint]


class Addresses(Struct, kw_only=True, frozen=True):
    """Where friends on the same network find the house."""

    urls: list[str]


class Problem(Struct, kw_only=True, frozen=True):
    """Why something asked for over HTTP cannot be."""

    key: str
    text: str


COMMANDS: Final[msgspec.json.Decoder[commands.AnyCommand]] = msgspec.json.Decoder(
    commands.AnyCommand
)
write = msgspec.json.Encoder().encode


def read(decoder: "msgspec.json.Decoder[T]", frame: str | bytes) -> T:
    """What came from outside, checked. Whatever it is not is refused in one sentence."""
    try:
        return decoder.decode(frame)
    except (msgspec.DecodeError, UnicodeError) as error:
        raise errors.Refused("web.not_json", reason=str(error)[:200]) from None
    except RecursionError:
        raise errors.Refused("web.not_json", reason=say("web.nested", {})) from None
