"""The laws that every game keeps, each checked along a walk.

Laws of tables are in `table_laws.py`, those of hidden information in `secrecy.py`. A law raises
AssertionError with a sentence, and returns how many things it checked: one that checked nothing
proves nothing, and the tests require more than that.
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
from cosca.core.drawing import Goal, Grid
from cosca.core.errors import Param, Refused
from cosca.core.events import Event, Listing, Reason
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
"""All that search bots may do while laws are checked."""

INVALID_VALUES: Final[tuple[Any, ...]] = (
    *(None, True, False, 0.0, 1.0, 1.5, float("nan"), "", "x", "0", b"0", (), [0], {}),
    *(10**30, -(10**30), 2**31, 2**32, 2**63, -(2**31) - 1),
)
"""Values that are neither actions nor seats, though some look like it."""
MOST_ACTIONS: Final = 1024
"""As many as `core.state` has numbers for; compiled code does not check for more."""
MANY_MOVES: Final = 3_000
"""Too many complete moves to enumerate one by one."""
BOARD_WIDTH: Final = 78
PLAYERS_WIDTH: Final = 44
BUTTON_WIDTH: Final = 40
CELL_WIDTH: Final = 60
STYLES: Final = frozenset({"title", "strong", "dim", "accent", "scenery"})


def wire(position: Position) -> str:
    """Return a position as sent over the wire."""
    return canonical_json(position.to_wire())


def state_of(table: Table) -> State:
    """Return the true state of a table. Only tests may look at it."""
    state: State = table._state
    return state


def answers_of(state: State, seats: int) -> list[object]:
    """Return all answers of a state about who may do what."""
    chance = state.chance_outcomes() if state.actors() == (CHANCE,) else []
    return [
        state.actors(),
        [state.legal_actions(seat) for seat in range(seats)],
        chance,
        state.returns(),
    ]


# --- The contract of a state ------------------------------------------------------------------


def legal_actions_are_sorted_and_never_empty(case: Case, walk: Walk) -> int:
    """Until the end someone may act and has a legal action; nobody else has one."""
    seats = range(walk.setup.seats)
    assert case.actions <= MOST_ACTIONS, "the game has more action numbers than the core allows"
    checked = 0
    for number, state in enumerate(walk.states()):
        where = f"after step {number} of {walk.setup.name}"
        actors = state.actors()
        assert state.is_over == (not actors), f"is_over and actors() disagree {where}"
        assert actors == (CHANCE,) or (
            set(actors) <= set(seats) and list(actors) == sorted(set(actors))
        ), f"the actors {actors} are not seats in order {where}"
        for seat in actors if actors != (CHANCE,) else ():
            legal = state.legal_actions(seat)
            assert legal, f"the legal list of seat {seat} is empty {where}"
            assert legal == sorted(legal), f"the legal list of seat {seat} is not sorted {where}"
            assert len(legal) == len(set(legal)), f"the legal list repeats an action {where}"
            assert 0 <= legal[0] <= legal[-1] < case.actions, f"no such action number {where}"
            checked += 1
        for other in (*seats, *invalid_seats(walk)):
            waits = other == CHANCE or other not in actors
            assert not waits or state.legal_actions(other) == [], (
                f"{other} may not act and yet has a legal list {where}"
            )
    return checked


def buffers_agree_with_lists(case: Case, walk: Walk) -> int:
    """Spans and totals, which search reads, agree with the lists, and no span is empty."""
    legal, outcomes = Spans(), Outcomes()
    checked = 0
    for number, state in enumerate(walk.states()):
        where = f"after step {number} of {walk.setup.name}"
        for seat in range(walk.setup.seats):
            state.fill_legal(seat, legal)
            spans = list(zip(legal.first, legal.last, strict=True))[: legal.count]
            assert all(first <= last for first, last in spans), f"a span is empty {where}"
            assert legal.total == len(state.legal_actions(seat)), (
                f"the spans say {legal.total} {where}"
            )
            checked += legal.count
        if state.actors() == (CHANCE,):
            state.fill_chance(outcomes)
            weights = sum(weight for _, weight in state.chance_outcomes())
            assert outcomes.total == weights, f"chance weighs {outcomes.total} {where}"
    return checked


def chance_outcomes_have_weights(case: Case, walk: Walk) -> int:
    """Outcomes are ascending and distinct, with positive weights and a purpose."""
    checked = 0
    for number, state in enumerate(walk.states()):
        if state.actors() == (CHANCE,):
            where = f"after step {number} of {walk.setup.name}"
            actions = [action for action, _ in state.chance_outcomes()]
            assert actions, f"chance must act but has no outcome {where}"
            assert actions == sorted(set(actions)), f"chance's outcomes are not ascending {where}"
            assert all(weight > 0 for _, weight in state.chance_outcomes()), (
                f"a weight is not positive {where}"
            )
            purpose = case.game.chance_purpose(state)
            assert re.fullmatch(r"[a-z_]+", purpose), f"the purpose is {purpose!r} {where}"
            checked += 1
    return checked


def copies_are_independent(case: Case, walk: Walk) -> int:
    """A copy is equal, and changing one does not affect the other."""
    checked = 0
    for cut in walk.cuts(10):
        for early in (True, False):  # play on the copy, or the original
            one = cut.end()
            other = one.copy()
            assert type(one) is type(other), "a copy has another type"
            assert one.ints() == other.ints(), f"a copy is not equal in {walk.setup.name}"
            moved, kept = (other, one) if early else (one, other)
            before = kept.ints(), answers_of(kept, walk.setup.seats)
            play_on(cut, moved, 20)
            after = kept.ints(), answers_of(kept, walk.setup.seats)
            assert before == after, (
                f"a state changed when its copy was played on, in {walk.setup.name}"
                f" after {cut.decisions} decisions"
            )
            checked += moved.ints() != kept.ints()
    return checked


def play_on(walk: Walk, state: State, steps: int) -> None:
    """Play a state on at random for a while."""
    dice = Dice(steps)
    for _ in range(steps):
        if state.actors():
            state.apply(*next_step(walk.setup, state, dice))


def same_actions_give_the_same_state(case: Case, walk: Walk) -> int:
    """Repeating the same actions gives the same states, step by step."""
    checked = 0
    for one, other in zip(walk.states(), walk.states(), strict=True):
        assert one.ints() == other.ints(), f"the same actions differ at step {checked}"
        checked += 1
    assert walk.end().ints() == one.ints(), "the same actions without copies differ"
    return checked


def ints_hold_the_whole_state(case: Case, walk: Walk) -> int:
    """A state loaded from `ints` answers and continues exactly like the original."""
    states = list(walk.states())
    checked = 0
    for number, (state, step) in enumerate(zip(states, walk.log, strict=False)):
        where = f"after step {number} of {walk.setup.name}"
        ints = state.ints()
        assert all(type(n) is int for n in ints), (
            f"ints() returns something other than integers {where}"
        )
        for other in (walk.setup.new(), states[-1].copy()):
            other.load(ints)
            assert other.ints() == ints, f"load() does not become the state {where}"
            assert answers_of(other, state.seats) == answers_of(state, state.seats), (
                f"a loaded state answers differently {where}"
            )
            other.apply(*step)
            assert other.ints() == states[number + 1].ints(), f"it continues differently {where}"
            checked += 1
        assert state.ints() == ints, f"load() keeps a reference to the list {where}"
    return checked


def pieces_are_conserved(case: Case, walk: Walk) -> int:
    """No piece is created or lost: along the walk, and by any legal action near it."""
    whole = case.pieces(walk.setup.new())
    checked = 0
    for number, state in enumerate(walk.states()):
        assert case.pieces(state) == whole, (
            f"pieces are lost or made by step {number} of {walk.setup.name}:"
            f" {case.pieces(state)}, not {whole}"
        )
        checked += 1
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
                checked += 1
    return checked


def returns_add_up_at_the_end(case: Case, walk: Walk) -> int:
    """Nobody has won before the end; then the shares add up to one, for a named reason."""
    seats = walk.setup.seats
    assert case.game.endings[0] == "", "the first ending is that of a game that goes on"
    checked = 0
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
        checked += 1
    return checked


def the_game_ends(case: Case, walk: Walk) -> int:
    """With a round limit the game ends; rounds only increase."""
    rounds = [case.game.round(state) for state in walk.states()]
    assert rounds == sorted(rounds), f"rounds are counted back in {walk.setup.name}"
    assert not walk.setup.must_end or walk.end().is_over, (
        f"{walk.setup.name} did not end in {walk.decisions} decisions"
    )
    return len(rounds)


def winners_have_the_highest_standing(case: Case, walk: Walk) -> int:
    """Each seat has a standing, and winners have the highest, except in instant endings."""
    assert set(case.game.instant_endings) <= set(case.game.endings[1:]), (
        "an instant ending is not an ending"
    )
    checked = 0
    for number, state in enumerate(walk.states()):
        where = f"after step {number} of {walk.setup.name}"
        before = state.ints()
        standing = case.game.standing(state)
        assert state.ints() == before, f"standing() changes the state {where}"
        assert len(standing) == walk.setup.seats, f"not every seat has a standing {where}"
        assert all(type(points) is int for points in standing), (
            f"a standing is not an integer {where}"
        )
        if state.is_over and case.game.endings[state.ending()] not in case.game.instant_endings:
            won = {standing[seat] for seat in range(state.seats) if state.winners() >> seat & 1}
            assert won == {max(standing)}, f"the winners of {standing} do not stand highest {where}"
        checked += 1
    return checked


def finished_games_have_a_ranking(case: Case, walk: Walk) -> int:
    """Every seat has a place, the winners alone have the first, and all have the same figures."""
    end = walk.end()
    if not end.is_over:
        return 1
    ranking = case.game.ranking(end)
    winners = [seat for seat in range(end.seats) if end.winners() >> seat & 1]
    assert sorted(ranked.seat for ranked in ranking) == list(range(end.seats)), "a seat is missing"
    assert sorted(ranked.seat for ranked in ranking if ranked.place == 1) == winners, (
        "the winners alone have the first place"
    )
    places = [ranked.place for ranked in ranking]
    assert places == sorted(1 + sum(other < place for other in places) for place in places), (
        f"these are not the places of a ranking: {places}"
    )
    keys = {tuple(ranked.figures) for ranked in ranking}
    assert len(keys) == 1 and () not in keys, f"the seats have different figures: {keys}"
    return len(ranking)


# --- Text and wire ----------------------------------------------------------------------------


def states_survive_as_text(case: Case, walk: Walk) -> int:
    """A state written as one line of text is read back as the same state."""
    checked = 0
    for number, state in enumerate(walk.states()):
        text = case.game.format_state(state)
        again: State = case.game.parse_state(text)
        assert len(text.splitlines()) == 1, f"a state takes several lines: {text!r}"
        assert again.ints() == state.ints(), f"step {number} is read differently: {text}"
        assert answers_of(again, state.seats) == answers_of(state, state.seats), (
            f"answers differently: {text}"
        )
        assert case.game.format_state(again) == text, f"is written differently: {text}"
        checked += 1
    return checked


def positions_survive_the_wire(case: Case, walk: Walk) -> int:
    """A position sent as JSON arrives as the same position, with its seat and legal list."""
    checked = 0
    for state in walk.states():
        for seat in viewers(walk):
            position = case.game.position(state, seat)
            text = wire(position)
            again = case.game.read_position(json.loads(text))
            assert again == position and wire(again) == text, f"the wire changes a position: {text}"
            assert position.seat == seat, f"the position of seat {seat} says {position.seat}"
            assert position.legal == tuple(state.legal_actions(seat)), (
                "a position has another legal list"
            )
            checked += 1
    return checked


def visible_position_omits_memory(case: Case, walk: Walk) -> int:
    """A visible position has exactly what can be seen now, and is displayed the same."""
    checked = 0
    option, aided = AIDED
    forgetful = walk.setup.settings.get(option) != aided
    for state in walk.states():
        for seat in viewers(walk):
            position, visible_position = (
                case.game.position(state, seat),
                case.game.visible_position(state, seat),
            )
            assert visible_position.visible_fields() == position.visible_fields(), (
                "the visible position differs from the position"
            )
            assert case.game.is_race(visible_position) == case.game.is_race(position), (
                "the visible position differs about a race"
            )
            for action in visible_position.legal:
                text = case.game.choice(visible_position, action)
                assert text == case.game.choice(position, action), (
                    "the visible position has other labels"
                )
            checked += 1
        if forgetful:  # only the last pair: other laws lay out enough positions
            settings, say = walk.setup.settings, translator(case, case.languages[0])
            laid_out = case.game.render_layout(visible_position, settings, say)
            assert laid_out == case.game.render_layout(position, settings, say), (
                "the visible position is laid out differently"
            )
    return checked


def finished_games_can_be_revealed(case: Case, walk: Walk) -> int:
    """Everything true can be shown; for a finished game, that determines the state."""
    checked = 0
    for state in walk.states():
        position: Any = case.game.reveal(state)
        assert position.seat == SPECTATOR and not position.legal, (
            "a revealed position must have no seat and no legal actions"
        )
        if state.is_over:
            world = case.game.sample(position, Dice(checked)).ints()
            assert world == state.ints(), "a finished game is not revealed as it was"
        checked += 1
    return checked


def positions_can_be_drawn(case: Case, walk: Walk) -> int:
    """Every position can be drawn: lines that fit a screen, and sentences for screen readers."""
    checked = 0
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
                    assert "\n" not in text, f"a line of the drawing has a line break: {text!r}"
                    assert len(text) <= width, f"a line is wider than {width}: {text!r}"
                    checked += 1
                assert all(drawing.sentences), "a sentence is empty"
    return checked


def positions_can_be_laid_out(case: Case, walk: Walk) -> int:
    """Positions can also be shown as grids, for all who act and for the others in turn."""
    checked = 0
    everybody = viewers(walk)
    for number, state in enumerate(walk.states()):
        seats = {*state.actors(), everybody[number % len(everybody)]} - {CHANCE}
        positions = [case.game.position(state, seat) for seat in seats]
        if state.is_over:
            positions.append(case.game.reveal(state))
        for position in positions:
            for language in case.languages:
                checked += check_layout(case, walk, position, language)
    return checked


def check_layout(case: Case, walk: Walk, position: Position, language: str) -> int:
    """Check the grids of a layout, and that exactly those who may act are asked something."""
    say = translator(case, language)
    layout = case.game.render_layout(position, walk.setup.settings, say)
    captions = [grid.caption for grid in layout.grids]
    assert captions and all(captions), "there is no grid, or one without a caption"
    assert len(captions) == len(set(captions)), f"two grids have one caption: {captions}"
    assert bool(layout.ask) == bool(position.legal), (
        f"{layout.ask!r} is asked of seat {position.seat}, who may do {position.legal}"
    )
    assert bool(layout.meaning.text) == bool(layout.ask), f"{layout.ask!r} is not explained"
    assert all(layout.notes), "a note has no words"
    check_goal(layout.goal, walk.setup.seats)
    return sum(check_grid(grid, walk.setup.seats) for grid in layout.grids)


def check_goal(goal: Goal, seats: int) -> None:
    """Check that a goal has a sentence and figures that say something of every seat."""
    assert goal.text and all(goal.details), "a goal has no words"
    for label, values, _ in goal.figures:
        assert label and all(values), f"a figure of the goal has no words: {label} {values}"
        assert len(values) == seats, f"{label} of the goal has {len(values)} values, not {seats}"
    labels = [figure.label for figure in goal.figures]
    assert labels and len(labels) == len(set(labels)), f"two figures are one: {labels}"
    assert goal.leaders == sorted({*goal.leaders} & {*range(seats)}), "no such leaders"


def everybody_sees_the_same_leaders(case: Case, walk: Walk) -> int:
    """Who leads depends on nothing that only some seats know; at the end the winners lead."""
    checked = 0
    say = translator(case, case.languages[0])
    for cut in walk.cuts(4):
        state = cut.end()
        found = {
            seat: case.game.render_layout(
                case.game.position(state, seat), walk.setup.settings, say
            ).goal.leaders
            for seat in viewers(walk)
        }
        leaders = found[SPECTATOR]
        for seat, seen in found.items():
            assert seen == leaders, f"seat {seat} sees {seen} in the lead, not {leaders}"
        winners = [seat for seat in range(walk.setup.seats) if state.winners() >> seat & 1]
        assert not state.is_over or leaders == winners, f"{leaders} lead, but {winners} have won"
        checked += len(found)
    return checked


def check_grid(grid: Grid, seats: int) -> int:
    """Check that columns and rows have distinct names, and cells have text and a known style."""
    assert len(grid.head) > 1 and all(grid.head), f"a column has no heading: {grid.head}"
    names = [row[0].text for row in grid.rows]
    assert names and len(names) == len(set(names)), f"two rows of {grid.caption} are one: {names}"
    known = STYLES | {f"seat.{seat}" for seat in range(seats)}
    for row in grid.rows:
        assert len(row) == len(grid.head), f"a row of {grid.caption} is too short or too long"
        for piece in row:
            assert piece.text.strip(), f"a cell of {grid.caption} is empty"
            assert len(piece.text) <= CELL_WIDTH, f"a cell is too wide: {piece.text!r}"
            assert "\n" not in piece.text, f"a cell has a line break: {piece.text!r}"
            assert known.issuperset(piece.style.split()), f"unknown style {piece.style!r}"
    return len(grid.rows)


def translator(case: Case, language: str) -> Callable[[str, Mapping[str, Param | Listing]], str]:
    """Return a function that formats sentences in a language; a missing one breaks the law."""

    def say(key: str, params: Mapping[str, Param | Listing]) -> str:
        try:
            text = case.say(key, params, language)
        except KeyError as missing:
            raise AssertionError(f"{key} lacks {missing} in the words of {language}") from None
        assert text and "{" not in text, f"{key} is not filled in the words of {language}: {text}"
        return text

    return say


def events_have_sentences(case: Case, walk: Walk) -> int:
    """Every event has a sentence in every language and a valid audience, and changes nothing."""
    checked = 0
    for state, (seat, action) in zip(walk.states(), walk.log, strict=False):
        before = state.ints()
        for event in case.game.events(state, seat, action):
            check_event(case, event, walk.setup.seats)
            checked += 1
        assert state.ints() == before, f"events() of step {(seat, action)} changed the state"
    return checked


def check_event(case: Case, event: Event, seats: int) -> None:
    """Check the audience, parameters and sentences of one event."""
    assert event.key.startswith(f"{case.game.name}."), f"{event.key} is not a key of the game"
    if event.audience is not None:
        assert event.audience <= frozenset(range(seats)), f"{event.key} is for {event.audience}"
    for name, value in event.params.items():
        assert type(value) in (int, str), f"{event.key} is filled with {name}={value!r}"
    for language in case.languages:
        translator(case, language)(event.key, event.params)


def choices_have_sentences(case: Case, walk: Walk) -> int:
    """Every legal action has its own label, short enough for a button."""
    checked = 0
    for state in walk.states():
        for seat in state.actors() if state.actors() != (CHANCE,) else ():
            position = case.game.position(state, seat)
            for language in case.languages:
                checked += check_choices(case, position, language)
    return checked


def check_choices(case: Case, position: Position, language: str) -> int:
    """Check that no two choices of a position have the same label."""
    found: dict[tuple[str, str], Action] = {}
    for action in position.legal:
        choice = case.game.choice(position, action)
        group = button_text(case, choice.group, language) if choice.group else ""
        text = (group, button_text(case, (choice.key, choice.params), language))
        assert text not in found, f"the actions {found[text]} and {action} are both called {text}"
        found[text] = action
    return len(found)


def button_text(case: Case, words: Heading, language: str) -> str:
    """Return the label of a button, or the heading above several."""
    key, params = words
    assert key.startswith(f"{case.game.name}."), f"{key} is not a key of the game"
    for name, value in params.items():
        assert type(value) in (int, str), f"{key} is filled with {name}={value!r}"
    text = translator(case, language)(key, params)
    assert len(text) <= BUTTON_WIDTH, f"a button is wider than {BUTTON_WIDTH}: {text!r}"
    return text


# --- Moves ------------------------------------------------------------------------------------


def explanations_have_sentences(case: Case, walk: Walk) -> int:
    """Candidates are explained in every language, from what the seat knows and nothing else."""
    checked = 0
    for cut in walk.cuts(12):
        state = cut.end()
        for seat in state.actors() if state.actors() != (CHANCE,) else ():
            position = case.game.position(state, seat)
            sent = case.game.read_position(json.loads(wire(position)))
            for move in case.game.candidates(position):
                reason = case.game.explain(position, move)
                assert case.game.explain(sent, move) == reason, f"{move} is explained in two ways"
                checked += reason is not None and check_explanation(case, reason)
    return checked


def check_explanation(case: Case, reason: Reason) -> bool:
    """Check the key, the rule and the sentences of an explanation."""
    assert reason.key.startswith(f"{case.game.name}.advice."), f"{reason.key} is no advice"
    assert reason.rule, f"{reason.key} names no rule"
    for language in case.languages:
        text = case.say(reason.key, reason.params, language)
        assert text and "{" not in text, f"{reason.key} is not a sentence: {text!r}"
    return True


def steps_survive_as_text(case: Case, walk: Walk) -> int:
    """Every action of the walk, and others that were legal, survives as text."""
    checked = 0
    for state, (_, action) in zip(walk.states(), walk.log, strict=False):
        check_step(case.game, state, action)
        checked += 1
    for cut in walk.cuts(6):
        state = cut.end()
        for seat in state.actors():
            for action in state.legal_actions(seat):
                check_step(case.game, state, action)
    return checked


def check_step(game: Game[Any, Any], state: State, action: Action) -> None:
    """Check that an action written as one line is read back as the same action."""
    text = game.format_action(state, action)
    assert len(text.splitlines()) == 1, f"a step takes several lines: {text!r}"
    assert game.parse_action(state, text) == action, f"{action} is read otherwise: {text!r}"


def is_complete_move(game: Game[Any, Any], after: State, seat: Seat, run: Sequence[Action]) -> bool:
    """Return whether the actions of a seat that led here are a complete move."""
    return seat not in after.actors() or game.to_actions(game.to_move(run)) == list(run)


def whole_moves(walk: Walk) -> Iterator[tuple[Seat, list[Action]]]:
    """Yield the decisions of a walk as complete moves, leaving out an unfinished last one."""
    state = walk.setup.new()
    run: list[Action] = []
    mover = CHANCE
    for seat, action in walk.log:
        state.apply(seat, action)
        if seat == CHANCE:
            continue
        if run and seat != mover:
            return  # simultaneous moves cannot be listed in sequence
        run.append(action)
        mover = seat
        if is_complete_move(walk.game, state, seat, run):
            yield seat, run
            run = []


def moves_survive_as_actions_and_text(case: Case, walk: Walk) -> int:
    """A move survives as actions and as one line of text; so does each single action."""
    game = case.game
    checked = 0
    for _, run in whole_moves(walk):
        check_move(game, run)
        done = game.to_actions(game.to_move(run))
        assert done[: len(run)] == run and len(done) <= len(run) + 1, (
            f"the move {run} becomes the actions {done}"
        )
        checked += 1
    for cut in walk.cuts(6):
        state = cut.end()
        for seat in state.actors():
            for action in state.legal_actions(seat):
                check_move(game, [action])
                first = game.to_actions(game.to_move([action]))[0]
                assert first == action, f"the action {action} becomes {first}"
                checked += 1
    return checked


def check_move(game: Game[Any, Any], run: Sequence[Action]) -> None:
    """Check that a move written as one line is read back as the same move."""
    move = game.to_move(run)
    text = game.format_move(move)
    assert len(text.splitlines()) == 1, f"a move takes several lines: {text!r}"
    assert game.parse_move(text) == move, f"{move} is read otherwise: {text!r}"
    assert json.loads(canonical_json(move.to_wire())) == move.to_wire(), f"{move} is not plain JSON"


def moves_are_counted_correctly(case: Case, walk: Walk) -> int:
    """`count_moves` agrees with enumerating the complete moves one by one."""
    checked = 0
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
                checked += 1
    return checked


def count_from(
    game: Game[Any, Any], state: State, seat: Seat, run: list[Action], action: Action
) -> int:
    """Return how many complete moves continue with this action, by enumeration."""
    after = state.copy()
    after.apply(seat, action)
    run = [*run, action]
    if is_complete_move(game, after, seat, run):
        return 1
    return sum(
        count_from(game, after, seat, run, following) for following in after.legal_actions(seat)
    )


def some_bots(game: Game[Any, Any], number: int) -> dict[str, Bot]:
    """Return the plain bots and one character, in turn: all would take too long.

    The underboss is left out: with so small a budget the boss plays the same.
    """
    bots = roster(game, TINY_BUDGET)
    character = list(CHARACTERS)[number % len(CHARACTERS)]
    plain = [name for name in plain_bots(game, TINY_BUDGET) if name != "underboss"]
    return {name: bots[name] for name in (*plain, character)}


def bots_play_legal_actions(case: Case, walk: Walk) -> int:
    """Every bot plays a legal action, and every candidate can be played."""
    checked = 0
    for cut in walk.cuts(5):
        table = cut.table()
        for seat in table.actors:
            position: Any = case.game.read_position(json.loads(wire(table.position(seat))))
            for name, bot in some_bots(case.game, checked).items():
                action = bot(position, Dice(checked))
                assert type(action) is int and action in position.legal, f"{name} plays {action!r}"
            moves = case.game.candidates(position)
            assert moves, f"seat {seat} has no candidates after {cut.decisions} decisions"
            assert len(moves) == len(set(moves)), f"a candidate comes twice: {moves}"
            for move in moves:
                try:
                    table.preview(seat, move)
                except Refused as refused:
                    raise AssertionError(f"the candidate {move} is refused: {refused}") from None
            checked += 1
    return checked


def timeout_actions_are_legal(case: Case, walk: Walk) -> int:
    """Every decision has a legal timeout action, which is always the same.

    It follows from what the seat knows, so that nobody learns anything from it.
    """
    checked = 0
    for number, state in enumerate(walk.states()):
        where = f"after step {number} of {walk.setup.name}"
        for seat in state.actors() if state.actors() != (CHANCE,) else ():
            position = case.game.position(state, seat)
            action = case.game.timeout_action(position)
            assert action in position.legal, (
                f"the timeout action {action} of seat {seat} is not legal {where}"
            )
            sent = case.game.read_position(json.loads(wire(position)))
            assert case.game.timeout_action(sent) == action, (
                f"the timeout action of seat {seat} changes {where}"
            )
            checked += 1
    return checked


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
    finished_games_have_a_ranking,
    states_survive_as_text,
    positions_survive_the_wire,
    visible_position_omits_memory,
    finished_games_can_be_revealed,
    positions_can_be_drawn,
    positions_can_be_laid_out,
    everybody_sees_the_same_leaders,
    events_have_sentences,
    choices_have_sentences,
    steps_survive_as_text,
    moves_survive_as_actions_and_text,
    moves_are_counted_correctly,
    timeout_actions_are_legal,
    explanations_have_sentences,
    bots_play_legal_actions,
)
"""The laws of the rules and of what the game says."""
