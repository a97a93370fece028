"""Kuhn poker as the house sees a game."""

from cosca.core.evaluator import Evaluator
from cosca.core.events import no_unspoken_events
from cosca.core.game import Game
from cosca.core.options import Settings, no_contradiction
from cosca.core.position import keep_all_memory, no_insertable_actions
from cosca.core.primer import PrimerLine, PrimerSection
from cosca.core.ranking import Ranked, rank
from tests.kuhn import actions, advice, drawing, events, heuristic, notation, pieces
from tests.kuhn.position import (
    Position,
    position,
    private_fields,
    public_fields,
    read_position,
    reveal,
    sample,
)
from tests.kuhn.rules import State


def initial_state(settings: Settings, seats: int) -> State:
    """A deal about to begin."""
    return State(all_show=settings["showdown"] == "all")


def chance_purpose(state: State) -> str:
    """What chance decides now, as the sealed dice know it."""
    return pieces.PURPOSE


def begun_rounds(state: State) -> int:
    """There is one."""
    return 1


def standing(state: State) -> list[int]:
    """The chips of each."""
    return list(state.chips)


def ranking(state: State) -> list[Ranked]:
    """By the chips of each."""
    return rank(state, lambda seat: {"chips": state.chips[seat]}, lambda seat: [state.chips[seat]])


GAME: Game[State, Position] = Game(
    name="kuhn",
    title="Kuhn poker",
    version=1,
    seats=range(pieces.SEATS, pieces.SEATS + 1),
    default_seats=pieces.SEATS,
    options=pieces.OPTIONS,
    editions=pieces.EDITIONS,
    endings=pieces.ENDINGS,
    initial_state=initial_state,
    contradiction=no_contradiction,
    position=position,
    public_fields=public_fields,
    private_fields=private_fields,
    combine=Position.combine,
    reveal=reveal,
    read_position=read_position,
    sample=sample,
    limit_memory=keep_all_memory,
    events=events.events,
    unspoken_events=no_unspoken_events,
    format_1_events=events.events,
    chance_purpose=chance_purpose,
    round=begun_rounds,
    standing=standing,
    instant_endings=(),
    primer=(PrimerSection("goal", (PrimerLine("goal", ()),)),),
    primer_facts=lambda settings, seats: {},
    ranking=ranking,
    is_race=lambda position: False,
    random_play_options={},
    to_actions=actions.to_actions,
    to_move=actions.to_move,
    refusal=actions.refusal,
    rule_of_refusal=actions.RULE_OF_REFUSAL,
    timeout_action=actions.timeout_action,
    count_moves=actions.count_moves,
    insertable_actions=no_insertable_actions,
    choice=actions.choice,
    format_move=notation.format_move,
    parse_move=notation.parse_move,
    format_action=notation.format_action,
    parse_action=notation.parse_action,
    format_state=notation.format_state,
    parse_state=notation.parse_state,
    render_drawing=drawing.render_drawing,
    render_layout=drawing.render_layout,
    candidates=heuristic.candidates,
    explain=advice.explain,
    evaluator=Evaluator,
    heuristic_bots={"careful": heuristic.careful},
)
