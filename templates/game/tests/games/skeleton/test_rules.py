"""Each rule of Skeleton, proved at a table set up in one line."""

import pytest

from cosca.core.dice import Dice
from cosca.core.errors import Refused
from cosca.core.names import CHANCE, SPECTATOR
from cosca.games.skeleton import heuristic, pieces
from cosca.games.skeleton.game import GAME
from cosca.games.skeleton.notation import format_state, parse_move, parse_state
from cosca.games.skeleton.pieces import KEEP, SHOW, SWAP, UNKNOWN
from cosca.games.skeleton.rules import State
from cosca.match.table import Table

ADA, BRUNO, CARLA, DINO, ELSA = range(5)
rule = pytest.mark.rule


def new(seats: int = 3, **changes: str) -> State:
    """Return a game about to begin."""
    return GAME.new(GAME.settings("", changes), seats)


def dealt(*cards: int, laps: str = "1") -> State:
    """Return a game in which these cards were dealt."""
    state = new(len(cards), laps=laps)
    for card in cards:
        state.apply(CHANCE, card)
    return state


def play(state: State, *actions: int) -> State:
    """Let whoever is to act, chance too, do these actions in turn."""
    for action in actions:
        state.apply(state.actors()[0], action)
    return state


def events_for(state: State, action: int, seat: int) -> list[str]:
    """Return the keys of the events that a seat sees when this is done."""
    happened = GAME.events(state, state.actors()[0], action)
    return [event.key.partition(".")[2] for event in happened if event.is_for(seat)]


# --- What there is, and setting up ------------------------------------------------------------


@rule("SK-M1")
def test_any_of_twelve_cards_may_come_first() -> None:
    assert new().chance_outcomes() == [(card, 1) for card in range(1, 13)]


@rule("SK-M2")
@pytest.mark.parametrize("seats", [2, 6])
def test_three_to_five_play(seats: int) -> None:
    assert list(GAME.seats) == [3, 4, 5]
    with pytest.raises(Refused):
        GAME.check_seats(seats)


@rule("SK-S1")
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_everyone_is_dealt_one_card_and_the_others_are_the_pile(seats: int) -> None:
    state = dealt(*range(1, seats + 1))
    assert state.cards[:seats] == list(range(1, seats + 1))
    assert [card for card in range(1, 13) if state.is_in_pile(card)] == list(range(seats + 1, 13))


@rule("SK-S2")
def test_you_see_your_own_card_only() -> None:
    state = dealt(3, 9, 5)
    assert GAME.position(state, BRUNO).cards == (UNKNOWN, 9, UNKNOWN)
    assert GAME.position(state, SPECTATOR).cards == (UNKNOWN, UNKNOWN, UNKNOWN)
    assert events_for(new(), 3, ADA) == ["dealt", "sees"]
    assert events_for(new(), 3, BRUNO) == ["dealt"]


# --- A turn -----------------------------------------------------------------------------------


@rule("SK-1")
def test_turns_go_clockwise_from_the_first_player() -> None:
    state = dealt(3, 9, 5)
    turns: list[int] = []
    while state.actors() != (CHANCE,):
        turns += state.actors()
        play(state, KEEP)
    assert turns == [ADA, BRUNO, CARLA]


@rule("SK-2")
def test_you_keep_or_swap_in_your_turn_only() -> None:
    table = Table(GAME, GAME.settings(), 3, Dice(1))
    assert table.position(ADA).legal == (KEEP, SWAP)
    with pytest.raises(Refused, match="not_your_turn"):
        table.submit_move(BRUNO, parse_move("keep"))
    table.submit_move(ADA, parse_move("s"))
    assert table.actors == (BRUNO,)


@rule("SK-3")
def test_the_card_you_swap_goes_face_up_for_all_to_see() -> None:
    state = dealt(3, 9, 5)
    assert events_for(state, SWAP, CARLA) == ["swaps"]
    play(state, SWAP)
    assert GAME.position(state, CARLA).up == (3,)
    assert not state.is_in_pile(3)


