"""Random walks: games played at random, from a seed or from a list of choices."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Protocol, TypeAlias

from cosca.core.dice import Dice
from cosca.core.game import Game
from cosca.core.names import CHANCE, Action, Seat, pick
from cosca.core.options import Settings
from cosca.core.state import State
from cosca.match.table import Step, Table

Log: TypeAlias = tuple[Step, ...]
"""Who did what, chance included, from the start."""

LIMIT: Final = "max_rounds"
"""The option of every game that might not end by itself."""
LAST_ROUND: Final = "4"
MAX_DECISIONS: Final = 5_000
"""More decisions than any game with a round limit takes."""


class RandomSource(Protocol):
    """Decides where a walk goes."""

    def below(self, n: int, /) -> int:
        """Return a number from 0 to n - 1."""
        ...


@dataclass(frozen=True)
class TableSetup:
    """A game with settings and a number of seats: everything decided before it begins."""

    game: Game[Any, Any]
    settings: Settings
    seats: int
    name: str = ""

    def new(self) -> State:
        """Return the first state."""
        state: State = self.game.new(self.settings, self.seats)
        return state

    @property
    def must_end(self) -> bool:
        """Return whether the settings limit the number of rounds."""
        return self.settings.get(LIMIT) != 0


@dataclass(frozen=True)
class Walk:
    """A game as far as it was played. It ends with a seat to act, or nobody; chance has acted."""

    setup: TableSetup
    log: Log

    @property
    def game(self) -> Game[Any, Any]:
        """Return the game that was played."""
        return self.setup.game

    @property
    def decisions(self) -> int:
        """Return how many steps were not chance's."""
        return sum(seat != CHANCE for seat, _ in self.log)

    def with_log(self, log: Sequence[Step]) -> "Walk":
        """Return another game with the same setup."""
        return replace(self, log=tuple(log))

    def states(self) -> Iterator[State]:
        """Yield the state at the start and after each step, as copies."""
        state = self.setup.new()
        yield state.copy()
        for seat, action in self.log:
            state.apply(seat, action)
            yield state.copy()

    def end(self) -> State:
        """Return the state at the end of the walk."""
        state = self.setup.new()
        for seat, action in self.log:
            state.apply(seat, action)
        return state

    def table(self) -> Table:
        """Return a table with this log; no dice are rolled for it."""
        setup = self.setup
        return Table.resume(setup.game, setup.settings, setup.seats, self.log, Dice(0))

    def cut(self, decisions: int) -> "Walk":
        """Return the walk up to that many decisions and the answers of chance."""
        taken = 0
        for number, (seat, _) in enumerate(self.log):
            if seat != CHANCE:
                if taken == decisions:
                    return self.with_log(self.log[:number])
                taken += 1
        return self

    def cuts(self, most: int) -> list["Walk"]:
        """Return the walk cut at up to so many evenly spaced points, start and end included."""
        whole = self.decisions
        points = sorted({whole * i // max(1, most - 1) for i in range(most)} | {whole})
        return [self.cut(point) for point in points]


def table_setups(
    game: Game[Any, Any],
    house_rules: Sequence[Mapping[str, str]],
    everywhere: Mapping[str, str],
) -> list[TableSetup]:
    """Return every edition with all seats, then the house rules, with common options."""
    known = {option.key for option in game.options}
    limit = {key: value for key, value in everywhere.items() if key in known}
    tables: list[tuple[int, str, dict[str, str]]]
    tables = [(seats, edition, {}) for edition in game.editions for seats in game.seats]
    tables += [(game.default_seats, "", {**changes}) for changes in house_rules]
    return [
        TableSetup(
            game,
            game.settings(edition, {**limit, **changes}),
            seats,
            " ".join([game.name, str(seats), edition or "with", *map("=".join, changes.items())]),
        )
        for seats, edition, changes in tables
    ]


# --- Policies -------------------------------------------------------------------------------

Policy: TypeAlias = Callable[[TableSetup, State, Seat, RandomSource], Action]


def uniform_action(setup: TableSetup, state: State, seat: Seat, source: RandomSource) -> Action:
    """Choose each legal action with the same probability."""
    legal = state.legal_actions(seat)
    return legal[source.below(len(legal))]


def uniform_move(setup: TableSetup, state: State, seat: Seat, source: RandomSource) -> Action:
    """Choose each complete move with the same probability."""
    position = setup.game.position(state, seat)
    counts = setup.game.count_moves(position)
    return pick(zip(position.legal, counts, strict=True), source.below(sum(counts)))


def mostly_first_action(
    setup: TableSetup, state: State, seat: Seat, source: RandomSource
) -> Action:
    """Mostly choose the lowest action: unusual walks find unusual mistakes."""
    return (
        state.legal_actions(seat)[0]
        if source.below(4)
        else uniform_action(setup, state, seat, source)
    )


def mostly_last_action(setup: TableSetup, state: State, seat: Seat, source: RandomSource) -> Action:
    """Mostly choose the highest action, which in many games is to stop."""
    return (
        state.legal_actions(seat)[-1]
        if source.below(4)
        else uniform_action(setup, state, seat, source)
    )


POLICIES: Final[tuple[Policy, ...]] = (
    uniform_action,
    mostly_last_action,
    uniform_move,
    mostly_first_action,
)


def next_step(
    setup: TableSetup, state: State, source: RandomSource, policy: Policy = uniform_action
) -> Step:
    """Return what chance, or one of the seats that may act, does next."""
    actors = state.actors()
    if actors == (CHANCE,):
        outcomes = state.chance_outcomes()
        assert outcomes, f"chance must act but has no outcome in {setup.name}"
        return CHANCE, pick(outcomes, source.below(sum(weight for _, weight in outcomes)))
    seat = actors[source.below(len(actors))]
    assert state.legal_actions(seat), f"the legal list of seat {seat} is empty in {setup.name}"
    return seat, policy(setup, state, seat, source)


def random_walk(
    setup: TableSetup,
    source: RandomSource,
    policy: Policy = uniform_action,
    most: int = MAX_DECISIONS,
) -> Walk:
    """Play at random for at most so many decisions, and resolve the chance that follows."""
    state = setup.new()
    log: list[Step] = []
    left = most
    while (actors := state.actors()) and (left or actors == (CHANCE,)):
        step = next_step(setup, state, source, policy)
        state.apply(*step)
        log.append(step)
        left -= step[0] != CHANCE
    return Walk(setup, tuple(log))


def seeded_walks(
    setup: TableSetup, number: int, seed: int = 1, most: int = MAX_DECISIONS
) -> list[Walk]:
    """Return so many walks, with each policy in turn, the same for the same seed."""
    return [
        random_walk(setup, Dice(seed, i), POLICIES[i % len(POLICIES)], most) for i in range(number)
    ]


class ListedRolls:
    """Random numbers from a list, and zero when it runs out."""

    def __init__(self, numbers: Sequence[int]) -> None:
        self.numbers = iter(numbers)

    def below(self, n: int) -> int:
        """Return the next number, modulo n."""
        return next(self.numbers, 0) % n


class ReplayedDice:
    """Dice with which chance does at a table what it did in a walk."""

    def __init__(self, walk: Walk) -> None:
        self.state = walk.setup.new()
        self.steps = iter(walk.log)

    def draw(self, purpose: str, among: int) -> int:
        """Return the lowest roll that selects chance's next outcome in the walk."""
        for seat, action in self.steps:
            outcomes = self.state.chance_outcomes() if seat == CHANCE else []
            self.state.apply(seat, action)
            if seat == CHANCE:
                assert any(action == outcome for outcome, _ in outcomes), (
                    f"the walk is not possible: chance cannot do {action} there"
                )
                return sum(weight for outcome, weight in outcomes if outcome < action)
        raise AssertionError("chance is asked for more than it did in the walk")


def replay(walk: Walk) -> Iterator[Table]:
    """Yield the table of a walk at its start and after each submitted decision."""
    setup = walk.setup
    table = Table(setup.game, setup.settings, setup.seats, ReplayedDice(walk))
    yield table
    for seat, action in walk.log:
        if seat != CHANCE:
            table.submit(seat, action)
            yield table
