"""A rating of bots from the places they took: OpenSkill, game after game in their order."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from openskill.models import PlackettLuce

from cosca.arena.interval import Z
from cosca.arena.result import Result


class Rating(NamedTuple):
    """How strong a bot is thought to be, and how sure that is; everybody begins at 25."""

    mu: float
    sigma: float

    def told(self) -> dict[str, float]:
        """As plain JSON."""
        reach = Z * self.sigma
        return {
            "value": round(self.mu, 4),
            "low": round(self.mu - reach, 4),
            "high": round(self.mu + reach, 4),
        }


def rated(bots: Sequence[str], results: Iterable[Result]) -> dict[str, Rating]:
    """The ratings after all games. A bot with several seats gets the mean of what they get."""
    model = PlackettLuce()
    now = {bot: Rating(model.mu, model.sigma) for bot in bots}
    for result in results:
        if len(set(result.bots)) == 1:
            continue  # against oneself nobody proves anything
        teams = [[model.rating(*now[bot])] for bot in result.bots]
        new = [team[0] for team in model.rate(teams, ranks=list(result.ranks))]
        for bot in dict.fromkeys(result.bots):
            of_bot = [one for one, name in zip(new, result.bots, strict=True) if name == bot]
            now[bot] = Rating(
                sum(one.mu for one in of_bot) / len(of_bot),
                sum(one.sigma for one in of_bot) / len(of_bot),
            )
    return now
