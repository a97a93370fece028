"""A table about to be sat down at: the game, its house rules, and who sits where."""

import hashlib
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from cosca.bots.external import check_bot
from cosca.bots.roster import default_bot
from cosca.core.errors import Refused
from cosca.core.game import Game
from cosca.core.names import Seat
from cosca.core.options import Settings
from cosca.match.record import Contribution
from cosca.match.sealed import FORMAT, SealedDice, pack

PERSON = ""
"""Stands where the name of a bot would stand, at the person's own seat."""


@dataclass(frozen=True, kw_only=True)
class Seating:
    """Who plays what, by which rules, and from which seed."""

    game: Game[Any, Any]
    settings: Settings
    seat: Seat
    bots: tuple[str, ...]
    """The bot at each seat, in order."""
    seed: int
    table: str
    """The name of the table, different for every game whose seed was not named."""
    record: str
    """The name of the file its record is written into, different for every game."""
    format: int = FORMAT
    """Of the dice and the record: 1 in a game that was saved by version 0.1."""
    entropy: bytes = b""
    """What the person added to dice of format 1. Now it would prove nothing: house and person
    are one program here.
    """

    @property
    def seats(self) -> int:
        """How many play."""
        return len(self.bots)

    def dice(self, draws: int = 0) -> SealedDice:
        """The sealed dice of this table, after so many draws."""
        seed = hashlib.sha256(pack("cosca/play/1", str(self.seed))).digest()
        entropy = {self.seat: self.entropy} if self.entropy else {}
        return SealedDice(self.table, seed, entropy, draws, self.format)

    def contributions(self) -> list[Contribution]:
        """What the record says of the dice: nobody adds to them from outside."""
        return [Contribution("silent" if bot == PERSON else "bot") for bot in self.bots]


def make_seating(
    game: Game[Any, Any],
    *,
    seats: int | None = None,
    edition: str = "",
    changes: Mapping[str, str] | None = None,
    bots: str = "",
    seat: int = 1,
    seed: int | None = None,
) -> Seating:
    """The table a guest asks for; the guest counts seats from one."""
    seats = game.default_seats if seats is None else seats
    settings = game.settings(edition, changes)
    game.check(settings, seats)
    if not 1 <= seat <= seats:
        raise Refused("bad_seat", seat=seat, seats=seats)
    return Seating(
        game=game,
        settings=settings,
        seat=seat - 1,
        bots=_opponents(game, bots, seats, seat - 1),
        seed=secrets.randbits(256) if seed is None else seed,
        table=f"table-{secrets.token_hex(6)}" if seed is None else f"seed-{seed}",
        record=f"{game.name}-{datetime.now():%Y-%m-%d}-{secrets.token_hex(4)}.jsonl",
    )


def _opponents(game: Game[Any, Any], names: str, seats: int, seat: Seat) -> tuple[str, ...]:
    """The bot at each seat but the person's: one for all, one for each, or the usual."""
    bots = [name.strip() for name in names.split(",")] if names else [default_bot(game)]
    for name in bots:
        check_bot(game, name)
    if len(bots) == 1:
        bots *= seats - 1
    if len(bots) != seats - 1:
        raise Refused("bots_for_opponents", bots=len(bots), opponents=seats - 1)
    return (*bots[:seat], PERSON, *bots[seat:])
