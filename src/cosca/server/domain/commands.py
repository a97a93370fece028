"""What people may ask of a table: the commands that the judge grants or refuses.

What a command may contain is checked when it is read; the JSON form belongs to `wire`.
"""

from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta, Struct

NAME: Final = 24
CHAT: Final = 200

END: Final = r"$(?!\n)"
"""The very end of a text: in Python `$` alone lets one line break more through."""

Id: TypeAlias = Annotated[str, Meta(pattern=rf"^[A-Za-z0-9_-]{{1,64}}{END}")]
"""Made up by whoever sends a command, new for each: twice the same is done once."""
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
    """Something a person wants. Every one is answered: done, thought, hint or refused."""

    id: Id


class Move(Command, tag="move"):
    """Do a whole move: its steps, one after another."""

    actions: Steps


class PreviewActions(Command, tag="preview_actions"):
    """Ask what the table would look like after these steps, and which steps could come next."""

    actions: Annotated[list[int], Meta(max_length=64)]


class PreviewText(Command, tag="preview_text"):
    """The same for a move that was typed, in the game's notation."""

    text: Annotated[str, Meta(max_length=200)]


class PreviewMove(Command, tag="preview_move"):
    """The same for a move as data, as a piece means it that was touched: `swap` and `[1, 2, 3, 4]`.

    It need not be legal: then the refusal says why, and names the rule.
    """

    verb: Annotated[str, Meta(max_length=40)]
    numbers: Annotated[list[Annotated[int, Meta(ge=0, le=999)]], Meta(max_length=64)] = []


class Hint(Command, tag="hint"):
    """Ask the consigliere for the best moves; for who plays alone against bots."""


class Chat(Command, tag="chat"):
    """Say something to the table."""

    text: Annotated[str, Meta(min_length=1, max_length=CHAT)]


class Commit(Command, tag="commit"):
    """Send the hash of the bytes you will contribute to the deal, while `dealing` is "commit"."""

    commitment: Hash


class Reveal(Command, tag="reveal"):
    """Send the bytes you have committed to, while `dealing` is "reveal"."""

    contribution: RandomBytes


class Start(Command, tag="start"):
    """The host begins the game; seats still open are taken by bots."""


class Fill(Command, tag="fill"):
    """The host gives an open seat, or that of somebody who is gone, to a bot."""

    seat: SeatNumber
    bot: Annotated[str, Meta(max_length=40)]


class ReclaimSeat(Command, tag="reclaim_seat"):
    """A person has the own seat back from the bot that kept it."""


class Remove(Command, tag="remove"):
    """The host sends somebody away; before the game the seat is open again, later a bot has it."""

    seat: SeatNumber


class Leave(Command, tag="leave"):
    """Get up: before the game the seat is open again, later a bot keeps it."""


class Rematch(Command, tag="rematch"):
    """The host opens the same table anew when the game is over."""


class Propose(Command, tag="propose"):
    """Propose a pause, or to take back the own last move. All people at the table must agree."""

    what: Literal["pause", "takeback"]


class Agree(Command, tag="agree"):
    """Agree to what somebody proposes, or do not."""

    agrees: bool


class Resume(Command, tag="resume"):
    """End a pause."""


class SetPrivacy(Command, tag="privacy"):
    """The host lists the table on the first page or not, and lets spectators read the chat or not.

    What was said before stays as private as it was.
    """

    listed: bool
    spectator_chat: bool


class Ping(Command, tag="ping"):
    """Ask what time it is in the house."""


AnyCommand: TypeAlias = (
    Move
    | PreviewActions
    | PreviewText
    | PreviewMove
    | Hint
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
