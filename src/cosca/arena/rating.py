"""A rating of bots from the places they took: OpenSkill, game after game in their order."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from openskill.models import PlackettLuce

from cosca.arena.interval import Z
from cosca.arena.result import Result
from cosca.core.names import Seat


class Rating(NamedTuple):
    """How strong a bot is thought to be, and how sure that is; everybody begins at 25."""

    mu: float
    sigma: float

    def to_json(self) -> dict[str, float]:
        """As plain JSON."""
        reach = Z * self.sigma
        return {
            "value": round(self.mu, 4),
            "low": round(self.mu - reach, 4),
            "high": round(self.mu + reach, 4),
        }


def ratings_of(bots: Sequence[str], results: Iterable[Result]) -> dict[str, Rating]:
    """The ratings after all games. Of several seats of a bot in a game one counts, in turn.

    Counted all, they would drift: a bot that beats itself gains more than it loses.
    """
    model = PlackettLuce()
    now = {bot: Rating(model.mu, model.sigma) for bot in bots}
    for result in results:
        seats = [counted_seat(bot, result) for bot in dict.fromkeys(result.bots)]
        if len(seats) > 1:  # against oneself nobody proves anything
            players = [result.bots[seat] for seat in seats]
            teams = [[model.rating(*now[bot])] for bot in players]
            new = model.rate(teams, ranks=[result.ranks[seat] for seat in seats])
            now |= {
                bot: Rating(team[0].mu, team[0].sigma)
                for bot, team in zip(players, new, strict=True)
            }
    return now


def counted_seat(bot: str, result: Result) -> Seat:
    """A seat of a bot; of several another in each game."""
    seats = [seat for seat, name in enumerate(result.bots) if name == bot]
    return seats[result.number % len(seats)]
