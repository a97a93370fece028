"""How one game of an arena went, looked back at: who stood where, who led, what decided it."""

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
"""Stands for all that chance does in a round before anybody has decided something."""


class Result(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One game: a line of `games.jsonl`. Everything but `seconds` follows from the contest."""

    number: int
    deal: int
    bots: list[str]
    """At each seat; so are all lists below."""
    shares: list[float]
    """Of the victory."""
    ranks: list[float]
    """From 1; equals share the mean of their places."""
    standing: list[int]
    """What each had in the end, as the game counts."""
    sudden: bool
    """Whether somebody won at once, whatever the others had."""
    ending: str
    rounds: int
    decisions: list[int]
    first: int
    """The first seat whose turn it was alone; -1 if none ever had one."""
    half: list[int]
    """What each had when half of all decisions were made."""
    leads: int
    """How often another seat came to lead alone."""
    decided: float
    """The share of all decisions that were made before the winner led for good."""
    by: list[str]
    """What happened in the step by which the winner came to lead for good; empty if shared."""
    seconds: list[float]
    """How long each has thought."""


def analyse_game(bout: Bout, played: PlayedGame) -> Result:
    """All that is to be kept of a game."""
    game = find(bout.game)
    seats = len(bout.bots)
    states = list(walk(game, bout, played.log))
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


def walk(game: Game[Any, Any], bout: Bout, log: Sequence[Step]) -> Iterator[State]:
    """What was true before the first step and after each."""
    state: State = game.new(bout.settings, len(bout.bots))
    yield state.copy()
    for seat, action in log:
        state.apply(seat, action)
        yield state.copy()


def leader(standing: Sequence[int]) -> Seat:
    """Who alone stands highest."""
    most = max(standing)
    return standing.index(most) if standing.count(most) == 1 else NOBODY


def lead_changes(leaders: Sequence[Seat]) -> int:
    """How often the lead went from one seat to another; a tie in between does not matter."""
    alone = [seat for seat in leaders if seat != NOBODY]
    return sum(one != other for one, other in pairwise(alone))


def turning_point(leaders: Sequence[Seat]) -> int:
    """The step, counted from 0, after which the last leader led for good."""
    step = len(leaders) - 1
    while step > 0 and leaders[step - 1] == leaders[-1]:
        step -= 1
    return max(step - 1, 0)  # what is true before the first step is no step's doing


def share_before(log: Sequence[Step], step: int) -> float:
    """The share of all decisions that were made before a step."""
    made = [seat != CHANCE for seat, _ in log]
    return sum(made[:step]) / max(sum(made), 1)


def half_time(log: Sequence[Step]) -> int:
    """The step before which half of all decisions were made, rounded down."""
    decisions = [step for step, (seat, _) in enumerate(log) if seat != CHANCE]
    return decisions[len(decisions) // 2] if decisions else 0


def first_to_act_alone(states: Sequence[State], log: Sequence[Step]) -> Seat:
    """The first seat whose turn it was alone.

    The last to answer where several could is no such seat: a window is open until chance acts.
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
    """The places of all seats: winners first, the others as they stand."""
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
    """What happened in the step that decided; one of a deal is no card's doing but the deal's."""
    now = game.round(states[turn])
    for state, (seat, _) in zip(states[: turn + 1], log, strict=False):
        if seat != CHANCE and game.round(state) == now:
            return event_kinds(game, states[turn], log[turn])
    return [DEAL]


def event_kinds(game: Game[Any, Any], before: State, step: Step) -> list[str]:
    """What happened in a step, each kind once, as `snapped card=4`.

    A card or a place stands there if the step was about that one alone.
    """
    events = game.events(before, *step)
    named = [things(game, event) for event in events]
    values: dict[str, set[int | str]] = {}
    for thing in named:
        for name, value in thing.items():
            values.setdefault(name, set()).add(value)
    told = [
        [f"{name}={value}" for name, value in thing.items() if len(values[name]) == 1]
        for thing in named
    ]
    keys = [event.key.removeprefix(f"{game.name}.") for event in events]
    return list(dict.fromkeys(" ".join([key, *its]) for key, its in zip(keys, told, strict=True)))


def things(game: Game[Any, Any], event: Event) -> dict[str, int | str]:
    """The cards, places and colours of an event: what has a name in its game and is no seat.

    In one language, so that what is kept of a game does not hang on who let it be played.
    """
    known = sentences(LANGUAGE)
    return {
        name: value
        for name, value in event.params.items()
        if (word := known.get(f"{game.name}.{name}.{value}"))
        and word != known.get(f"{game.name}.seat.{value}")
    }
