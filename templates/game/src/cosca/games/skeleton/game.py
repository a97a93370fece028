"""The descriptor of Skeleton: all its functions under one name."""

from cosca.core.evaluator import Evaluator
from cosca.core.events import no_unspoken_events
from cosca.core.game import Game
from cosca.core.options import Settings, no_contradiction
from cosca.core.position import keep_all_memory, no_insertable_actions
from cosca.core.ranking import Ranked, rank
from cosca.games.skeleton import (
    actions,
    advice,
    drawing,
    events,
    heuristic,
    notation,
    pieces,
    primer,
)
from cosca.games.skeleton.position import (
    Position,
    position,
    private_fields,
    public_fields,
    read_position,
    reveal,
    sample,
)
from cosca.games.skeleton.rules import State


def initial_state(settings: Settings, seats: int) -> State:
    """Return the state before the first action, with these house rules."""
    return State(seats, laps=int(settings["laps"]))


def never_a_race(position: Position) -> bool:
    """SK-1: never, because only one player has a turn at a time."""
    return False


def chance_purpose(state: State) -> str:
    """Return what chance decides now, in the words that the sealed dice use."""
    return pieces.PURPOSES[state.phase]


def begun_laps(state: State) -> int:
    """SK-6: how many laps have begun."""
    return state.lap


def standing(state: State) -> list[int]:
    """SK-8: the card of each."""
    return list(state.cards[: state.seats])


def ranking(state: State) -> list[Ranked]:
    """SK-8: by the card of each."""
    return rank(state, lambda seat: {"card": state.cards[seat]}, lambda seat: [state.cards[seat]])


GAME: Game[State, Position] = Game(
    name="skeleton",
    title="Skeleton",
    version=1,
    seats=range(pieces.FEWEST_SEATS, pieces.MOST_SEATS + 1),
    default_seats=4,
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
    round=begun_laps,
    standing=standing,
    instant_endings=(),
    primer=primer.PRIMER,
    primer_facts=primer.facts,
    ranking=ranking,
    is_race=never_a_race,
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
