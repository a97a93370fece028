"""Agreement: the open proposal of a table, and who still has to answer it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from cosca.core.names import Seat

Subject = Literal["pause", "takeback"]


@dataclass(slots=True)
class Proposal:
    """Something that all people at the table must agree to."""

    what: Subject
    seat: Seat
    agreed: set[Seat]


class Agreement:
    """The open proposal of a table, if there is one."""

    def __init__(self) -> None:
        self.proposal: Proposal | None = None

    def propose(self, what: Subject, seat: Seat) -> None:
        """Open a proposal; the seat that makes it agrees to it."""
        self.proposal = Proposal(what, seat, {seat})

    def answer(self, seat: Seat, agrees: bool) -> None:
        """Note the answer of a seat; one refusal ends the proposal."""
        if self.proposal and agrees:
            self.proposal.agreed.add(seat)
        else:
            self.proposal = None

    def pending(self, players: Sequence[Seat]) -> list[Seat]:
        """Return the players who have not answered yet."""
        if self.proposal is None:
            return []
        return [seat for seat in players if seat not in self.proposal.agreed]

    def settle(self, players: Sequence[Seat]) -> Proposal | None:
        """Close the proposal if it is decided, and return it if everybody has agreed."""
        proposal = self.proposal
        if proposal is None or (proposal.seat in players and self.pending(players)):
            return None
        self.proposal = None
        return proposal if proposal.seat in players else None  # the proposer has left
