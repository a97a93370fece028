"""The laws of a table: what it accepts, what it refuses, and what it remembers."""

from collections.abc import Callable, Iterator
from typing import Any, Final

from cosca.core.errors import Refused
from cosca.core.move import Move
from cosca.core.names import CHANCE, Action, Seat
from cosca.core.state import State
from cosca.match.table import Table
from cosca.testing.case import Case, invalid_seats
from cosca.testing.laws import INVALID_VALUES, Law, state_of, translator, whole_moves
from cosca.testing.walks import ReplayedDice, Walk, replay

MOST_STEPS: Final = 5
"""No move has more actions; if more are offered, they belong to several moves."""


class TableSnapshot:
    """A copy of a table, to check later that it has not changed."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.ints = state_of(table).ints()
        self.log = list(table.log)
        self.events = list(table.events)

    def check(self, what: str) -> None:
        """Check that the table is unchanged."""
        table = self.table
        assert state_of(table).ints() == self.ints, f"{what} changed the state"
        assert table.log == self.log, f"{what} changed the log"
        assert table.events == self.events, f"{what} made something happen"


def refused(case: Case, what: str, request: Callable[..., object], *arguments: object) -> Refused:
    """Return the refusal of an invalid request, after formatting it in every language."""
    try:
        request(*arguments)
    except Refused as refusal:
        for language in case.languages:
            translator(case, language)(refusal.key, refusal.params)
        return refusal
    except Exception as error:
        raise AssertionError(f"{what} is not refused but raises {error!r}") from error
    raise AssertionError(f"{what} is not refused")


def illegal_actions_are_refused(case: Case, walk: Walk) -> int:
    """Every action outside the legal list is refused, and changes nothing."""
    checked = 0
    for cut in walk.cuts(4):
        table = cut.table()
        untouched = TableSnapshot(table)
        numbers = range(-3, case.actions + 3)
        everybody: list[Any] = [*range(walk.setup.seats), *invalid_seats(walk), *INVALID_VALUES]
        for seat_or_value in everybody:
            legal = (
                state_of(table).legal_actions(seat_or_value)
                if is_actor(table, seat_or_value)
                else []
            )
            tried = numbers if is_actor(table, seat_or_value) else (*numbers[:6], *numbers[-6:])
            for action in (*tried, *INVALID_VALUES):
                if type(action) is int and action in legal:
                    continue
                what = f"{action!r} by {seat_or_value!r} after {cut.decisions} decisions"
                refusal = refused(case, what, table.submit, seat_or_value, action)
                assert not table.is_over or refusal.key == "game_over", f"{what}: {refusal}"
                untouched.check(what)
                checked += 1
    return checked


def is_actor(table: Table, seat_or_value: object) -> bool:
    """Return whether this is a seat that may act now."""
    return type(seat_or_value) is int and seat_or_value in table.actors


def legal_actions_are_accepted(case: Case, walk: Walk) -> int:
    """Every legal action can be submitted, and is the next entry of the log."""
    checked = 0
    for cut in walk.cuts(3):
        for seat in cut.table().actors:
            legal = cut.end().legal_actions(seat)
            for action in {*legal[:3], *legal[:: max(1, len(legal) // 5)], *legal[-3:]}:
                table = cut.table()
                table.submit(seat, action)
                assert table.log[len(cut.log)] == (seat, action), f"{action} is not in the log"
                checked += 1
    return checked


def moves_are_atomic(case: Case, walk: Walk) -> int:
    """A complete move is made as submitted, or is refused and changes nothing."""
    checked = 0
    for cut in walk.cuts(4):
        table = cut.table()
        untouched = TableSnapshot(table)
        for seat in range(walk.setup.seats):
            for move in invalid_moves(case, cut.end(), seat):
                try:
                    table.submit_move(seat, move)
                except Refused as refusal:
                    translator(case, case.languages[0])(refusal.key, refusal.params)
                    untouched.check(f"the refused move {move}")
                except Exception as error:
                    raise AssertionError(f"the move {move} raises {error!r}") from error
                else:
                    check_done(case, table, seat, move, len(cut.log))
                    table = cut.table()
                    untouched = TableSnapshot(table)
                checked += 1
    return checked


def check_done(case: Case, table: Table, seat: Seat, move: Move, since: int) -> None:
    """Check that the log has exactly the actions of the move."""
    done = [action for seat_or_value, action in table.log[since:] if seat_or_value == seat]
    submitted = case.game.to_actions(move)
    made = case.game.to_actions(case.game.to_move(done))
    assert made == submitted, f"of the move {move} only {done} was done"


def invalid_moves(case: Case, state: State, seat: Seat) -> Iterator[Any]:
    """Yield moves that are nearly legal, and values that are not moves at all."""
    game = case.game
    legal = state.legal_actions(seat) or [0]
    moves = [game.to_move([action]) for action in (legal[0], legal[len(legal) // 2], legal[-1])]
    for move in moves:
        yield move
        numbers = list(move.numbers)
        for i, number in enumerate(numbers):
            for other in (number - 1, number + 1, -number, 0, 10**30, "1", None, 1.0, True):
                yield Move(move.verb, (*numbers[:i], other, *numbers[i + 1 :]))  # type: ignore[arg-type]
        for more in moves:
            yield Move(move.verb, (*move.numbers, *more.numbers))
        yield Move(move.verb, (*move.numbers, 1))
        yield Move(move.verb, move.numbers[:-1])
        yield Move(move.verb + "x", move.numbers)
        yield Move(move.verb, numbers)  # type: ignore[arg-type]
    yield from (Move(""), Move("?", (1,)), Move(None), Move("", None), Move(["x"]))  # type: ignore[arg-type]
    yield from INVALID_VALUES


def previewed_steps_lead_to_a_complete_move(case: Case, walk: Walk) -> int:
    """Actions offered one after another form a complete move, or more are offered."""
    checked = 0
    for cut in walk.cuts(24):
        table = cut.table()
        for seat in table.actors:
            for pick in (0, -1):
                steps: list[Action] = []
                left = table.position(seat).legal
                while left and len(steps) < MOST_STEPS:
                    steps.append(left[pick])
                    position, whole = table.preview_steps(seat, steps)
                    left = position.legal
                    assert whole or left, f"after the steps {steps} nothing is legal"
                    table.check_actions(seat, table.order_actions(seat, steps))
                    checked += 1
    return checked


def previews_change_nothing(case: Case, walk: Walk) -> int:
    """A preview returns the position after the move, and changes nothing."""
    checked = 0
    moves = list(whole_moves(walk))
    for number in sorted({len(moves) * i // 6 for i in range(6)} if moves else ()):
        seat, run = moves[number]
        before = walk.cut(sum(len(actions) for _, actions in moves[:number]))
        table = before.table()
        untouched = TableSnapshot(table)
        seen = table.preview(seat, case.game.to_move(run))
        untouched.check("a preview")
        state = before.end()
        for action in run:
            state.apply(seat, action)
        assert seen == case.game.position(state, seat), f"the preview of {run} differs"
        checked += 1
    return checked


def tables_resume_from_their_log(case: Case, walk: Walk) -> int:
    """A table resumed from its log at any point is the same; an invalid log is refused."""
    cuts = {len(cut.log): cut for cut in walk.cuts(6)}
    checked = 0
    for table in replay(walk):
        if len(table.log) not in cuts:
            continue
        resumed = cuts[len(table.log)].table()
        TableSnapshot(table).check("playing")
        assert resumed.log == table.log, "the resumed table has another log"
        assert resumed.events == table.events, "the resumed table has other events"
        assert state_of(resumed).ints() == state_of(table).ints(), (
            "the resumed table has another state"
        )
        check_invalid_logs(case, cuts[len(table.log)])
        checked += 1
    assert table.log == list(walk.log), "submitted step by step, the log is another"
    for number in range(0, len(walk.log), max(1, len(walk.log) // 10)):
        resumed = walk.with_log(walk.log[:number]).table()
        assert resumed.actors != (CHANCE,), f"a table resumed after step {number} waits for chance"
        assert resumed.log[:number] == list(walk.log[:number]), "a resumed table changes its log"
    return checked


def check_invalid_logs(case: Case, walk: Walk) -> None:
    """Check that every step is validated when a table is resumed."""
    wrong: list[Any] = [(seat, case.actions) for seat in (*range(walk.setup.seats), CHANCE)]
    wrong += [
        (99, 0),
        (CHANCE, -1),
        (None, 0),
        (0, None),
        (True, 0),
        (0, 0.0),
        (0, "0"),
        (0, 2**70),
    ]
    for step in wrong:
        invalid = walk.with_log((*walk.log, step))
        refusal = refused(case, f"the false step {step} in a log", invalid.table)
        assert refusal.params.get("line") == len(walk.log) + 1, f"the wrong line: {refusal}"


def complete_moves_make_the_same_log(case: Case, walk: Walk) -> int:
    """The same moves, submitted as complete moves, make the same log."""
    setup = walk.setup
    table = Table(setup.game, setup.settings, setup.seats, ReplayedDice(walk))
    checked = 0
    for seat, run in whole_moves(walk):
        table.submit_move(seat, case.game.to_move(run))
        checked += 1
    assert table.log == list(walk.log[: len(table.log)]), "whole moves make another log"
    return checked


TABLE_LAWS: Final[tuple[Law, ...]] = (
    illegal_actions_are_refused,
    legal_actions_are_accepted,
    complete_moves_make_the_same_log,
    moves_are_atomic,
    previewed_steps_lead_to_a_complete_move,
    previews_change_nothing,
    tables_resume_from_their_log,
)
"""The laws of a table at which the game is played."""
