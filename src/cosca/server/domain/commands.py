"""The commands that people send to a table; the judge grants or refuses them.

A command is validated when it is decoded, see `wire`.
"""

from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta, Struct

NAME: Final = 24
CHAT: Final = 200

END: Final = r"$(?!\n)"
"""The very end of a text: in Python `$` alone also matches before a final line break."""

Id: TypeAlias = Annotated[str, Meta(pattern=rf"^[A-Za-z0-9_-]{{1,64}}{END}")]
"""An id that the client chooses for each command: a command sent twice is done once."""
Code: TypeAlias = Annotated[str, Meta(pattern=rf"^[a-z0-9]{{6,12}}{END}")]
Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=NAME)]
Hash: TypeAlias = Annotated[str, Meta(pattern=rf"^[0-9a-f]{{64}}{END}")]
RandomBytes: TypeAlias = Annotated[str, Meta(pattern=rf"^[0-9a-f]{{32}}{END}")]
"""The sixteen bytes a browser contributes to the deal, in hex."""
Token: TypeAlias = Annotated[str, Meta(pattern=rf"^[A-Za-z0-9_-]{{20,64}}{END}")]
Steps: TypeAlias = Annotated[list[int], Meta(min_length=1, max_length=64)]
LocalPlayer: TypeAlias = Annotated[int, Meta(ge=0, le=9)]
SeatNumber: TypeAlias = Annotated[int, Meta(ge=0, le=15)]
Stage: TypeAlias = Literal["lobby", "sealing", "playing", "over"]


class Command(Struct, kw_only=True, tag_field="do", forbid_unknown_fields=True):
    """A request to a table. Each is answered: with done, refused, preview, hint or pong."""

    id: Id


class Move(Command, tag="move"):
    """Make a whole move: its steps, one after another."""

    actions: Steps


class PreviewActions(Command, tag="preview_actions"):
    """Ask what the table would look like after these steps, and which steps could come next."""

    actions: Annotated[list[int], Meta(max_length=64)]


class PreviewText(Command, tag="preview_text"):
    """Preview a move that was typed, in the game's notation."""

    text: Annotated[str, Meta(max_length=200)]


class PreviewMove(Command, tag="preview_move"):
    """Preview a move given as data, such as `swap` and `[1, 2, 3, 4]` for pieces that were touched.

    If it is not legal, the refusal says why and names the rule.
    """

    verb: Annotated[str, Meta(max_length=40)]
    numbers: Annotated[list[Annotated[int, Meta(ge=0, le=999)]], Meta(max_length=64)] = []


class Hint(Command, tag="hint"):
    """Ask the consigliere for the best moves; only for people who play alone against bots.

    With `actions`, the steps chosen so far, only for moves that contain them.
    """

    actions: Annotated[list[int], Meta(max_length=64)] = []


class HoldReactions(Command, tag="hold_reactions"):
    """Let reaction windows wait until you react or are ready, while you are connected.

    Only for people who play alone against bots.
    """


class Ready(Command, tag="ready"):
    """Start the clock of the reaction window that waits for you."""


class Chat(Command, tag="chat"):
    """Send a chat message."""

    text: Annotated[str, Meta(min_length=1, max_length=CHAT)]


class Commit(Command, tag="commit"):
    """Send the hash of the bytes you will contribute to the deal, while `dealing` is "commit"."""

    commitment: Hash


class Reveal(Command, tag="reveal"):
    """Send the bytes you have committed to, while `dealing` is "reveal"."""

    contribution: RandomBytes


class Start(Command, tag="start"):
    """Begin the game, as the host; bots take the seats that are still open."""


class Fill(Command, tag="fill"):
    """Give an open seat, or the seat of somebody who is gone, to a bot, as the host."""

    seat: SeatNumber
    bot: Annotated[str, Meta(max_length=40)]


class ReclaimSeat(Command, tag="reclaim_seat"):
    """Take your seat back from the bot that plays for you."""


class Remove(Command, tag="remove"):
    """Remove somebody, as the host: before the game the seat is open again, later a bot has it."""

    seat: SeatNumber


class Leave(Command, tag="leave"):
    """Leave your seat: before the game it is open again, later a bot plays for you."""


class Rematch(Command, tag="rematch"):
    """Open the same table again when the game is over, as the host."""


class Propose(Command, tag="propose"):
    """Propose a pause, or to take back your last move. All people at the table must agree."""

    what: Literal["pause", "takeback"]


class Agree(Command, tag="agree"):
    """Agree to a proposal, or refuse it."""

    agrees: bool


class Resume(Command, tag="resume"):
    """End a pause."""


class SetPrivacy(Command, tag="privacy"):
    """Set whether the table is listed and whether spectators may read the chat, as the host.

    Earlier messages keep the audience they had.
    """

    listed: bool
    spectator_chat: bool


class Ping(Command, tag="ping"):
    """Ask for the time of the server."""


AnyCommand: TypeAlias = (
    Move
    | PreviewActions
    | PreviewText
    | PreviewMove
    | Hint
    | HoldReactions
    | Ready
    | Chat
    | Commit
    | Reveal
    | Start
    | Fill
    | ReclaimSeat
    | Remove
    | Leave
    | Rematch
    | Propose
    | Agree
    | Resume
    | SetPrivacy
    | Ping
)
