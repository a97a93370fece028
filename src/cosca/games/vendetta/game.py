"""The descriptor of Vendetta: all its functions under one name."""

from cosca.core.errors import Refused
from cosca.core.game import Game
from cosca.core.names import Seat
from cosca.core.options import Settings
from cosca.core.position import keep_all_memory
from cosca.core.ranking import Ranked, rank
from cosca.games.vendetta import (
    actions,
    advice,
    drawing,
    events,
    heuristic,
    notation,
    pieces,
    primer,
)
from cosca.games.vendetta.evaluator import Evaluator
from cosca.games.vendetta.position import (
    Position,
    position,
    private_fields,
    public_fields,
    read_position,
    reveal,
    sample,
)
from cosca.games.vendetta.rules import State


def initial_state(settings: Settings, seats: int) -> State:
    """Return the state before the first action, with these house rules."""
    return State(
        seats,
        only_own_cards=settings["setup"] == "only",
        limit_every_turn=settings["limit"] == "every",
        most_controls=settings["control"] == "most",
        final_points=settings["final_points"] == "yes",
        exceed_goal=settings["goal"] == "exceed",
        trustee=int(settings["trustee"]) - 1,
        max_rounds=int(settings["max_rounds"]),
    )


def contradiction(settings: Settings, seats: int) -> Refused | None:
    """V-S1: the trustee is one of the players."""
    if int(settings["trustee"]) > seats:
        return Refused("vendetta.no_such_trustee", trustee=settings["trustee"], seats=seats)
    return None


def never_a_race(position: Position) -> bool:
    """V-2: never, because only one player has a turn at a time."""
    return False


def chance_purpose(state: State) -> str:
    """Return what chance decides now, in the words that the sealed dice use."""
    return pieces.PURPOSES[state.phase]


def begun_rounds(state: State) -> int:
    """Return the number of rounds begun."""
    return state.round


def standing(state: State) -> list[int]:
    """V-15, V-16: points, with those for the districts that are controlled now."""
    points = list(state.points[: state.seats])
    if state.phase not in (pieces.PHASE_PLACE, pieces.PHASE_CARD):
        return points
    now = state.copy()
    now.count_districts()
    return [points[seat] + now.round_points(seat) for seat in range(state.seats)]


def ranking(state: State) -> list[Ranked]:
    """V-19, V-21: by districts and then points, or by points and then districts."""
    numbers = {"districts": state.controlled, "points": state.points}
    keys = sorted(numbers, reverse=state.reason != pieces.BY_DISTRICTS)

    def figures(seat: Seat) -> dict[str, int]:
        return {key: numbers[key][seat] for key in keys}

    return rank(state, figures, lambda seat: list(figures(seat).values()))


GAME: Game[State, Position] = Game(
    name="vendetta",
    title="Vendetta",
    version=1,
    seats=range(pieces.FEWEST_SEATS, pieces.MOST_SEATS + 1),
    default_seats=4,
    options=pieces.OPTIONS,
    editions=pieces.EDITIONS,
    endings=pieces.ENDINGS,
    initial_state=initial_state,
    contradiction=contradiction,
    position=position,
    public_fields=public_fields,
    private_fields=private_fields,
    combine=Position.combine,
    reveal=reveal,
    read_position=read_position,
    sample=sample,
    limit_memory=keep_all_memory,
    events=events.events,
    unspoken_events=events.unspoken_events,
    format_1_events=events.format_1_events,
    chance_purpose=chance_purpose,
    round=begun_rounds,
    standing=standing,
    instant_endings=("districts",),  # V-17
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
    insertable_actions=actions.insertable_actions,
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
    heuristic_bots={"soldato": heuristic.soldato},
)
