"""What each kind of log entry does to a room; moves are applied by the room itself."""

import contextlib
from functools import singledispatch
from typing import TYPE_CHECKING

from cosca.bots.roster import default_bot
from cosca.core.errors import Refused
from cosca.server.domain import log_entries as entries
from cosca.server.domain.chat import ChatMessage
from cosca.server.domain.log_entries import LogEntry
from cosca.server.domain.seats import Chair

if TYPE_CHECKING:  # a room applies entries, and entries change the room
    from cosca.server.domain.room import Room


@singledispatch
def take_effect(entry: LogEntry, room: "Room") -> None:
    """Change a room by a log entry that was checked."""
    raise Refused("bad_log", line=room.length + 1)


# --- Seats ----------------------------------------------------------------------------------------


@take_effect.register(entries.Sat)
def _(entry: entries.Sat, room: "Room") -> None:
    room.seats[entry.seat] = Chair(name=entry.name, owners={entry.owner}, key=entry.key)


@take_effect.register(entries.Claimed)
def _(entry: entries.Claimed, room: "Room") -> None:
    room.seats[entry.seat].owners.add(entry.owner)


@take_effect.register(entries.Freed)
def _(entry: entries.Freed, room: "Room") -> None:
    room.seats[entry.seat] = Chair()


@take_effect.register(entries.Filled)
def _(entry: entries.Filled, room: "Room") -> None:
    chair = room.seats[entry.seat]
    chair.bot = entry.bot
    chair.name = chair.name if chair.owners else entry.bot
    chair.until_back = entry.until_back
    _settle_agreement(room, entry.at)


@take_effect.register(entries.Expelled)
def _(entry: entries.Expelled, room: "Room") -> None:
    entropy = room.seats[entry.seat].entropy  # the dice stay as they were sealed
    room.seats[entry.seat] = Chair(name=entry.bot, bot=entry.bot, entropy=entropy)
    _settle_agreement(room, entry.at)


@take_effect.register(entries.TakenBack)
def _(entry: entries.TakenBack, room: "Room") -> None:
    room.seats[entry.seat].bot = ""
    room.seats[entry.seat].until_back = False


# --- The deal -------------------------------------------------------------------------------------


@take_effect.register(entries.Started)
def _(entry: entries.Started, room: "Room") -> None:
    for chair in room.seats:
        if chair.is_open:
            chair.name = chair.bot = entry.bot
    room.stage = "sealing"


@take_effect.register(entries.Stirred)
def _(entry: entries.Stirred, room: "Room") -> None:
    room.seats[entry.seat].entropy = bytes.fromhex(entry.entropy)


@take_effect.register(entries.Committed)
def _(entry: entries.Committed, room: "Room") -> None:
    room.deal.contributions.commitments[entry.seat] = entry.commitment


@take_effect.register(entries.CommitmentsClosed)
def _(entry: entries.CommitmentsClosed, room: "Room") -> None:
    room.deal.contributions.is_closed = True


@take_effect.register(entries.Revealed)
def _(entry: entries.Revealed, room: "Room") -> None:
    room.deal.contributions.revealed[entry.seat] = bytes.fromhex(entry.contribution)


@take_effect.register(entries.Dealt)
def _(entry: entries.Dealt, room: "Room") -> None:
    room.begin()
    for seat in room.deal.contributions.missing:
        room.seats[seat].bot = entry.bot or default_bot(room.game)
        room.seats[seat].withheld = True


# --- Time and agreement ---------------------------------------------------------------------------


@take_effect.register(entries.Overdue)
def _(entry: entries.Overdue, room: "Room") -> None:
    room.move(entry.seat, entry.actions, entry.at, trusted=False)
    room.seats[entry.seat].bot = entry.bot
    room.seats[entry.seat].until_back = True


@take_effect.register(entries.Woken)
def _(entry: entries.Woken, room: "Room") -> None:
    room.clocks.refund(entry.at, entry.alive)


@take_effect.register(entries.Proposed)
def _(entry: entries.Proposed, room: "Room") -> None:
    room.agreement.propose(entry.what, entry.seat)
    _settle_agreement(room, entry.at)


@take_effect.register(entries.Answered)
def _(entry: entries.Answered, room: "Room") -> None:
    room.agreement.answer(entry.seat, entry.agrees)
    _settle_agreement(room, entry.at)


@take_effect.register(entries.Resumed)
def _(entry: entries.Resumed, room: "Room") -> None:
    room.clocks.resume(entry.at)


def _settle_agreement(room: "Room", at: int) -> None:
    """Do what was proposed once everybody has agreed."""
    agreed = room.agreement.settle(room.seats.players())
    if agreed is None:
        return
    if agreed.what == "pause":
        room.clocks.stop(at)
    else:
        with contextlib.suppress(Refused):  # somebody has answered in secret meanwhile
            room.take_back(agreed.seat)


# --- The table ------------------------------------------------------------------------------------


@take_effect.register(entries.Spoken)
def _(entry: entries.Spoken, room: "Room") -> None:
    room.chat.add(ChatMessage(entry.seat, room.seats[entry.seat].name, entry.text))


@take_effect.register(entries.PrivacySet)
def _(entry: entries.PrivacySet, room: "Room") -> None:
    room.listed = entry.listed
    room.chat.is_open = entry.spectator_chat


@take_effect.register(entries.Continued)
def _(entry: entries.Continued, room: "Room") -> None:
    room.rematch = entry.code
