"""The laws that every game keeps, each along a walk. The door and what hides have their own files.

A law raises AssertionError with a sentence, and says how many things it looked at: one that looked
at nothing proves nothing, and the tests ask for more than that.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import isclose
from typing import Any, Final, TypeAlias

from cosca.bots.characters import CHARACTERS
from cosca.bots.roster import Bot, plain_bots, roster
from cosca.bots.search.budget import Budget
from cosca.core.buffers import Outcomes, Spans
from cosca.core.choice import Heading
from cosca.core.dice import Dice
from cosca.core.drawing import Grid
from cosca.core.errors import Param, Refused
from cosca.core.events import Event
from cosca.core.game import Game
from cosca.core.names import CHANCE, SPECTATOR, Action, Seat
from cosca.core.options import AIDED
from cosca.core.position import Position
from cosca.core.state import State
from cosca.match.record import canonical_json
from cosca.match.table import Table
from cosca.testing.case import Case, invalid_seats, viewers
from cosca.testing.walks import Walk, next_step

Law: TypeAlias = Callable[[Case, Walk], int]
TINY_BUDGET: Final = Budget(simulations=12)
"""All that bots which search may do while laws are tested."""

INVALID_VALUES: Final[tuple[Any, ...]] = (
    *(None, True, False, 0.0, 1.0, 1.5, float("nan"), "", "x", "0", b"0", (), [0], {}),
    *(10**30, -(10**30), 2**31, 2**32, 2**63, -(2**31) - 1),
)
"""What is no action and no seat, though some of it looks like one."""
MOST_ACTIONS: Final = 1024
"""As many as `core.state` has numbers for; compiled, nothing looks whether there are more."""
MANY_MOVES: Final = 3_000
"""More whole moves than are enumerated one by one."""
BOARD_WIDTH: Final = 78
PLAYERS_WIDTH: Final = 44
BUTTON_WIDTH: Final = 40
CELL_WIDTH: Final = 60
STYLES: Final = frozenset({"title", "strong", "dim", "accent", "scenery"})


def wire(position: Position) -> str:
    """A position as it goes over the wire."""
    return canonical_json(position.to_wire())


def state_of(table: Table) -> State:
    """The state of a table. Outside the tests nobody may look at it."""
    state: State = table._state
    return state


def answers_of(state: State, seats: int) -> list[object]:
    """All that a state answers when it is asked who may do what."""
    chance = state.chance_outcomes() if state.actors() == (CHANCE,) else []
    return [
        state.actors(),
        [state.legal_actions(seat) for seat in range(seats)],
        chance,
        state.returns(),
    ]


# --- The contract of a state ------------------------------------------------------------------


def legal_actions_are_sorted_and_never_empty(case: Case, walk: Walk) -> int:
    """Before the end somebody may act and has something to do; nobody else has."""
    seats = range(walk.setup.seats)
    assert case.actions <= MOST_ACTIONS, "the core knows fewer action numbers than the game has"
    looked = 0
    for number, state in enumerate(walk.states()):
        where = f"after step {number} of {walk.setup.name}"
        actors = state.actors()
        assert state.is_over == (not actors), (
            f"over or not, and yet somebody or nobody acts {where}"
        )
        assert actors == (CHANCE,) or (
            set(actors) <= set(seats) and list(actors) == sorted(set(actors))
        ), f"the actors {actors} are not seats in order {where}"
        for seat in actors if actors != (CHANCE,) else ():
            legal = state.legal_actions(seat)
            assert legal, f"the legal list of seat {seat} is empty {where}"
            assert legal == sorted(legal), f"the legal list of seat {seat} is not sorted {where}"
            assert len(legal) == len(set(legal)), f"the legal list says something twice {where}"
            assert 0 <= legal[0] <= legal[-1] < case.actions, f"no such action number {where}"
            looked += 1
        for other in (*seats, *invalid_seats(walk)):
            waits = other == CHANCE or other not in actors
            assert not waits or state.legal_actions(other) == [], (
                f"{other} may not act and yet has a legal list {where}"
            )
    return looked


def buffers_agree_with_lists(case: Case, walk: Walk) -> int:
    """Search reads spans and totals, not lists: they say the same, and no span is empty."""
    legal, outcomes = Spans(), Outcomes()
    looked = 0
    for number, state in enumerate(walk.states()):
        where = f"after step {number} of {walk.setup.name}"
        for seat in range(walk.setup.seats):
            state.fill_legal(seat, legal)
            spans = list(zip(legal.first, legal.last, strict=True))[: legal.count]
            assert all(first <= last for first, last in spans), f"a span is empty {where}"
            assert legal.total == len(state.legal_actions(seat)), (
                f"the spans say {legal.total} {where}"
            )
            looked += legal.count
        if state.actors() == (CHANCE,):
            state.fill_chance(outcomes)
            weights = sum(weight for _, weight in state.chance_outcomes())
            assert outcomes.total == weights, f"chance weighs {outcomes.total} {where}"
    return looked


def chance_outcomes_have_weights(case: Case, walk: Walk) -> int:
    """What chance may do is ascending, each once, each with a weight above zero, for a purpose."""
    looked = 0
    for number, state in enumerate(walk.states()):
        if state.actors() == (CHANCE,):
            where = f"after step {number} of {walk.setup.name}"
            actions = [action for action, _ in state.chance_outcomes()]
            assert actions, f"chance is to act and can do nothing {where}"
            assert actions == sorted(set(actions)), f"chance's outcomes are not ascending {where}"
            assert all(weight > 0 for _, weight in state.chance_outcomes()), (
                f"a weight is not positive {where}"
            )
            purpose = case.game.chance_purpose(state)
            assert re.fullmatch(r"[a-z_]+", purpose), f"the purpose is {purpose!r} {where}"
            looked += 1
    return looked


def copies_are_independent(case: Case, walk: Walk) -> int:
    """A copy is equal, and neither hears what becomes of the other."""
    looked = 0
    for cut in walk.cuts(10):
        for early in (True, False):  # the copy goes on, or the original does
            one = cut.end()
            other = one.copy()
            assert type(one) is type(other), "a copy is of another kind"
            assert one.ints() == other.ints(), f"a copy is not equal in {walk.setup.name}"
            moved, kept = (other, one) if early else (one, other)
            before = kept.ints(), answers_of(kept, walk.setup.seats)
            play_on(cut, moved, 20)
            after = kept.ints(), answers_of(kept, walk.setup.seats)
            assert before == after, (
                f"a state changed when its copy was played on, in {walk.setup.name}"
                f" after {cut.decisions} decisions"
            )
            looked += moved.ints() != kept.ints()
    return looked


def play_on(walk: Walk, state: State, steps: int) -> None:
    """Play a state on at random for a while."""
    dice = Dice(steps)
    for _ in range(steps):
        if state.actors():
            state.apply(*next_step(walk.setup, state, dice))


def same_actions_give_the_same_state(case: Case, walk: Walk) -> int:
    """Who does the same again comes to the same, step by step."""
    looked = 0
    for one, other in zip(walk.states(), walk.states(), strict=True):
        assert one.ints() == other.ints(), f"the same actions differ at step {looked}"
        looked += 1
    assert walk.end().ints() == one.ints(), "the same actions without copies differ"
    return looked


def ints_hold_the_whole_state(case: Case, walk: Walk) -> int:
    """`load` makes of `ints` a state that answers and goes on just like the first."""
    states = list(walk.states())
    looked = 0
    for number, (state, step) in enumerate(zip(states, walk.log, strict=False)):
        where = f"after step {number} of {walk.setup.name}"
        ints = state.ints()
        assert all(type(n) is int for n in ints), f"ints() gives what is no integer {where}"
        for other in (walk.setup.new(), states[-1].copy()):
            other.load(ints)
            assert other.ints() == ints, f"load() does not become the state {where}"
            assert answers_of(other, state.seats) == answers_of(state, state.seats), (
                f"a loaded state answers otherwise {where}"
            )
            other.apply(*step)
            assert other.ints() == states[number + 1].ints(), f"it goes on otherwise {where}"
            looked += 1
        assert state.ints() == ints, f"load() keeps hold of the list it was given {where}"
    return looked


def pieces_are_conserved(case: Case, walk: Walk) -> int:
    """Nothing is made and nothing lost: along the walk, and by any legal action near it."""
    whole = case.pieces(walk.setup.new())
    looked = 0
    for number, state in enumerate(walk.states()):
        assert case.pieces(state) == whole, (
            f"pieces are lost or made by step {number} of {walk.setup.name}:"
            f" {case.pieces(state)}, not {whole}"
        )
        looked += 1
    for cut in walk.cuts(6):
        state = cut.end()
        for seat in state.actors():
            for action in state.legal_actions(seat):
                after = state.copy()
                after.apply(seat, action)
                assert case.pieces(after) == whole, (
                    f"pieces are lost or made when seat {seat} does {action}"
                    f" after {cut.decisions} decisions of {walk.setup.name}"
                )
                looked += 1
    return looked


def returns_add_up_at_the_end(case: Case, walk: Walk) -> int:
    """Nobody has won before the end; then the shares add up to one, for a reason with a name."""
    seats = walk.setup.seats
    assert case.game.endings[0] == "", "the first ending is that of a game that goes on"
    looked = 0
    for state in walk.states():
        shares = state.returns()
        assert len(shares) == seats, "not every seat has its share"
        if state.is_over:
            assert isclose(sum(shares), 1), f"the shares {shares} do not add up to one"
            assert min(shares) >= 0, f"a share is below zero: {shares}"
            assert case.game.endings[state.ending()], "the ending has no name"
            assert 0 < state.winners() < 1 << seats, "a winner sits nowhere"
        else:
            assert not any(shares), f"a game that goes on has the shares {shares}"
        looked += 1
    return looked


def the_game_ends(case: Case, walk: Walk) -> int:
    """With a last round a game ends; rounds only go up."""
    rounds = [case.game.round(state) for state in walk.states()]
    assert rounds == sorted(rounds), f"rounds are counted back in {walk.setup.name}"
    assert not walk.setup.must_end or walk.end().is_over, (
        f"{walk.setup.name} did not end in {walk.decisions} decisions"
    )
    return len(rounds)


def winners_have_the_highest_standing(case: Case, walk: Walk) -> int:
    """Each seat has a standing, and the winners stand highest, unless somebody won at once."""
    assert set(case.game.instant_endings) <= set(case.game.endings[1:]), "a sudden ending is none"
    looked = 0
    for number, state in enumerate(walk.states()):
        where = f"after step {number} of {walk.setup.name}"
        before = state.ints()
        standing = case.game.standing(state)
        assert state.ints() == before, f"who counts changes the game {where}"
        assert len(standing) == walk.setup.seats, f"not every seat has a standing {where}"
        assert all(type(points) is int for points in standing), f"a standing is no number {where}"
        if state.is_over and case.game.endings[state.ending()] not in case.game.instant_endings:
            won = {standing[seat] for seat in range(state.seats) if state.winners() >> seat & 1}
            assert won == {max(standing)}, f"the winners of {standing} do not stand highest {where}"
        looked += 1
    return looked


# --- Text and wire ----------------------------------------------------------------------------


def states_survive_as_text(case: Case, walk: Walk) -> int:
    """A state written down is one line, and read again is the same state."""
    looked = 0
    for number, state in enumerate(walk.states()):
        text = case.game.format_state(state)
        again: State = case.game.parse_state(text)
        assert len(text.splitlines()) == 1, f"a state takes several lines: {text!r}"
        assert again.ints() == state.ints(), f"step {number} is read otherwise: {text}"
        assert answers_of(again, state.seats) == answers_of(state, state.seats), (
            f"answers otherwise: {text}"
        )
        assert case.game.format_state(again) == text, f"written otherwise: {text}"
        looked += 1
    return looked


def positions_survive_the_wire(case: Case, walk: Walk) -> int:
    """A position sent as JSON arrives as the same position, with its seat and its legal list."""
    looked = 0
    for state in walk.states():
        for seat in viewers(walk):
            position = case.game.position(state, seat)
            told = wire(position)
            again = case.game.read_position(json.loads(told))
            assert again == position and wire(again) == told, f"the wire changes a position: {told}"
            assert position.seat == seat, f"the position of seat {seat} says {position.seat}"
            assert position.legal == tuple(state.legal_actions(seat)), (
                "a position has another legal list"
            )
            looked += 1
    return looked


def visible_position_omits_memory(case: Case, walk: Walk) -> int:
    """What is seen at a glance is what can be seen now: no more, no less, and as it looks."""
    looked = 0
    option, aided = AIDED
    forgetful = walk.setup.settings.get(option) != aided
    for state in walk.states():
        for seat in viewers(walk):
            position, visible_position = (
                case.game.position(state, seat),
                case.game.visible_position(state, seat),
            )
            assert visible_position.visible_fields() == position.visible_fields(), (
                "a glance sees something else"
            )
            assert case.game.is_race(visible_position) == case.game.is_race(position), (
                "a glance races otherwise"
            )
            for action in visible_position.legal:
                told = case.game.choice(visible_position, action)
                assert told == case.game.choice(position, action), "a glance is asked otherwise"
            looked += 1
        if forgetful:  # of the last pair; each is laid out often enough by other laws
            settings, say = walk.setup.settings, translator(case, case.languages[0])
            laid_out = case.game.render_layout(visible_position, settings, say)
            assert laid_out == case.game.render_layout(position, settings, say), (
                "a glance looks otherwise"
            )
    return looked


def finished_games_can_be_revealed(case: Case, walk: Walk) -> int:
    """All that is true can be shown; of a finished game that is everything, and fits no other."""
    looked = 0
    for state in walk.states():
        position: Any = case.game.reveal(state)
        assert position.seat == SPECTATOR and not position.legal, "who looks back takes no part"
        if state.is_over:
            world = case.game.sample(position, Dice(looked)).ints()
            assert world == state.ints(), "a finished game is not revealed as it was"
        looked += 1
    return looked


def positions_can_be_drawn(case: Case, walk: Walk) -> int:
    """Every position can be drawn: lines that fit a screen, and sentences for an ear."""
    looked = 0
    for cut in walk.cuts(4):
        for seat in viewers(walk):
            position = case.game.position(cut.end(), seat)
            for language in case.languages:
                drawing = case.game.render_drawing(
                    position, walk.setup.settings, translator(case, language)
                )
                widths = [(line, BOARD_WIDTH) for line in drawing.board]
                widths += [(line, PLAYERS_WIDTH) for line in drawing.players]
                for line, width in widths:
                    text = "".join(piece.text for piece in line)
                    assert "\n" not in text, f"a line of the drawing is several: {text!r}"
                    assert len(text) <= width, f"a line is wider than {width}: {text!r}"
                    looked += 1
                assert all(drawing.sentences), "something is told without a word"
    return looked


def positions_can_be_laid_out(case: Case, walk: Walk) -> int:
    """Positions are also grids with headings, for all who act and for the others in turn."""
    looked = 0
    everybody = viewers(walk)
    for number, state in enumerate(walk.states()):
        seats = {*state.actors(), everybody[number % len(everybody)]} - {CHANCE}
        positions = [case.game.position(state, seat) for seat in seats]
        if state.is_over:
            positions.append(case.game.reveal(state))
        for position in positions:
            for language in case.languages:
                looked += check_layout(case, walk, position, language)
    return looked


def check_layout(case: Case, walk: Walk, position: Position, language: str) -> int:
    """Grids, each once; a question for who may do something, and for nobody else."""
    say = translator(case, language)
    layout = case.game.render_layout(position, walk.setup.settings, say)
    captions = [grid.caption for grid in layout.grids]
    assert captions and all(captions), "there is no grid, or one without a caption"
    assert len(captions) == len(set(captions)), f"two grids have one caption: {captions}"
    assert bool(layout.ask) == bool(position.legal), (
        f"{layout.ask!r} is asked of seat {position.seat}, who may do {position.legal}"
    )
    assert all(layout.notes), "a note has no words"
    return sum(check_grid(grid, walk.setup.seats) for grid in layout.grids)


def check_grid(grid: Grid, seats: int) -> int:
    """Each column and row has a name of its own, each cell its words and a style that is known."""
    assert len(grid.head) > 1 and all(grid.head), f"a column has no heading: {grid.head}"
    names = [row[0].text for row in grid.rows]
    assert names and len(names) == len(set(names)), f"two rows of {grid.caption} are one: {names}"
    known = STYLES | {f"seat.{seat}" for seat in range(seats)}
    for row in grid.rows:
        assert len(row) == len(grid.head), f"a row of {grid.caption} is too short or too long"
        for piece in row:
            assert piece.text.strip(), f"a cell of {grid.caption} is empty"
            assert len(piece.text) <= CELL_WIDTH, f"a cell is too wide: {piece.text!r}"
            assert "\n" not in piece.text, f"a cell is several lines: {piece.text!r}"
            assert known.issuperset(piece.style.split()), f"there is no style {piece.style!r}"
    return len(grid.rows)


def translator(case: Case, language: str) -> Callable[[str, Mapping[str, Param]], str]:
    """How that language says something; a missing sentence breaks the law."""

    def say(key: str, params: Mapping[str, Param]) -> str:
        try:
            text = case.say(key, params, language)
        except KeyError as missing:
            raise AssertionError(f"{key} lacks {missing} in the words of {language}") from None
        assert text and "{" not in text, f"{key} is not filled in the words of {language}: {text}"
        return text

    return say


def events_have_sentences(case: Case, walk: Walk) -> int:
    """What happens is told in every language, to seats of the table, and changes nothing."""
    looked = 0
    for state, (seat, action) in zip(walk.states(), walk.log, strict=False):
        before = state.ints()
        for event in case.game.events(state, seat, action):
            check_event(case, event, walk.setup.seats)
            looked += 1
        assert state.ints() == before, f"telling of step {(seat, action)} changed the state"
    return looked


def check_event(case: Case, event: Event, seats: int) -> None:
    """One thing that happened: whose it is to know, and how it is said."""
    assert event.key.startswith(f"{case.game.name}."), f"{event.key} is not a key of the game"
    if event.audience is not None:
        assert event.audience <= frozenset(range(seats)), f"{event.key} is for {event.audience}"
    for name, value in event.params.items():
        assert type(value) in (int, str), f"{event.key} is filled with {name}={value!r}"
    for language in case.languages:
        translator(case, language)(event.key, event.params)


def choices_have_sentences(case: Case, walk: Walk) -> int:
    """Every legal action has words of its own, short enough for a button."""
    looked = 0
    for state in walk.states():
        for seat in state.actors() if state.actors() != (CHANCE,) else ():
            position = case.game.position(state, seat)
            for language in case.languages:
                looked += check_choices(case, position, language)
    return looked


def check_choices(case: Case, position: Position, language: str) -> int:
    """All choices of a position: told in words that no two of them share."""
    found: dict[tuple[str, str], Action] = {}
    for action in position.legal:
        choice = case.game.choice(position, action)
        group = button_text(case, choice.group, language) if choice.group else ""
        told = (group, button_text(case, (choice.key, choice.params), language))
        assert told not in found, f"the actions {found[told]} and {action} are both called {told}"
        found[told] = action
    return len(found)


def button_text(case: Case, words: Heading, language: str) -> str:
    """What stands on a button, or above several."""
    key, params = words
    assert key.startswith(f"{case.game.name}."), f"{key} is not a key of the game"
    for name, value in params.items():
        assert type(value) in (int, str), f"{key} is filled with {name}={value!r}"
    text = translator(case, language)(key, params)
    assert len(text) <= BUTTON_WIDTH, f"a button is wider than {BUTTON_WIDTH}: {text!r}"
    return text


# --- Moves ------------------------------------------------------------------------------------


def steps_survive_as_text(case: Case, walk: Walk) -> int:
    """Each step of the walk, and all else that was possible now and then, as a line of a story."""
    looked = 0
    for state, (_, action) in zip(walk.states(), walk.log, strict=False):
        check_step(case.game, state, action)
        looked += 1
    for cut in walk.cuts(6):
        state = cut.end()
        for seat in state.actors():
            for action in state.legal_actions(seat):
                check_step(case.game, state, action)
    return looked


def check_step(game: Game[Any, Any], state: State, action: Action) -> None:
    """A step, written down, is one line, and read again is the same step."""
    text = game.format_action(state, action)
    assert len(text.splitlines()) == 1, f"a step takes several lines: {text!r}"
    assert game.parse_action(state, text) == action, f"{action} is read otherwise: {text!r}"


def is_complete_move(game: Game[Any, Any], after: State, seat: Seat, run: Sequence[Action]) -> bool:
    """Whether these actions of a seat, which led here, are a whole move."""
    return seat not in after.actors() or game.to_actions(game.to_move(run)) == list(run)


def whole_moves(walk: Walk) -> Iterator[tuple[Seat, list[Action]]]:
    """The walk's decisions in whole moves; a last one that is not finished is left out."""
    state = walk.setup.new()
    run: list[Action] = []
    mover = CHANCE
    for seat, action in walk.log:
        state.apply(seat, action)
        if seat == CHANCE:
            continue
        if run and seat != mover:
            return  # two moves at once cannot be told one after the other
        run.append(action)
        mover = seat
        if is_complete_move(walk.game, state, seat, run):
            yield seat, run
            run = []


