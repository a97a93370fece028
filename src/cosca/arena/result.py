"""The result of one game of an arena: standings, leads, and what decided it."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from msgspec import Struct

from cosca.arena.bout import Bout, PlayedGame
from cosca.catalog import find
from cosca.core.events import Event
from cosca.core.game import Game
from cosca.core.names import CHANCE, CHANCE_BIT, Seat
from cosca.core.state import State
from cosca.match.table import Step
from cosca.words import LANGUAGE, sentences

NOBODY = -1
DEAL = "deal"
"""Stands for everything chance does in a round before the first decision."""


class Result(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One game: a line of `games.jsonl`. Everything but `seconds` follows from the contest."""

    number: int
    deal: int
    bots: list[str]
    """The bot at each seat; the lists below are by seat too."""
    shares: list[float]
    """Shares of the victory."""
    ranks: list[float]
    """Places from 1; equal seats share the mean of their places."""
    standing: list[int]
    """The final standing of each seat."""
    sudden: bool
    """Whether a seat won at once, whatever the standings."""
    ending: str
    rounds: int
    decisions: list[int]
    first: int
    """The first seat that had a turn alone; -1 if there was none."""
    half: list[int]
    """The standings when half of all decisions had been made."""
    leads: int
    """How often the sole leader changed."""
    decided: float
    """The share of decisions made before the winner took the lead for good."""
    by: list[str]
    """The events by which the winner took the lead for good; empty if the victory is shared."""
    seconds: list[float]
    """How long each bot has thought."""


def analyse_game(bout: Bout, played: PlayedGame) -> Result:
    """Return the result of a game."""
    game = find(bout.game)
    seats = len(bout.bots)
    states = list(replay_states(game, bout, played.log))
    standings = [game.standing(state) for state in states]
    decisions = [played.decisions(seat) for seat in range(seats)]
    winners = [seat for seat, share in enumerate(played.shares) if share > 0]
    winner = winners[0] if len(winners) == 1 else NOBODY
    leaders = [leader(standing) for standing in standings[:-1]] + [winner]
    turn = turning_point(leaders)
    return Result(
        number=bout.number,
        deal=bout.deal,
        bots=list(bout.bots),
        shares=[round(share, 9) for share in played.shares],
        ranks=ranks(played.shares, standings[-1]),
        standing=standings[-1],
        sudden=played.ending in game.instant_endings,
        ending=played.ending,
        rounds=played.rounds,
        decisions=decisions,
        first=first_to_act_alone(states, played.log),
        half=standings[half_time(played.log)],
        leads=lead_changes(leaders),
        decided=round(share_before(played.log, turn), 4),
        by=deciding_events(game, states, played.log, turn) if winner != NOBODY else [],
        seconds=[round(spent, 6) for spent in played.seconds],
    )


def replay_states(game: Game[Any, Any], bout: Bout, log: Sequence[Step]) -> Iterator[State]:
    """Yield the state before the first step and after each."""
    state: State = game.new(bout.settings, len(bout.bots))
    yield state.copy()
    for seat, action in log:
        state.apply(seat, action)
        yield state.copy()


def leader(standing: Sequence[int]) -> Seat:
    """Return the seat with the highest standing, or NOBODY in a tie."""
    most = max(standing)
    return standing.index(most) if standing.count(most) == 1 else NOBODY


def lead_changes(leaders: Sequence[Seat]) -> int:
    """Return how often the lead changed seats, ignoring ties in between."""
    alone = [seat for seat in leaders if seat != NOBODY]
    return sum(one != other for one, other in pairwise(alone))


def turning_point(leaders: Sequence[Seat]) -> int:
    """Return the step, counted from 0, after which the last leader led for good."""
    step = len(leaders) - 1
    while step > 0 and leaders[step - 1] == leaders[-1]:
        step -= 1
    return max(step - 1, 0)  # the initial state is no step's doing


def share_before(log: Sequence[Step], step: int) -> float:
    """Return the share of all decisions made before a step."""
    made = [seat != CHANCE for seat, _ in log]
    return sum(made[:step]) / max(sum(made), 1)


def half_time(log: Sequence[Step]) -> int:
    """Return the step before which half of all decisions were made, rounded down."""
    decisions = [step for step, (seat, _) in enumerate(log) if seat != CHANCE]
    return decisions[len(decisions) // 2] if decisions else 0


def first_to_act_alone(states: Sequence[State], log: Sequence[Step]) -> Seat:
    """Return the first seat that had a turn alone.

    The last of several seats that may react does not count: they share a window until chance acts.
    """
    in_window = False
    for state, (seat, _) in zip(states, log, strict=False):
        acting = state.acting()
        if acting == CHANCE_BIT:
            in_window = False
        elif acting & (acting - 1):
            in_window = True
        elif not in_window:
            return seat
    return NOBODY


def ranks(shares: Sequence[float], standing: Sequence[int]) -> list[float]:
    """Return the places of all seats: winners first, the others by standing."""
    claims = list(zip([share > 0 for share in shares], standing, strict=True))
    winners = sum(share > 0 for share in shares)
    places = []
    for won, points in claims:
        if won:
            places.append((winners + 1) / 2)
        else:
            ahead = winners + sum(not w and p > points for w, p in claims)
            equal = sum(not w and p == points for w, p in claims)
            places.append(ahead + (equal + 1) / 2)
    return places


# --- What decided it ------------------------------------------------------------------------------


def deciding_events(
    game: Game[Any, Any], states: Sequence[State], log: Sequence[Step], turn: int
) -> list[str]:
    """Return the events of the deciding step, or the deal if nobody had decided anything yet."""
    now = game.round(states[turn])
    for state, (seat, _) in zip(states[: turn + 1], log, strict=False):
        if seat != CHANCE and game.round(state) == now:
            return event_kinds(game, states[turn], log[turn])
    return [DEAL]


def event_kinds(game: Game[Any, Any], before: State, step: Step) -> list[str]:
    """Return what happened in a step, each kind once, as `snapped card=4`.

    A card or place is named if the step was about that one alone.
    """
    events = game.events(before, *step)
    named = [things(game, event) for event in events]
    values: dict[str, set[int | str]] = {}
    for thing in named:
        for name, value in thing.items():
            values.setdefault(name, set()).add(value)
    labels = [
        [f"{name}={value}" for name, value in thing.items() if len(values[name]) == 1]
        for thing in named
    ]
    keys = [event.key.removeprefix(f"{game.name}.") for event in events]
    return list(
        dict.fromkeys(
            " ".join([key, *labels_of]) for key, labels_of in zip(keys, labels, strict=True)
        )
    )


def things(game: Game[Any, Any], event: Event) -> dict[str, int | str]:
    """Return the cards, places and colours of an event: parameters with a name that are not seats.

    Names are looked up in one language, so that results do not depend on the user's.
    """
    known = sentences(LANGUAGE)
    return {
        name: value
        for name, value in event.params.items()
        if (word := known.get(f"{game.name}.{name}.{value}"))
        and word != known.get(f"{game.name}.seat.{value}")
    }
