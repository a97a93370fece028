"""The wire format: every message and response, as types that encode to JSON.

The client's types are generated from these (`python -m cosca.server.http.typescript`);
`docs/protocol.md` explains how they are used. Nothing here knows a game. Input is validated when it
is decoded.
"""

from typing import Any, Final, Literal, TypeAlias, TypeVar

import msgspec
from msgspec import Struct

from cosca.core import errors
from cosca.server.domain import commands
from cosca.server.domain.chat import ChatMessage
from cosca.words import say

T = TypeVar("T")

PROTOCOL: Final = 2
"""The version of everything in this module. 1 was Cosca 0.1.0, which did not name it."""
FRAME_BYTES: Final = 8192
"""The longest frame a socket may send."""


# --- Messages of a socket -------------------------------------------------------------------------


class Seated(Struct, kw_only=True, frozen=True):
    """Who has a seat."""

    seat_name: str
    """The name of the seat in this game, such as "Red"."""
    kind: Literal["open", "person", "bot"]
    name: str
    """The person's name, or the bot's."""
    bot: str = ""
    """The bot that plays: for itself, or for a person who is gone."""
    present: bool = False
    """Whether the person has the table open now."""


class Contributed(Struct, kw_only=True, frozen=True, omit_defaults=True):
    """What a seat has contributed to the deal."""

    status: Literal["waiting", "committed", "revealed", "withheld", "silent", "bot"]
    commitment: str = ""
    """The hash that the seat has sent; empty if it has sent none."""


class Proposal(Struct, kw_only=True, frozen=True):
    """What somebody proposes, and who has agreed so far."""

    what: Literal["pause", "takeback"]
    seat: int
    agreed: list[int]
    asked: list[int]
    """The seats that have not answered yet."""


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
    """The hash of the server's seed, which was chosen before anybody contributed."""
    dealing: Literal["", "commit", "reveal"]
    """What browsers have to send now, before the cards are dealt; empty at other times."""
    contributions: list[Contributed]
    """What each seat has contributed; empty before the deal begins."""
    taken_back: list[int]
    """The number of steps that were left, for each move that was taken back."""
    rematch: str
    """The code of the rematch's table; empty if there is none."""
    pace: Literal["live", "relaxed", "days"]
    move_seconds: int
    """Time for each decision; 0 without clocks."""
    bank_seconds: int
    """Time for the whole game, for decisions that take longer."""
    paused: bool
    proposal: Proposal | None
    listed: bool
    """Whether the table is listed on the first page while it is played."""
    spectator_chat: bool
    """Whether spectators may read new chat messages."""
    watchers: int
    """How many people without a seat have the table open; 0 for all but players and the host."""


class Timer(Struct, kw_only=True, frozen=True):
    """The clock of a seat that may act, in milliseconds of the server's time (see Ping)."""

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
    """The heading under which similar choices stand; empty if there is none."""
    name: str = ""
    """The kind of step: the last word of its key, as `men` of `vendetta.choice.men`."""
    params: dict[str, int | str] = {}
    """The parameters of the text and of the heading."""


class Cell(Struct, array_like=True, frozen=True):
    """A text with the names of its styles, separated by spaces."""

    text: str
    style: str = ""


class Grid(Struct, frozen=True):
    """A grid of the text view: a caption, headings, and rows whose first cell is their heading."""

    caption: str
    head: list[str]
    rows: list[list[Cell]]


class Meaning(Struct, frozen=True):
    """What a decision means to somebody who does not know the game, and the rule that says so."""

    text: str
    rule: str


class Figure(Struct, kw_only=True, frozen=True, omit_defaults=True):
    """A figure that decided a finished game; the texts are for people only."""

    key: str
    value: int
    label: str = ""
    text: str = ""
    """The value as people write it."""


class Ranked(Struct, kw_only=True, frozen=True):
    """The place of a seat in a finished game."""

    place: int
    """1 for the winners; seats that are tied have the same place."""
    seat: int
    figures: list[Figure]
    """The most important first; every seat has the same ones."""


class Progress(Struct, frozen=True):
    """How far everybody is in one of the things that decide a game, such as points."""

    label: str
    values: list[str]
    """One for each seat."""
    target: str
    """What it takes to win; empty where no number does."""


class Goal(Struct, frozen=True):
    """What it takes to win at this table, and how far everybody is."""

    text: str
    figures: list[Progress]
    leaders: list[int]
    """The seats that are ahead as far as everybody can tell; at the end the winners."""
    details: list[str]


