"""The descriptor of Omerta: all its functions under one name."""

from cosca.core.errors import Refused
from cosca.core.events import no_unspoken_events
from cosca.core.game import Game
from cosca.core.options import Settings
from cosca.core.position import no_insertable_actions
from cosca.core.ranking import Ranked, rank
from cosca.games.omerta import actions, advice, drawing, events, heuristic, notation, pieces, primer
from cosca.games.omerta.beliefs import sample
from cosca.games.omerta.evaluator import Evaluator
from cosca.games.omerta.position import (
    Position,
    limit_memory,
    position,
    private_fields,
    public_fields,
    read_position,
    reveal,
)
from cosca.games.omerta.rules import State


def initial_state(settings: Settings, seats: int) -> State:
    """Return the state before the first action: chance will draw the start player."""
    return State(
        seats,
        deck=pieces.DECK_NAMES.index(str(settings["copies"])),
        games=int(settings["games"]),
        sealed=settings["reactions"] == "sealed",
        snap_each=settings["driver_snap"] == "each",
        must_use=settings["use"] == "must",
        first_up=settings["first_discard"] == "up",
        first_call=int(settings["first_call"]),
        max_rounds=int(settings["max_rounds"]),
    )


def contradiction(settings: Settings, seats: int) -> Refused | None:
    """O-1, O-24: it must be possible to call Omerta before the last round is over."""
    first_call, max_rounds = int(settings["first_call"]), int(settings["max_rounds"])
    if 0 < max_rounds < first_call:
        return Refused("omerta.no_call_in_time", first_call=first_call, max_rounds=max_rounds)
    return None


def is_race(position: Position) -> bool:
    """O-11: in a live window the fastest player counts."""
    return position.window in ("snap", "assassin") and not position.sealed


def begun_games(state: State) -> int:
    """O-23: how many games of the match have begun."""
    return state.game


def standing(state: State) -> list[int]:
    """O-23: the points so far and of the current row, negative because few points are good."""
    no_rows = state.phase in (pieces.PHASE_START, pieces.PHASE_DEAL, pieces.PHASE_OVER)
    rows = [0 if no_rows else state.row_worth(seat) for seat in range(state.seats)]
    return [-state.totals[seat] - rows[seat] for seat in range(state.seats)]


def ranking(state: State) -> list[Ranked]:
    """O-23: by the total of all games, the lowest first; with the points of the last game."""
    return rank(
        state,
        lambda seat: {"total": state.totals[seat], "last": state.scores[seat]},
        lambda seat: [-state.totals[seat]],
    )


def chance_purpose(state: State) -> str:
    """Return what chance decides now, in the words that the sealed dice use."""
    return pieces.PURPOSES[state.phase]


GAME: Game[State, Position] = Game(
    name="omerta",
    title="Omerta",
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
    limit_memory=limit_memory,
    events=events.events,
    unspoken_events=no_unspoken_events,
    format_1_events=events.format_1_events,
    chance_purpose=chance_purpose,
    round=begun_games,
    standing=standing,
    instant_endings=(),
    primer=primer.PRIMER,
    primer_facts=primer.facts,
    ranking=ranking,
    is_race=is_race,
    random_play_options={"first_call": "7"},  # a random player would call at once
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
    heuristic_bots={
        "smemorato": heuristic.Picciotto(span=1),
        "novice": heuristic.novice,
        "picciotto": heuristic.Picciotto(),
    },
)
