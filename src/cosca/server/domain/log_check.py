"""Check that a log entry could have been granted: a log read from a file is not trusted."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from cosca.server.domain import log_entries as entries
from cosca.server.domain.contributions import Contributions
from cosca.server.domain.log_entries import LogEntry
from cosca.server.domain.seats import Chair

if TYPE_CHECKING:  # a room checks the entries that it applies
    from cosca.server.domain.room import Room

STAGES: Final[Mapping[type, Sequence[str]]] = {
    entries.Sat: ("lobby",),
    entries.Freed: ("lobby",),
    entries.Started: ("lobby",),
    entries.Stirred: ("lobby", "sealing"),
    entries.Committed: ("sealing",),
    entries.CommitmentsClosed: ("sealing",),
    entries.Revealed: ("sealing",),
    entries.Dealt: ("sealing",),
    entries.Expelled: ("sealing", "playing"),
    entries.Moved: ("playing",),
    entries.Filled: ("lobby", "sealing", "playing"),
    entries.TakenBack: ("sealing", "playing", "over"),
    entries.Continued: ("over",),
    entries.Overdue: ("playing",),
    entries.Woken: ("playing",),
    entries.Proposed: ("playing",),
    entries.Answered: ("playing",),
    entries.Resumed: ("playing",),
}
"""The stages at which an entry is possible; others are possible at any."""
OF_THE_DEAL: Final = (
    entries.Stirred,
    entries.Committed,
    entries.CommitmentsClosed,
    entries.Revealed,
    entries.Dealt,
)
"""Entries that are possible in one phase of the deal only."""
OF_PEOPLE: Final = (
    entries.Claimed,
    entries.Expelled,
    entries.Spoken,
    entries.Stirred,
    entries.Committed,
    entries.Revealed,
    entries.TakenBack,
    entries.Overdue,
    entries.Proposed,
    entries.Answered,
    entries.Resumed,
)
"""Entries about a seat that a person has."""


def is_possible(room: "Room", entry: LogEntry) -> bool:
    """Return whether this entry can follow in this room. Moves are checked by the rules."""
    if room.stage not in STAGES.get(type(entry), (room.stage,)):
        return False
    if isinstance(entry, OF_THE_DEAL) and not _fits_phase(room.deal.contributions, entry):
        return False
    seat = getattr(entry, "seat", None)
    if seat is None:
        return True
    if not 0 <= seat < len(room.seats):
        return False
    chair: Chair = room.seats[seat]
    if isinstance(entry, entries.Sat):
        return chair.is_open
    if isinstance(entry, entries.TakenBack) and chair.withheld:
        return False
    return bool(chair.owners) or not isinstance(entry, OF_PEOPLE)


def _fits_phase(given: Contributions, entry: LogEntry) -> bool:
    """Return whether an entry fits the phase of the deal, and revealed bytes their commitment."""
    if isinstance(entry, entries.Stirred):
        return given.format == 1
    if isinstance(entry, entries.Dealt):
        return given.format == 1 or given.is_closed
    if isinstance(entry, entries.Revealed):
        fits = given.fits(entry.seat, bytes.fromhex(entry.contribution))
        return given.is_closed and fits and entry.seat not in given.revealed
    if isinstance(entry, entries.Committed) and entry.seat in given.commitments:
        return False
    return given.phase == "commit"
