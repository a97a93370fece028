"""The setup of a game in the terminal: title, house rules, seats and seed."""

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
"""The entry in `bots` for the seat of the player."""


@dataclass(frozen=True, kw_only=True)
class Seating:
    """The title, house rules, players and seed of one game."""

    game: Game[Any, Any]
    settings: Settings
    seat: Seat
    bots: tuple[str, ...]
    """The bot at each seat, in order; `PERSON` at the seat of the player."""
    seed: int
    table: str
    """Name of the table in the record; random unless a seed was given."""
    record: str
    """File name of the record, unique for each game."""
    format: int = FORMAT
    """Format of dice and record: 1 in a game saved by version 0.1."""
    entropy: bytes = b""
    """The player's random bytes for dice of format 1. Later formats have none here: server and
    player are one program, so they would prove nothing.
    """

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.bots)

    def dice(self, draws: int = 0) -> SealedDice:
        """Return the sealed dice of this table after the given number of draws."""
        seed = hashlib.sha256(pack("cosca/play/1", str(self.seed))).digest()
        entropy = {self.seat: self.entropy} if self.entropy else {}
        return SealedDice(self.table, seed, entropy, draws, self.format)

    def contributions(self) -> list[Contribution]:
        """Return the contributions to the dice for the record: nobody contributes."""
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
    """Check what the player has asked for and return the seating; `seat` counts from 1."""
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
    """Return the bot at each seat, with `PERSON` at the seat of the player."""
    bots = [name.strip() for name in names.split(",")] if names else [default_bot(game)]
    for name in bots:
        check_bot(game, name)
    if len(bots) == 1:
        bots *= seats - 1
    if len(bots) != seats - 1:
        raise Refused("bots_for_opponents", bots=len(bots), opponents=seats - 1)
    return (*bots[:seat], PERSON, *bots[seat:])
