"""A contest: duplicate deals with full rotation, determined by the seed alone."""

from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from cosca.arena.bout import Bout
from cosca.arena.lineups import Lineup, lineups, seatings
from cosca.arena.simulation import rotated
from cosca.catalog import find
from cosca.core.game import Game
from cosca.core.options import Setting

FORMAT = 1


class Contest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything that determines the games of an arena, except how many deals are played."""

    format: int = FORMAT
    game: str
    rules: int
    """The version of the rules."""
    settings: dict[str, Setting]
    seats: int
    bots: tuple[str, ...]
    seed: int

    @classmethod
    def of(
        cls,
        game: Game[Any, Any],
        settings: dict[str, Setting],
        seats: int,
        bots: Lineup,
        seed: int,
    ) -> "Contest":
        """Return a contest of a game with its current rules."""
        game.check(settings, seats)
        contest = cls(
            game=game.name,
            rules=game.version,
            settings=settings,
            seats=seats,
            bots=bots,
            seed=seed,
        )
        contest.lineups()  # refuses bots that do not fit the seats
        return contest

    def lineups(self) -> tuple[Lineup, ...]:
        """Return who plays in each deal, in turn."""
        return lineups(self.bots, self.seats, self.seed)

    def names(self) -> list[str]:
        """Return each bot once."""
        return list(dict.fromkeys(self.bots))

    @property
    def rotations(self) -> int:
        """Return how often each deal is played: from every seat, or once if all bots are alike."""
        return self.seats if len(set(self.bots)) > 1 else 1

    def edition(self) -> str:
        """Return the edition that is played."""
        return find(self.game).edition_of(self.settings)

    def bout(self, number: int) -> Bout:
        """Return a game by its number, which encodes the deal and the rotation."""
        deal, turns = divmod(number, self.rotations)
        again, turn = divmod(deal, len(self.lineups()))
        around_table = seatings(self.lineups()[turn], self.seed)
        return Bout(
            game=self.game,
            settings=self.settings,
            seed=self.seed,
            number=number,
            deal=deal,
            bots=rotated(around_table[again % len(around_table)], turns),
        )

    def numbers(self, deals: Iterable[int]) -> list[int]:
        """Return the numbers of all games of these deals."""
        return [deal * self.rotations + turn for deal in deals for turn in range(self.rotations)]