def moves_survive_as_actions_and_text(case: Case, walk: Walk) -> int:
    """A move is the same as actions and as one line of text; so is what each action begins."""
    game = case.game
    looked = 0
    for _, run in whole_moves(walk):
        check_move(game, run)
        done = game.to_actions(game.to_move(run))
        assert done[: len(run)] == run and len(done) <= len(run) + 1, (
            f"the move {run} becomes the actions {done}"
        )
        looked += 1
    for cut in walk.cuts(6):
        state = cut.end()
        for seat in state.actors():
            for action in state.legal_actions(seat):
                check_move(game, [action])
                first = game.to_actions(game.to_move([action]))[0]
                assert first == action, f"the action {action} becomes {first}"
                looked += 1
    return looked


def check_move(game: Game[Any, Any], run: Sequence[Action]) -> None:
    """A move, written down, is one line, and read again is the same move."""
    move = game.to_move(run)
    text = game.format_move(move)
    assert len(text.splitlines()) == 1, f"a move takes several lines: {text!r}"
    assert game.parse_move(text) == move, f"{move} is read otherwise: {text!r}"
    assert json.loads(canonical_json(move.to_wire())) == move.to_wire(), f"{move} is not plain JSON"


def moves_are_counted_correctly(case: Case, walk: Walk) -> int:
    """For each legal action as many whole moves begin with it as can be found one by one."""
    looked = 0
    for cut in walk.cuts(12):
        state = cut.end()
        for seat in state.actors():
            counts = case.game.count_moves(case.game.position(state, seat))
            assert len(counts) == len(state.legal_actions(seat)), (
                "not every legal action is counted for"
            )
            if sum(counts) <= MANY_MOVES:
                found = [
                    count_from(case.game, state, seat, [], action)
                    for action in state.legal_actions(seat)
                ]
                assert counts == found, (
                    f"seat {seat} has {found} moves, not {counts},"
                    f" after {cut.decisions} decisions of {walk.setup.name}"
                )
                looked += 1
    return looked