class TextView(Struct, kw_only=True, frozen=True, tag_field="kind", tag="text"):
    """What a seat sees now as texts, and the position to draw it from."""

    round: str
    """Such as "Round 3"; empty before the first."""
    actors: list[int]
    question: str
    """What you have to decide; empty when others act."""
    meaning: Meaning | None
    """What it means, for somebody who does not know the game; nothing when others act."""
    grids: list[Grid]
    notes: list[str]
    goal: Goal
    choices: list[Choice]
    """The first steps you may take now."""
    position: dict[str, Any]
    """The same as in a `DataView`."""
    sights: list["Event"]
    """What you are shown until your next move, and then have to remember."""
    reaction_seconds: float
    """The seconds you have to react; 0 if speed does not count."""
    clocks: list[Timer]
    """The clocks of those who may act; empty without clocks and during a pause."""
    result: str
    """Who has won; empty while the game goes on."""
    ranking: list[Ranked]
    """Who came where, and what decided it; empty while the game goes on."""


class DataView(Struct, kw_only=True, frozen=True, tag_field="kind", tag="data"):
    """What a seat sees now, as data, for programs."""

    actors: list[int]
    position: dict[str, Any]
    sights: list["Event"]
    reaction_seconds: float
    clocks: list[Timer]
    result: str
    ranking: list[Ranked]


class Reason(Struct, kw_only=True, frozen=True, omit_defaults=True):
    """Why something happened, with the rule behind it; the sentence is for people only."""

    key: str
    text: str = ""
    params: dict[str, int | str | list[int | str | list[int | str]]] = {}
    """Several seats come as a list, and seats with a figure each as a list of pairs."""
    rule: str
    """The id of the rule, such as `V-9`."""


class Event(Struct, kw_only=True, frozen=True, omit_defaults=True):
    """Something that happened, with its parameters; the sentence is for people only."""

    key: str
    text: str = ""
    params: dict[str, int | str] = {}
    reason: Reason | None = None
    """Why it happened; none if a player or chance chose it."""


class Link(Struct, kw_only=True, frozen=True):
    """A link of the record's hash chain, which commits the server to all steps so far."""

    step: int
    """How many steps it covers; 0 before the first."""
    chain: str


class Message(Struct, kw_only=True, tag_field="type"):
    """A message from the server."""


class Sync(Message, tag="sync", kw_only=True):
    """Everything you may know: the first message of every connection."""

    protocol: int = PROTOCOL
    room: Room
    view: TextView | DataView | None
    """None until the cards are dealt."""
    events: list[Event]
    chat: list[ChatMessage]
    link: Link | None
    """The newest published link; none is added while several decide in secret."""


class Update(Message, tag="update", omit_defaults=True):
    """What has changed: the new room and view, and what was added to the lists."""

    room: Room | None = None
    view: TextView | DataView | None = None
    events: list[Event] = []
    chat: list[ChatMessage] = []
    link: Link | None = None


class Done(Message, tag="done"):
    """The command was granted and is stored."""

    id: str
    code: str = ""
    """The code of the rematch's table, in the answer to a rematch."""


class Refused(Message, tag="refused"):
    """The command was refused, and nothing has changed."""

    id: str
    key: str
    text: str
    rule: str = ""
    """The id of the rule of the game that it breaks; empty if there is none."""


class Preview(Message, tag="preview"):
    """What the table would look like after some steps. Nothing has happened."""

    id: str
    actions: list[int]
    text: str
    """The move so far in words, as on the buttons."""
    move: list[str | int]
    """The same as data, a verb and numbers, as in `PreviewMove`."""
    complete: bool
    """Whether these steps are a whole move that can be sent now."""
    view: TextView | DataView
    """Its choices are the steps that could come next."""


class Suggestion(Struct, frozen=True):
    """A move that the consigliere suggests."""

    actions: list[int]
    text: str
    win_chance: float
    """The win chance with it, from 0 to 1."""
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
    """The best first; empty if the game has gone on meanwhile."""
    explanation: Reason | None
    """What the first move is for, with the rule; none if there is nothing to say for it."""
    figures: str
    """How the first move compares with the others, in a sentence."""
    better: Suggestion | None
    """A clearly better move that does not contain the steps chosen so far."""
    warning: str
    """The same in a sentence; empty if there is no better move."""
    principal_variation: list[ExpectedMove]
    """The first move and those expected after it, in words, in one of the possible states."""


class Pong(Message, tag="pong"):
    """The server's time, in milliseconds since 1970."""

    id: str
    now: int


class Latency(Message, tag="latency"):
    """The measured round trip to the browser of each seat."""

    milliseconds: list[int | None]
    """None for bots and for people who are not present."""


