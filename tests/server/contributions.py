"""Contributions to the deal, for clients written in Python."""

from random import Random
from typing import Any

from cosca.core.names import Seat
from cosca.match.sealed import CONTRIBUTION_BYTES, commit
from cosca.server.domain import log_entries
from cosca.server.domain.log_entries import LogEntry


class Contributor:
    """Chooses random bytes, and knows what to send in each phase of the deal."""

    def __init__(self, seed: object = 0) -> None:
        self.contribution = Random(str(seed)).randbytes(CONTRIBUTION_BYTES)
        self._sent: set[str] = set()

    def next_command(self, room: dict[str, Any]) -> dict[str, str] | None:
        """Return the command to send now, without its id; each is returned once."""
        phase, seat = room["dealing"], room["you"]
        if not phase or seat < 0 or phase in self._sent:
            return None
        own = commit(room["code"], room["seal"], seat, self.contribution)
        shown = room["contributions"][seat]
        if phase == "reveal" and shown.get("commitment") != own:
            return None
        self._sent.add(phase)
        if phase == "commit":
            return {"do": "commit", "commitment": own}
        return {"do": "reveal", "contribution": self.contribution.hex()}


def committed(code: str, seal: str, seat: Seat, contribution: bytes, at: int = 0) -> LogEntry:
    """Return the log entry for a commitment to these bytes."""
    return log_entries.Committed(
        at=at, seat=seat, commitment=commit(code, seal, seat, contribution)
    )


def revealed(seat: Seat, contribution: bytes, at: int = 0) -> LogEntry:
    """Return the log entry for the bytes behind a commitment."""
    return log_entries.Revealed(at=at, seat=seat, contribution=contribution.hex())


def dealt(at: int = 0) -> list[LogEntry]:
    """Return the log entries of a deal to which nobody contributes."""
    return [log_entries.CommitmentsClosed(at=at), log_entries.Dealt(at=at)]