@rule("SK-4")
def test_the_card_you_draw_is_seen_by_you_alone() -> None:
    state = play(dealt(3, 9, 5), SWAP)
    assert [card for card, _ in state.chance_outcomes()] == [1, 2, 4, 6, 7, 8, 10, 11, 12]
    assert (events_for(state, 11, ADA), events_for(state, 11, BRUNO)) == (
        ["draws", "sees"],
        ["draws"],
    )
    play(state, 11)
    assert GAME.position(state, ADA).cards == (11, UNKNOWN, UNKNOWN)
    assert GAME.position(state, BRUNO).cards == (UNKNOWN, 9, UNKNOWN)


@rule("SK-5", "E2")
def test_when_the_pile_is_empty_you_can_only_keep() -> None:
    state = dealt(1, 2, 3, 4, laps="3")
    for card in range(5, 13):
        play(state, SWAP, card)
    assert (state.lap, state.legal_actions(ADA)) == (3, [KEEP])
    assert GAME.refusal(GAME.position(state, ADA), SWAP).key.endswith("empty_pile")


@rule("SK-6")
@pytest.mark.parametrize("laps", [1, 2, 3])
def test_everyone_has_as_many_turns_as_there_are_laps(laps: int) -> None:
    state = dealt(3, 9, 5, laps=str(laps))
    play(state, *[KEEP] * (3 * laps))
    assert state.phase == pieces.PHASE_SHOW


# --- The end ----------------------------------------------------------------------------------


@rule("SK-7")
def test_after_the_last_turn_all_cards_are_turned_up() -> None:
    state = play(dealt(3, 9, 5), KEEP, KEEP, KEEP)
    assert GAME.position(state, ADA).cards == (3, UNKNOWN, UNKNOWN)
    play(state, SHOW)
    assert GAME.position(state, SPECTATOR).cards == (3, 9, 5)


@rule("SK-8")
def test_the_highest_card_wins() -> None:
    state = play(parse_state("cards=3.9.5 phase=show"), SHOW)
    assert (state.returns(), pieces.ENDINGS[state.ending()]) == ([0, 1, 0], "card")


@rule("E1")
def test_example_1_who_swaps_may_win() -> None:
    state = play(dealt(3, 9, 5), SWAP, 11, KEEP, KEEP, SHOW)
    assert state.returns() == [1, 0, 0]


# --- What a player may know -------------------------------------------------------------------


@rule("SK-9")
def test_all_see_what_lies_open_and_how_many_cards_are_left() -> None:
    state = play(dealt(3, 9, 5), SWAP, 11, KEEP)
    seen = [GAME.position(state, seat) for seat in (ADA, BRUNO, CARLA, SPECTATOR)]
    assert {(at.up, at.drawn, at.active) for at in seen} == {((3,), 4, CARLA)}


# --- Beside the rules -------------------------------------------------------------------------


def test_careful_swaps_a_low_card_and_keeps_a_high_one() -> None:
    low, high = (GAME.position(dealt(card, 6, 7), ADA) for card in (2, 11))
    assert heuristic.careful(low, Dice(1)) == SWAP
    assert heuristic.careful(high, Dice(1)) == KEEP


@pytest.mark.parametrize("text", ["cards=13.1.2", "cards=1.1.2", "cards=1.2.3 up=3", "cards"])
def test_a_state_that_cannot_be_is_not_read(text: str) -> None:
    with pytest.raises(Refused):
        parse_state(text)


def test_a_state_is_one_line() -> None:
    state = play(dealt(3, 9, 5), SWAP)
    assert format_state(state) == "phase=draw lap=1 active=1 cards=0.9.5 up=3"


def test_purposes_are_what_they_always_were() -> None:
    """Every draw depends on them: with another word, games already played no longer verify."""
    words = {pieces.PHASE_NAMES[phase]: word for phase, word in pieces.PURPOSES.items()}
    assert words == {"deal": "deal", "draw": "draw", "show": "show"}
