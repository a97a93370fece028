"""What each seat contributes to the deal: a commitment first, then the bytes behind it.

`docs/records.md` explains why in this order.
"""

from collections.abc import Sequence
from typing import Final, Literal

from cosca.core.names import Seat
from cosca.match.record import Contribution
from cosca.match.sealed import commit, seal

COMMIT_SECONDS: Final = 5.0
"""Seconds to commit; a seat that has not is silent."""
REVEAL_SECONDS: Final = 10.0
"""Seconds to reveal; a seat that has committed and not revealed has withheld its bytes."""

Phase = Literal["", "commit", "reveal"]
Status = Literal["waiting", "committed", "revealed", "withheld", "silent", "bot"]


class Contributions:
    """The commitments and the revealed bytes of one table."""

    def __init__(self, table: str, seed: bytes, format: int) -> None:
        self.table = table
        self.format = format
        self.seal = seal(table, seed, format)
        """The hash of the house's seed, shown before anybody commits."""
        self.commitments: dict[Seat, str] = {}
        self.revealed: dict[Seat, bytes] = {}
        self.is_closed = False
        """Whether commitments are closed, so that bytes may be revealed."""

    @property
    def phase(self) -> Phase:
        """What browsers have to send while the deal is prepared; nothing in format 1."""
        if self.format == 1:
            return ""
        return "reveal" if self.is_closed else "commit"

    @property
    def missing(self) -> list[Seat]:
        """The seats that have committed and not revealed."""
        return [seat for seat in sorted(self.commitments) if seat not in self.revealed]

    def fits(self, seat: Seat, contribution: bytes) -> bool:
        """Return whether these are the bytes a seat has committed to."""
        made = commit(self.table, self.seal, seat, contribution)
        return self.commitments.get(seat) == made

    def status(self, seat: Seat, *, is_person: bool, is_dealt: bool) -> Status:
        """Return what a seat has contributed so far."""
        if seat in self.revealed:
            return "revealed"
        if seat in self.commitments:
            return "withheld" if is_dealt else "committed"
        if not is_person:
            return "bot"
        return "silent" if self.is_closed or is_dealt else "waiting"

    def recorded(self, persons: Sequence[Seat], seats: int) -> list[Contribution]:
        """Return the contributions of all seats for the record."""
        return [self._recorded(seat, is_person=seat in persons) for seat in range(seats)]

    def _recorded(self, seat: Seat, *, is_person: bool) -> Contribution:
        if seat in self.revealed:
            return Contribution("revealed", self.commitments[seat], self.revealed[seat])
        if seat in self.commitments:
            return Contribution("withheld", self.commitments[seat])
        return Contribution("silent" if is_person else "bot")
