"""The laws of the checked door: what a table lets in, what it refuses, and what it remembers."""

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
"""No move has more; whoever is offered more thinks of several moves, one after another."""


class TableSnapshot:
    """A table as it is now, to see later that it has not changed."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.ints = state_of(table).ints()
        self.log = list(table.log)
        self.events = list(table.events)

    def check(self, what: str) -> None:
        """The table is as it was."""
        table = self.table
        assert state_of(table).ints() == self.ints, f"{what} changed the state"
        assert table.log == self.log, f"{what} changed the log"
        assert table.events == self.events, f"{what} made something happen"


def refused(case: Case, what: str, wish: Callable[..., object], *words: object) -> Refused:
    """The refusal of something that must be refused, told in every language."""
    try:
        wish(*words)
    except Refused as refusal:
        for language in case.languages:
            translator(case, language)(refusal.key, refusal.params)
        return refusal
    except Exception as error:
        raise AssertionError(f"{what} is not refused but breaks the door: {error!r}") from error
    raise AssertionError(f"{what} is not refused")


def illegal_actions_are_refused(case: Case, walk: Walk) -> int:
    """What is not in the legal list of one who may act is refused, and leaves all as it was."""
    looked = 0
    for cut in walk.cuts(4):
        table = cut.table()
        untouched = TableSnapshot(table)
        numbers = range(-3, case.actions + 3)
        everybody: list[Any] = [*range(walk.setup.seats), *invalid_seats(walk), *INVALID_VALUES]
        for who in everybody:
            legal = state_of(table).legal_actions(who) if is_actor(table, who) else []
            far = numbers if is_actor(table, who) else (*numbers[:6], *numbers[-6:])
            for action in (*far, *INVALID_VALUES):
                if type(action) is int and action in legal:
                    continue
                what = f"{action!r} by {who!r} after {cut.decisions} decisions"
                refusal = refused(case, what, table.submit, who, action)
                assert not table.is_over or refusal.key == "game_over", f"{what}: {refusal}"
                untouched.check(what)
                looked += 1
    return looked


def is_actor(table: Table, who: object) -> bool:
    """Whether that is a seat that may act now."""
    return type(who) is int and who in table.actors


def legal_actions_are_accepted(case: Case, walk: Walk) -> int:
    """What is in a legal list can be submitted, and stands in the log first of all that follows."""
    looked = 0
    for cut in walk.cuts(3):
        for seat in cut.table().actors:
            legal = cut.end().legal_actions(seat)
            for action in {*legal[:3], *legal[:: max(1, len(legal) // 5)], *legal[-3:]}:
                table = cut.table()
                table.submit(seat, action)
                assert table.log[len(cut.log)] == (seat, action), f"{action} is not in the log"
                looked += 1
    return looked


def moves_are_atomic(case: Case, walk: Walk) -> int:
    """A whole move is done as it was said, or is refused and leaves all as it was."""
    looked = 0
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
                    raise AssertionError(f"the move {move} breaks the door: {error!r}") from error
                else:
                    check_done(case, table, seat, move, len(cut.log))
                    table = cut.table()
                    untouched = TableSnapshot(table)
                looked += 1
    return looked


def check_done(case: Case, table: Table, seat: Seat, move: Move, since: int) -> None:
    """The log says just what the move said."""
    done = [action for who, action in table.log[since:] if who == seat]
    said = case.game.to_actions(move)
    meant = case.game.to_actions(case.game.to_move(done))
    assert meant == said, f"of the move {move} only {done} was done"


def invalid_moves(case: Case, state: State, seat: Seat) -> Iterator[Any]:
    """Moves a little beside those that are legal, and what is no move at all."""
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
    """Steps that are offered one after another can be handed in, or others are offered after."""
    looked = 0
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
                    assert whole or left, f"after the steps {steps} there is nothing to be done"
                    table.check_actions(seat, table.order_actions(seat, steps))
                    looked += 1
    return looked


def previews_change_nothing(case: Case, walk: Walk) -> int:
    """A preview shows the position after the move and leaves all as it was."""
    looked = 0
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
        assert seen == case.game.position(state, seat), f"the preview of {run} shows otherwise"
        looked += 1
    return looked


def tables_resume_from_their_log(case: Case, walk: Walk) -> int:
    """A table is its log: taken up again at any point it is the same; a false log is refused."""
    cuts = {len(cut.log): cut for cut in walk.cuts(6)}
    looked = 0
    for table in replay(walk):
        if len(table.log) not in cuts:
            continue
        again = cuts[len(table.log)].table()
        TableSnapshot(table).check("playing")
        assert again.log == table.log, "the table taken up again has another log"
        assert again.events == table.events, "the table taken up again tells otherwise"
        assert state_of(again).ints() == state_of(table).ints(), (
            "the table taken up again is another"
        )
        check_invalid_logs(case, cuts[len(table.log)])
        looked += 1
    assert table.log == list(walk.log), "played through the door the log is another"
    for number in range(0, len(walk.log), max(1, len(walk.log) // 10)):
        again = walk.with_log(walk.log[:number]).table()
        assert again.actors != (CHANCE,), f"a table taken up after step {number} waits for chance"
        assert again.log[:number] == list(walk.log[:number]), "a table taken up changes its past"
    return looked


def check_invalid_logs(case: Case, walk: Walk) -> None:
    """Every step is checked when a table is taken up again."""
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
        false = walk.with_log((*walk.log, step))
        refusal = refused(case, f"the false step {step} in a log", false.table)
        assert refusal.params.get("line") == len(walk.log) + 1, f"the wrong line: {refusal}"


def complete_moves_make_the_same_log(case: Case, walk: Walk) -> int:
    """The same moves, handed in whole, make the same log."""
    setup = walk.setup
    table = Table(setup.game, setup.settings, setup.seats, ReplayedDice(walk))
    looked = 0
    for seat, run in whole_moves(walk):
        table.submit_move(seat, case.game.to_move(run))
        looked += 1
    assert table.log == list(walk.log[: len(table.log)]), "whole moves make another log"
    return looked


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