def count_from(
    game: Game[Any, Any], state: State, seat: Seat, run: list[Action], action: Action
) -> int:
    """How many whole moves go on with this action after those, found one by one."""
    after = state.copy()
    after.apply(seat, action)
    run = [*run, action]
    if is_complete_move(game, after, seat, run):
        return 1
    return sum(
        count_from(game, after, seat, run, following) for following in after.legal_actions(seat)
    )


def some_bots(game: Game[Any, Any], number: int) -> dict[str, Bot]:
    """The plain bots, and of the characters one after another: all would take too long.

    Not the underboss: at a glance the boss does the same.
    """
    bots = roster(game, TINY_BUDGET)
    character = list(CHARACTERS)[number % len(CHARACTERS)]
    plain = [name for name in plain_bots(game, TINY_BUDGET) if name != "underboss"]
    return {name: bots[name] for name in (*plain, character)}


def bots_play_legal_actions(case: Case, walk: Walk) -> int:
    """Every bot does something legal, and every candidate can be done."""
    looked = 0
    for cut in walk.cuts(5):
        table = cut.table()
        for seat in table.actors:
            position: Any = case.game.read_position(json.loads(wire(table.position(seat))))
            for name, bot in some_bots(case.game, looked).items():
                action = bot(position, Dice(looked))
                assert type(action) is int and action in position.legal, f"{name} plays {action!r}"
            moves = case.game.candidates(position)
            assert moves, f"seat {seat} has no candidates after {cut.decisions} decisions"
            assert len(moves) == len(set(moves)), f"a candidate comes twice: {moves}"
            for move in moves:
                try:
                    table.preview(seat, move)
                except Refused as refused:
                    raise AssertionError(f"the candidate {move} is refused: {refused}") from None
            looked += 1
    return looked


