"""The descriptor of Sicilianos: all its functions under one name."""

from cosca.core.game import Game
from cosca.core.names import Seat
from cosca.core.options import Settings, no_contradiction
from cosca.core.position import no_insertable_actions
from cosca.core.ranking import Ranked, rank
from cosca.games.sicilianos import (
    actions,
    advice,
    drawing,
    events,
    heuristic,
    notation,
    pieces,
    primer,
)
from cosca.games.sicilianos.beliefs import sample
from cosca.games.sicilianos.evaluator import Evaluator
from cosca.games.sicilianos.position import (
    Position,
    limit_memory,
    position,
    private_fields,
    public_fields,
    read_position,
    reveal,
)
from cosca.games.sicilianos.rules import State


def initial_state(settings: Settings, seats: int) -> State:
    """Return the state before the first action: chance will draw the start player."""
    return State(
        seats,
        defectors=pieces.DEFECTOR_NAMES.index(str(settings["defectors"])),
        bombs=pieces.BOMB_NAMES.index(str(settings["bombs"])),
        faces=pieces.FACE_NAMES.index(str(settings["influence"])),
        hand_limit=int(settings["hand_limit"]),
        notes=int(settings["notes"]),
    )


def never_a_race(position: Position) -> bool:
    """S-7: never, because only one player decides at a time."""
    return False


def begun_rounds(state: State) -> int:
    """S-22: the number of rounds begun."""
    return state.turns // state.seats + (state.phase > pieces.PHASE_DRAFTED)


def standing(state: State) -> list[int]:
    """S-25, S-26, S-27: each player's money, as if it were counted now."""
    now = state.copy()
    now.count_money()
    return list(now.money[: state.seats])


def ranking(state: State) -> list[Ranked]:
    """S-23, S-25 to S-28: by money and then businesses; or three businesses of a colour won."""

    def figures(seat: Seat) -> dict[str, int]:
        clean, black = state.laundered[seat], black_money(state, seat)
        total = state.money[seat]
        bonus = total - clean + black
        businesses = list(state.owner).count(seat)
        money = {"total": total, "laundered": clean, "black": black, "bonus": bonus}
        if state.reason == pieces.BY_BUSINESSES:
            return {"businesses": businesses, **money}
        return {**money, "businesses": businesses}

    return rank(state, figures, lambda seat: [state.money[seat], list(state.owner).count(seat)])


def black_money(state: State, seat: Seat) -> int:
    """S-25: what the notes of a player are worth together."""
    own = state.notes[seat * pieces.NOTES : (seat + 1) * pieces.NOTES]
    return sum(number * worth for number, worth in zip(own, pieces.NOTE_WORTH, strict=True))


def chance_purpose(state: State) -> str:
    """Return what chance decides now, in the words that the sealed dice use."""
    return pieces.PURPOSES[state.phase]


GAME: Game[State, Position] = Game(
    name="sicilianos",
    title="Sicilianos",
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
    limit_memory=limit_memory,
    events=events.events,
    unspoken_events=events.unspoken_events,
    format_1_events=events.events,
    chance_purpose=chance_purpose,
    round=begun_rounds,
    standing=standing,
    instant_endings=("businesses",),  # S-23
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
    heuristic_bots={"capo": heuristic.capo},
)
