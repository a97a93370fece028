"""What it takes to win in Skeleton, and how far everybody is."""

from cosca.core.drawing import Goal, Progress, Say
from cosca.games.skeleton.pieces import NO_CARD, UNKNOWN
from cosca.games.skeleton.position import Position

NOT_SHOWN = {UNKNOWN: "?", NO_CARD: "·"}


def goal(position: Position, say: Say) -> Goal:
    """SK-8: the highest card. Nobody leads before all are turned up, for cards are hidden."""
    cards = [NOT_SHOWN.get(card, str(card)) for card in position.cards]
    return Goal(
        say("skeleton.goal.text", {}),
        [Progress(say("skeleton.goal.card", {}), cards, "")],
        list(position.winners),
        [say("skeleton.goal.laps", {"laps": position.laps})],
    )