def timeout_actions_are_legal(case: Case, walk: Walk) -> int:
    """For every decision there is something to be done when the time is over, and always the same.

    It follows from what the seat knows, so that nobody learns anything from it.
    """
    looked = 0
    for number, state in enumerate(walk.states()):
        where = f"after step {number} of {walk.setup.name}"
        for seat in state.actors() if state.actors() != (CHANCE,) else ():
            position = case.game.position(state, seat)
            default = case.game.timeout_action(position)
            assert default in position.legal, (
                f"the default {default} of seat {seat} is not legal {where}"
            )
            sent = case.game.read_position(json.loads(wire(position)))
            assert case.game.timeout_action(sent) == default, (
                f"the default of seat {seat} changes {where}"
            )
            looked += 1
    return looked


RULE_LAWS: Final[tuple[Law, ...]] = (
    legal_actions_are_sorted_and_never_empty,
    buffers_agree_with_lists,
    chance_outcomes_have_weights,
    copies_are_independent,
    same_actions_give_the_same_state,
    ints_hold_the_whole_state,
    pieces_are_conserved,
    returns_add_up_at_the_end,
    the_game_ends,
    winners_have_the_highest_standing,
    states_survive_as_text,
    positions_survive_the_wire,
    visible_position_omits_memory,
    finished_games_can_be_revealed,
    positions_can_be_drawn,
    positions_can_be_laid_out,
    events_have_sentences,
    choices_have_sentences,
    steps_survive_as_text,
    moves_survive_as_actions_and_text,
    moves_are_counted_correctly,
    timeout_actions_are_legal,
    bots_play_legal_actions,
)
"""The laws of the rules and of what the game says."""
