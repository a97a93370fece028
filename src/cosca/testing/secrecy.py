"""The laws of hidden information: games that differ only in what a seat may not know look the same.

For every walk, the case of the game names other games that a seat could not tell from it: its
twins. The laws play both side by side, and compare everything the seat is sent and everything it
may ask for.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import Any, Final

from cosca.bots.consigliere import advise
from cosca.bots.win_chances import win_chances
from cosca.core.dice import Dice
from cosca.core.errors import Refused
from cosca.core.names import CHANCE_BIT, Seat
from cosca.core.state import State
from cosca.match.record import canonical_json
from cosca.match.table import Table
from cosca.testing.case import Case, viewers
from cosca.testing.laws import INVALID_VALUES, Law, some_bots, state_of, translator, wire
from cosca.testing.table_laws import invalid_moves
from cosca.testing.walks import Walk, replay

CUTS: Final = 6
"""At how many points of a walk twins are compared: the earlier, the more is hidden."""
WORLD_CUTS: Final = 3
"""The same for sampled worlds, which need many samples."""
EVERY: Final = 3
"""A world is sampled from the wire at every so-many-th step."""
FIRST: Final = 2
"""Up to how many decisions (and at the end) a seat also asks for everything it may."""
WRONG_NUMBERS: Final = 25
"""About how many illegal actions are tried at each point."""
A_FEW: Final = 8
"""Enough simulations to show whether advice and chances use hidden information."""
WORLDS: Final = 120
"""How many worlds are sampled to see which states occur,"""
MOST_WORLDS: Final = 20_000
"""and how many at most, if a possible state has not occurred."""


# --- Secrecy ----------------------------------------------------------------------------------


def twins_look_the_same(case: Case, walk: Walk) -> int:
    """Positions, events, legal lists, errors and sampled worlds are the same, byte for byte."""
    compared = 0
    for cut in walk.cuts(CUTS):
        for seat in viewers(walk):
            logs = case.twins(cut, seat, Dice(compared))
            seen = list(views(case, cut, seat)) if logs else []
            steps = list(chance_steps(case, cut, seat)) if logs else []
            for log in logs:
                twin = cut.with_log(log)
                alike = common_steps(cut, twin)
                compare(cut, seen, views(case, twin, seat, alike), seat)
                compared += differ(steps, chance_steps(case, twin, seat, alike), seat)
    return compared


def unspoken_facts_are_public(case: Case, walk: Walk) -> int:
    """The facts that only records state are the same for twins: everybody could see them."""
    compared = 0
    for cut in walk.cuts(CUTS):
        for seat in viewers(walk):
            for log in case.twins(cut, seat, Dice(compared))[:1]:
                pairs = zip(unspoken(case, cut), unspoken(case, cut.with_log(log)), strict=True)
                for step, (one, two) in enumerate(pairs, start=1):
                    assert one == two, (
                        f"{who(seat)} can tell two games apart by what is unspoken in step {step}"
                        f" of {walk.setup.name}: {one} or {two}"
                    )
                    compared += 1
    return compared


def unspoken(case: Case, walk: Walk) -> Iterator[str]:
    """Yield the facts that only the record states, for each step of a walk."""
    for state, (seat, action) in zip(walk.states(), walk.log, strict=False):
        facts = case.game.unspoken_events(state, seat, action)
        yield canonical_json([(fact.key, dict(fact.params)) for fact in facts])


def bots_and_advice_are_the_same_for_twins(case: Case, walk: Walk) -> int:
    """Bots, advice and win chances are the same, since they use what the seat knows."""
    compared = 0
    for cut in walk.cuts(CUTS):
        for seat in viewers(walk):
            for log in case.twins(cut, seat, Dice(compared))[:1]:
                one = thoughts(case, cut.table(), seat)
                two = thoughts(case, cut.with_log(log).table(), seat)
                for (what, of_one), (_, of_two) in zip(one, two, strict=True):
                    assert of_one == of_two, (
                        f"{what} of {who(seat)} can tell two games apart, after {cut.decisions}"
                        f" decisions of {walk.setup.name}: {of_one} or {of_two}"
                    )
                    compared += 1
    return compared


def common_steps(one: Walk, other: Walk) -> int:
    """Return how many steps two walks share; until then there is nothing to compare."""
    pairs = enumerate(zip(one.log, other.log, strict=False))
    return next((number for number, (a, b) in pairs if a != b), len(one.log))


def compare(
    walk: Walk, seen: list[dict[str, str]], other: Iterator[dict[str, str]], seat: Seat
) -> None:
    """Check that a seat sees the same of a walk and of a twin."""
    for number, (one, two) in enumerate(zip(seen, other, strict=True)):
        for what in two:
            assert one[what] == two[what], (
                f"{who(seat)} can tell two games apart by {what}, after {number} decisions"
                f" of {walk.setup.name}: {one[what]} or {two[what]}"
            )


def who(seat: Seat) -> str:
    """Return a viewer as words."""
    return f"seat {seat}" if seat >= 0 else "a spectator"


def views(case: Case, walk: Walk, seat: Seat, since: int = -1) -> Iterator[dict[str, str]]:
    """Yield what a seat sees at the start and after each decision, and sometimes what it may ask.

    Steps up to `since` yield nothing.
    """
    seen_events = 0
    last = walk.decisions
    try:
        for number, table in enumerate(replay(walk)):
            if len(table.log) <= since:
                yield {}
            else:
                seen = view(table, seat, seen_events)
                yield (
                    seen | answers(case, table, seat) if number == last or number < FIRST else seen
                )
            seen_events = len(table.events)
    except Refused as refused:
        raise AssertionError(
            f"a twin cannot be played ({refused}): a legal list depends on what {who(seat)} may not"
            " know, or the case is wrong"
        ) from None


def view(table: Table, seat: Seat, since: int) -> dict[str, str]:
    """Return everything a seat sees at a table now, by name: the first difference is reported."""
    events = [
        (event.key, dict(event.params), event.reason and asdict(event.reason))
        for event in table.events_for(seat, since)
    ]
    return {
        "the legal list": canonical_json(state_of(table).legal_actions(seat)),
        "the position": wire(table.position(seat)),
        "the events": canonical_json(events),
        "the outcome": canonical_json([table.round, table.is_over, table.ending, table.returns()]),
    }


def answers(case: Case, table: Table, seat: Seat) -> dict[str, str]:
    """Return everything a seat may ask for at a table now."""
    game = case.game
    position: Any = table.position(seat)
    worlds = [game.sample(position, Dice(seed)).ints() for seed in range(3)]
    say = translator(case, case.languages[0])
    acts = seat in table.actors
    moves = game.candidates(position) if acts else []
    reasons = [game.explain(position, move) for move in moves]
    return {
        "the errors": canonical_json(list(errors(case, table, seat))),
        "the sampled worlds": canonical_json(worlds),
        "the drawing": canonical_json(game.render_drawing(position, table.settings, say)),
        "the layout": canonical_json(game.render_layout(position, table.settings, say)),
        "the choices": canonical_json([game.choice(position, action) for action in position.legal]),
        "the counted moves": canonical_json(game.count_moves(position) if acts else []),
        "the timeout action": canonical_json(game.timeout_action(position) if acts else None),
        "the candidates": canonical_json(moves),
        "the explanations": canonical_json([reason and asdict(reason) for reason in reasons]),
    }


def thoughts(case: Case, table: Table, seat: Seat) -> Iterator[tuple[str, object]]:
    """Yield what bots, advice and chances make of what a seat knows now."""
    game = case.game
    position: Any = table.position(seat)
    if seat in table.actors:
        for name, bot in some_bots(game, sum(position.legal)).items():
            yield name, bot(position, Dice(9))
        yield "the consigliere", asdict(advise(game, position, A_FEW))
        begun = advise(game, position, A_FEW, position.legal[:1])
        yield "the consigliere after a step", asdict(begun)
    if seat >= 0:
        yield "the chances", win_chances(game, position, A_FEW)


def errors(case: Case, table: Table, seat: Seat) -> Iterator[object]:
    """Yield the refusals a seat gets when it tries something illegal."""
    legal = state_of(table).legal_actions(seat)
    step = max(1, case.actions // WRONG_NUMBERS)
    for action in (*range(-1, case.actions + 1, step), case.actions, *INVALID_VALUES):
        if not (type(action) is int and action in legal):
            yield refusal_of(table.submit, seat, action)
    for move in invalid_moves(case, state_of(table), seat):
        yield refusal_of(table.preview, seat, move)


def refusal_of(request: Callable[..., object], *arguments: object) -> object:
    """Return the refusal of a request as it is sent; None if it is granted."""
    try:
        request(*arguments)
    except Refused as refused:
        return [refused.key, refused.params]
    return None


def chance_steps(
    case: Case, walk: Walk, seat: Seat, since: int = -1
) -> Iterator[tuple[str, list[int]]]:
    """Yield what a seat sees while chance acts, and the true state; `views` covers the rest."""
    for number, state in enumerate(walk.states()):
        if number <= since:
            yield "", []
        else:
            acts = state.acting() == CHANCE_BIT
            yield wire(case.game.position(state, seat)) if acts else "", state.ints()


def differ(
    steps: list[tuple[str, list[int]]], other: Iterator[tuple[str, list[int]]], seat: Seat
) -> bool:
    """Return whether twins differ at all; check that nothing shows while chance acts."""
    unlike = False
    for (a, one), (b, two) in zip(steps, other, strict=True):
        if not two:
            continue
        assert a == b, f"{who(seat)} can tell two games apart while chance acts: {a} or {b}"
        unlike = unlike or one != two
    return unlike


# --- Worlds -----------------------------------------------------------------------------------


def sampling_needs_only_the_wire_position(case: Case, walk: Walk) -> int:
    """A world is sampled from the data of a position alone, not from hidden attributes."""
    checked = 0
    start = walk.setup.new()
    for number, state in enumerate(walk.states()):
        for seat in viewers(walk) if number % EVERY == 0 else ():
            position = case.game.position(state, seat)
            world = case.game.sample(position, Dice(number)).ints()
            case.game.position(start, seat)  # so that a game caching its last position is caught
            sent = case.game.read_position(json.loads(wire(position)))
            again = case.game.sample(sent, Dice(number)).ints()
            assert world == again, (
                f"the sampled worlds of {who(seat)} come from more than the position,"
                f" after step {number} of {walk.setup.name}"
            )
            checked += 1
    return checked


def sampled_worlds_fit_and_cover_the_truth(case: Case, walk: Walk) -> int:
    """Sampled worlds look the same to the seat, and cover the true state and its twins.

    Where there are too many worlds for that, each number of the truth and of each twin occurs in
    one.
    """
    checked = 0
    for cut in walk.cuts(WORLD_CUTS):
        for seat in viewers(walk):
            twins = case.twins(cut, seat, Dice(0))
            if case.has_secrets:
                others = [cut.with_log(log).end() for log in twins]
                now = cut.end().ints()
                check_worlds(case, cut, seat, [one for one in others if one.ints() != now])
            else:
                assert not twins, "a game without secrets must have no twins"
                check_only_world(case, cut, seat)
            checked += 1
    return checked


def check_only_world(case: Case, walk: Walk, seat: Seat) -> None:
    """Check that with nothing hidden, the only world is the truth."""
    state = walk.end()
    for seed in range(2):
        world: State = case.game.sample(case.game.position(state, seat), Dice(seed))
        assert world.ints() == state.ints(), f"{who(seat)} samples a world that is not the truth"


def check_worlds(case: Case, walk: Walk, seat: Seat, twins: list[State]) -> None:
    """Sample worlds until every possible state has occurred, or too many were sampled."""
    state = walk.end()
    position = case.game.position(state, seat)
    seen = wire(position)
    pieces = case.pieces(state)
    found: set[tuple[int, ...]] = set()
    wanted = [possible.ints() for possible in (state, *twins)] if twins else []
    missing = {(place, number) for ints in wanted for place, number in enumerate(ints)}
    enough = WORLDS if twins else 3
    for seed in range(MOST_WORLDS):
        if seed >= enough and not missing:
            break
        world: State = case.game.sample(position, Dice(seed))
        where = f"a sampled world of {who(seat)} after {walk.decisions} decisions"
        assert wire(case.game.position(world, seat)) == seen, f"{where} does not fit the position"
        assert case.pieces(world) == pieces, f"{where} has lost or made pieces"
        ints = world.ints()
        found.add(tuple(ints))
        missing -= set(enumerate(ints))
    assert not twins or len(found) > 1, (
        f"all sampled worlds of {who(seat)} are one, but more are possible"
    )
    for place, number in missing:
        raise AssertionError(
            f"the sampled worlds of {who(seat)} never reach what may be the truth:"
            f" integer {place} is never {number}"
        )
    if twins:
        check_found(found, wanted, seat)


def check_found(found: set[tuple[int, ...]], wanted: list[list[int]], seat: Seat) -> None:
    """Check that every possible state occurs, where there are few."""
    if len(found) < WORLDS // 8:  # few enough that each should occur many times
        for ints in wanted:
            assert tuple(ints) in found, (
                f"the sampled worlds of {who(seat)} never reach what may be the truth: {ints}"
            )


WORLD_LAWS: Final[tuple[Law, ...]] = (
    sampling_needs_only_the_wire_position,
    sampled_worlds_fit_and_cover_the_truth,
)
"""The laws of sampled worlds."""
SECRECY_LAWS: Final[tuple[Law, ...]] = (
    twins_look_the_same,
    bots_and_advice_are_the_same_for_twins,
    unspoken_facts_are_public,
)
"""The laws of secrecy, separate because not every game has secrets."""