class Reaction(Struct, frozen=True):
    """A seat that reacted in a window that is over, and how many milliseconds it took."""

    seat: int
    took_ms: int


class Reactions(Message, tag="reactions"):
    """Who reacted in the window that has just closed, the fastest first."""

    reactions: list[Reaction]


AnyMessage: TypeAlias = (
    Sync | Update | Done | Refused | Preview | HintAnswer | Pong | Latency | Reactions
)


# --- Requests and responses of HTTP ---------------------------------------------------------------


class Join(Struct, kw_only=True, forbid_unknown_fields=True, frozen=True):
    """Take an open seat: the given one, or any."""

    name: commands.Name
    seat: commands.SeatNumber | None = None
    local_player: commands.LocalPlayer = 0
    """The number of one of several people who share a device; each has a seat of their own."""


class Claim(Struct, kw_only=True, forbid_unknown_fields=True, frozen=True):
    """Come back to a seat by its own link."""

    token: commands.Token


class Place(Struct, kw_only=True, frozen=True):
    """The seat that somebody got."""

    code: str
    seat: int
    token: str
    """The token of the seat's own link. It is sent only once, and empty later."""


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
    """The text of each value; empty for numbers from a long range."""
    range: list[int] = []
    """The smallest and the largest number of a long range; else empty."""
    default: str


class BotInfo(Struct, kw_only=True, frozen=True):
    """A bot that can play."""

    name: str
    text: str
    """How it plays, and how strong it is."""
    level: int
    """The level of a character, from 1; 0 for other bots."""


class Strength(Struct, kw_only=True, frozen=True):
    """How strong the opponents of somebody who plays against bots are."""

    name: str
    """`easy`, `normal` or `strong`."""
    title: str
    text: str
    """A sentence on how they play."""
    bots: list[str]
    """Who sits down, one after another."""


class GameInfo(Struct, kw_only=True, frozen=True):
    """A game that can be played here."""

    name: str
    title: str
    tagline: str
    minutes: str
    min_seats: int
    max_seats: int
    default_seats: int
    editions: dict[str, dict[str, str]]
    """The options of each edition; the first edition is the default."""
    options: list[OptionInfo]
    bots: list[BotInfo]
    """The characters and then the other bots, each from weakest to strongest."""
    default_bot: str
    """The bot that plays if none is named."""
    strengths: list[Strength]
    """The opponents for a game against bots, the weakest first."""
    example: str
    """An example of a typed move."""


class PrimerLine(Struct, kw_only=True, frozen=True):
    """A sentence or two of a primer."""

    text: str
    rules: list[str]
    """The ids of the rules it sums up."""


class PrimerSection(Struct, kw_only=True, frozen=True):
    """A part of a primer."""

    name: str
    """Which part it is, such as `turn`, to find its picture."""
    heading: str
    lines: list[PrimerLine]


class Primer(Struct, kw_only=True, frozen=True):
    """The rules of a game on one page in plain words, for the settings of one table."""

    title: str
    table: str
    """Which table it is for: the edition and the number of players."""
    sections: list[PrimerSection]


class ReplayedMove(Struct, kw_only=True, frozen=True):
    """One move of a finished game, as a viewer saw it."""

    number: int
    text: str
    """The move, as it stands on the score sheet."""
    sentences: list[str]
    """What happened, in words: one sentence for each kind of event."""
    events: list[Event]
    """The same as data, one by one."""


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
    """Each is estimated from what that seat knew, so they need not add up to 1."""


class TurningPoint(Struct, kw_only=True, frozen=True):
    """A move that decided a game, with everything hidden shown."""

    number: int
    text: str
    """The move, as it stands on the score sheet."""
    sentence: str
    """What happened and why, in words; empty if nothing but the move is to be said."""
    seat: int
    """The seat whose win chance changed most; `before` and `after` are that chance."""
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
    """The URLs at which friends on the same network reach the server."""

    urls: list[str]


class Problem(Struct, kw_only=True, frozen=True):
    """Why an HTTP request was refused."""

    key: str
    text: str


COMMANDS: Final[msgspec.json.Decoder[commands.AnyCommand]] = msgspec.json.Decoder(
    commands.AnyCommand
)
write = msgspec.json.Encoder().encode


def read(decoder: "msgspec.json.Decoder[T]", frame: str | bytes) -> T:
    """Decode and validate input; refuse it with the reason if it is invalid."""
    try:
        return decoder.decode(frame)
    except (msgspec.DecodeError, UnicodeError) as error:
        raise errors.Refused("web.not_json", reason=str(error)[:200]) from None
    except RecursionError:
        raise errors.Refused("web.not_json", reason=say("web.nested", {})) from None
