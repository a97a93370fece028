"""Ratings of bots from their places: OpenSkill, game after game."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from openskill.models import PlackettLuce

from cosca.arena.interval import Z
from cosca.arena.result import Result
from cosca.core.names import Seat


class Rating(NamedTuple):
    """The estimated strength of a bot and its uncertainty; all start at 25."""

    mu: float
    sigma: float

    def to_json(self) -> dict[str, float]:
        """Return it as JSON."""
        reach = Z * self.sigma
        return {
            "value": round(self.mu, 4),
            "low": round(self.mu - reach, 4),
            "high": round(self.mu + reach, 4),
        }


def ratings_of(bots: Sequence[str], results: Iterable[Result]) -> dict[str, Rating]:
    """Return the ratings after all games. Of several seats of one bot, one counts, in turn.

    Counting all of them would make ratings drift: a bot that beats itself gains more than it loses.
    """
    model = PlackettLuce()
    now = {bot: Rating(model.mu, model.sigma) for bot in bots}
    for result in results:
        seats = [counted_seat(bot, result) for bot in dict.fromkeys(result.bots)]
        if len(seats) > 1:  # a bot proves nothing against itself
            players = [result.bots[seat] for seat in seats]
            teams = [[model.rating(*now[bot])] for bot in players]
            new = model.rate(teams, ranks=[result.ranks[seat] for seat in seats])
            now |= {
                bot: Rating(team[0].mu, team[0].sigma)
                for bot, team in zip(players, new, strict=True)
            }
    return now


def counted_seat(bot: str, result: Result) -> Seat:
    """Return a seat of a bot; of several a different one in each game."""
    seats = [seat for seat, name in enumerate(result.bots) if name == bot]
    return seats[result.number % len(seats)]
