"""Each rule of Vendetta, proved at a table set up in one line."""

import pytest

from cosca.catalog import find
from cosca.core.dice import Dice
from cosca.core.errors import Refused
from cosca.core.names import CHANCE, SPECTATOR
from cosca.core.playout import playout, resolve_chance
from cosca.games.vendetta import events, pieces
from cosca.games.vendetta.actions import place
from cosca.games.vendetta.game import GAME
from cosca.games.vendetta.notation import format_state, parse_move, parse_state
from cosca.games.vendetta.rules import State
from cosca.match.table import Table
from cosca.words import say

RED, YELLOW, GREEN, BLUE, BLACK = range(5)
EDITIONS = list(GAME.editions)
rule = pytest.mark.rule


class Rigged:
    """Dice that show the given sides, then always the first side."""

    def __init__(self, *falls: int) -> None:
        self.falls = list(falls)

    def draw(self, purpose: str, among: int) -> int:
        """Return the next given side."""
        return self.falls.pop(0) if self.falls else 0


def new(seats: int = 3, edition: str = "", **changes: str) -> State:
    """A game about to begin."""
    return GAME.new(GAME.settings(edition, changes), seats)


def dealt(seats: int = 3, edition: str = "", trustee: int = 1) -> State:
    """A game whose first cards are dealt in order: 1 and 2 to the first player, and so on."""
    state = new(seats, edition, trustee=str(trustee))
    for district in range(2 * seats):
        state.apply(CHANCE, district)
    return state


def men(state: State, district: int) -> list[int]:
    """Who has how many in a district, named as on the map."""
    return state.men[district - 1][: state.seats]


def hands(state: State) -> list[int]:
    """How many each player has in hand."""
    return state.hand[: state.seats]


def box(state: State) -> list[int]:
    """How many of each colour are in the box."""
    return state.box[: state.seats]


def turn_up(line: str, district: int) -> State:
    """The state after a card was turned up, named as on the map."""
    state = parse_state("phase=card " + line)
    state.apply(CHANCE, district - 1)
    return state


def end_round(line: str, edition: str = "original") -> State:
    """The state after the eleventh card, that of district 11; the raid is in 12 and 13."""
    words = {
        "original": "",
        "english": "limit=every control=most final_points=no ",
        "french": "setup=only limit=every control=most final_points=no ",
    }
    up = "up=1,2,3,4,5,6,7,8,9,10"
    return turn_up(f"{words[edition]}turn=11 {up} {line}", 11)


def alone(seat: int, districts: int, seats: int, first: int = 1) -> str:
    """So many districts with one man of a seat and nobody else."""
    row = ".".join("1" if player == seat else "0" for player in range(seats))
    return ",".join(f"{district}:{row}" for district in range(first, first + districts))


def table(line: str) -> Table:
    """A table at which a state lies ready."""
    ready = parse_state(line)
    there = Table(GAME, GAME.settings("", {"trustee": "1"}), ready.seats, Rigged())
    there._state.load(ready.ints())
    return there


def refused(line: str, move: str) -> Refused:
    """Why the active player may not do this."""
    there = table(line)
    with pytest.raises(Refused) as caught:
        there.submit_move(there.actors[0], parse_move(move))
    return caught.value


def may(line: str, move: str) -> bool:
    """Whether the active player may do this."""
    there = table(line)
    try:
        there.preview(there.actors[0], parse_move(move))
    except Refused:
        return False
    return True


# --- Material --------------------------------------------------------------------------------


@rule("V-M1", "V-M2")
def test_there_are_thirteen_districts_and_a_card_for_each() -> None:
    state = dealt()
    assert len(state.men) == pieces.DISTRICTS == 13
    assert len(parse_state("phase=card").chance_outcomes()) == 13


@rule("V-M1")
def test_every_district_has_a_number_and_a_name() -> None:
    from cosca.words import sentences

    names = [sentences()[f"vendetta.district.{number}"] for number in range(1, 14)]
    assert [int(name.split()[0]) for name in names] == list(range(1, 14))
    assert len(set(names)) == 13


@rule("V-M3")
@pytest.mark.parametrize("edition", EDITIONS)
def test_each_colour_has_fifty_mafiosi_from_start_to_end(edition: str) -> None:
    state = new(5, edition, max_rounds="30")
    dice = Dice(5)
    resolve_chance(state, dice)
    while not state.is_over:
        for seat in range(5):
            placed = sum(row[seat] for row in state.men)
            assert placed + state.hand[seat] + state.box[seat] == 50
        (seat,) = state.actors()
        actions = state.legal_actions(seat)
        state.apply(seat, actions[dice.below(len(actions))])
        resolve_chance(state, dice)


@rule("V-M4")
def test_a_player_who_should_receive_more_than_the_box_holds_gets_what_is_left() -> None:
    state = end_round("men=1:4.0.0 hands=44.0.0")
    assert (hands(state), box(state)) == ([46, 3, 3], [0, 47, 47])


@rule("V-M4", "V-12")
def test_an_empty_box_pays_no_protection_money() -> None:
    state = turn_up("men=4:5.0.0 hands=45.0.0", 4)
    assert hands(state) == [45, 0, 0]


# --- Setup -----------------------------------------------------------------------------------


@rule("V-S1")
def test_the_trustee_is_drawn_by_lot_and_starts() -> None:
    state = new(4)
    assert state.chance_outcomes() == [(seat, 1) for seat in range(4)]
    state.apply(CHANCE, GREEN)
    resolve_chance(state, Dice(1))
    assert state.actors() == (GREEN,)


@rule("V-S1")
def test_the_host_may_name_the_trustee() -> None:
    assert dealt(4, trustee=3).actors() == (GREEN,)


@rule("V-S2")
def test_everyone_is_dealt_two_cards_and_then_all_are_shuffled_again() -> None:
    state = new(5, trustee="1")
    for step in range(10):
        assert len(state.chance_outcomes()) == 13 - step
        state.apply(CHANCE, state.chance_outcomes()[0][0])
    assert state.round == 1
    assert not any(state.turned_up)


@rule("V-S3")
@pytest.mark.parametrize("edition", ["original", "english"])
def test_players_start_with_two_everywhere_but_on_their_cards(edition: str) -> None:
    state = dealt(3, edition)
    assert men(state, 1) == men(state, 2) == [0, 2, 2]
    assert men(state, 5) == [2, 2, 0]
    assert men(state, 13) == [2, 2, 2]
    assert [sum(row[seat] for row in state.men) for seat in range(3)] == [22, 22, 22]


@rule("V-S3f")
def test_in_the_french_edition_they_start_with_two_only_on_their_cards() -> None:
    state = dealt(3, "french")
    assert men(state, 1) == men(state, 2) == [2, 0, 0]
    assert men(state, 6) == [0, 0, 2]
    assert men(state, 7) == [0, 0, 0]
    assert [sum(row[seat] for row in state.men) for seat in range(3)] == [4, 4, 4]


@rule("V-S4")
def test_ten_are_in_hand_and_the_rest_in_the_box() -> None:
    assert hands(dealt(4)) == [10] * 4
    assert box(dealt(4)) == [18] * 4
    assert hands(dealt(4, "french")) == [10] * 4
    assert box(dealt(4, "french")) == [36] * 4


# --- Round -----------------------------------------------------------------------------------


@rule("V-1", "V-2", "V-14")
def test_a_round_turns_up_eleven_different_cards_and_raids_the_other_two() -> None:
    state = parse_state("seats=3 hands=0.0.0 men=12:1.1.0,13:0.0.2 phase=card")
    for district in range(10):
        state.apply(CHANCE, district)
        assert state.round == 1
        assert (district, 1) not in state.chance_outcomes()
    state.apply(CHANCE, 10)
    assert state.round == 2
    assert men(state, 12) == men(state, 13) == [0, 0, 0]
    assert not any(state.turned_up)


@rule("V-2")
def test_turns_go_clockwise_from_the_start_player_one_card_a_turn() -> None:
    state = dealt(3, trustee=2)
    seen = []
    for district in range(11):
        seen.append(state.active)
        state.apply(state.active, pieces.DONE)
        state.apply(CHANCE, district)
    assert seen == [YELLOW, GREEN, RED] * 3 + [YELLOW, GREEN]


@rule("V-3")
def test_a_player_may_place_nobody_and_the_card_always_follows() -> None:
    state = dealt(3)
    state.apply(RED, pieces.DONE)
    assert state.actors() == (CHANCE,)
    assert len(state.chance_outcomes()) == 13


@rule("V-3")
def test_a_player_who_has_nothing_to_place_goes_straight_to_the_card() -> None:
    state = turn_up("active=1 hands=1.0.3", 1)
    assert state.active == YELLOW
    assert state.actors() == (CHANCE,)


@rule("V-3", "V-6")
def test_a_player_who_can_meet_no_minimum_goes_straight_to_the_card() -> None:
    everywhere = ",".join(f"{district}:0.0.2" for district in range(1, 14))
    state = turn_up(f"active=1 hands=1.1.1 men={everywhere}", 1)
    assert state.active == YELLOW
    assert state.actors() == (CHANCE,)


@rule("V-3", "V-6")
def test_everybody_learns_why_the_card_follows_at_once() -> None:
    everywhere = ",".join(f"{district}:0.0.2" for district in range(1, 14))

    def keys(line: str) -> list[str]:
        state = parse_state(f"phase=card active=2 {line}")
        return [event.key for event in events.events(state, CHANCE, 0)][:2]

    assert keys(f"hands=1.1.1 men={everywhere}") == ["vendetta.cannot_place", "vendetta.turned_up"]
    assert keys("hands=1.0.1") == ["vendetta.empty_handed", "vendetta.turned_up"]
    assert keys("hands=1.1.1")[0] == "vendetta.turned_up"  # could have placed one, and did not
    assert keys(f"hands=1.1.1 used=1 last=3 men={everywhere}")[0] == "vendetta.turned_up"


# --- Placing ---------------------------------------------------------------------------------


@rule("V-4")
def test_any_number_goes_into_one_or_two_districts() -> None:
    there = table("turn=2 active=2 hands=0.10.0")
    there.submit_move(YELLOW, parse_move("3 into 6 and 7 into 11"))
    placed = [event.params for event in there.events if event.key == "vendetta.placed"]
    assert [(params["district"], params["number"]) for params in placed] == [(6, 3), (11, 7)]


@rule("V-4")
def test_three_districts_are_too_many() -> None:
    with pytest.raises(Refused) as caught:
        parse_move("1 into 2 and 1 into 3 and 1 into 4")
    assert caught.value.key == "vendetta.bad_move"


@rule("V-4")
def test_after_two_districts_the_turn_is_over() -> None:
    state = parse_state("turn=2 active=2 hands=0.10.0")
    state.apply(YELLOW, place(3, 1))
    assert state.actors() == (YELLOW,)
    state.apply(YELLOW, place(4, 1))
    assert state.actors() == (CHANCE,)


@rule("V-4")
def test_both_orders_of_naming_two_districts_are_the_same_move() -> None:
    assert GAME.to_actions(parse_move("4>11 3>6")) == GAME.to_actions(parse_move("3>6 4>11"))


@rule("V-4")
def test_step_by_step_the_second_district_may_lie_before_the_first() -> None:
    there = table("turn=2 active=2 hands=0.7.0 men=3:0.0.9,4:0.0.2")
    six, eleven = place(6, 3), place(11, 4)
    position, whole = there.preview_steps(YELLOW, [eleven])
    assert (whole, position.legal[-1]) == (False, pieces.DONE)
    three_left = [place(district, n) for district in (1, 2) for n in (1, 2, 3)]
    assert position.legal[:8] == (*three_left, place(4, 2), place(4, 3))  # a rival is alone in 4
    assert not any(place(3, 1) <= action <= place(3, 50) for action in position.legal)  # too many
    assert not any(place(11, 1) <= action <= place(11, 50) for action in position.legal)
    assert there.preview_steps(YELLOW, [eleven, six]) == there.preview_steps(YELLOW, [six, eleven])
    assert there.order_actions(YELLOW, [eleven, six]) == [six, eleven]
    assert there.order_actions(YELLOW, [six, eleven]) == [six, eleven]


@rule("V-4")
def test_a_turn_that_ended_by_itself_may_still_go_on_before() -> None:
    there = table("turn=2 active=2 hands=0.7.0")
    position, whole = there.preview_steps(YELLOW, [place(13, 4)])
    assert whole
    assert position.legal[-1] == place(12, 3)
    assert there.order_actions(YELLOW, [place(13, 4), place(12, 3)]) == [place(12, 3), place(13, 4)]


@rule("V-4", "V-7")
@pytest.mark.parametrize(
    ("line", "steps"),
    [
        ("hands=7.0.0", [place(13, 4)]),  # the start player's first turn: one district
        ("active=2 turn=2 hands=0.4.0", [place(13, 4)]),  # nobody left
        ("active=2 turn=2 hands=0.7.0", [place(11, 4), pieces.DONE]),  # left at that
        ("active=2 turn=2 hands=0.7.0", [place(11, 3), place(13, 3)]),  # two already
    ],
)
def test_nothing_more_is_offered_where_the_turn_is_over(line: str, steps: list[int]) -> None:
    there = table(line)
    position, whole = there.preview_steps(there.actors[0], steps)
    assert (whole, position.legal) == (True, ())
    with pytest.raises(Refused):
        there.order_actions(there.actors[0], [*steps, place(6, 1)])


@rule("V-5")
def test_nobody_places_more_than_are_in_hand() -> None:
    refusal = refused("turn=2 active=2 hands=0.4.0 men=1:0.9.0", "5 into 1")
    assert (refusal.key, refusal.params) == ("vendetta.too_few_in_hand", {"number": 5, "hand": 4})
    assert refused("turn=2 active=2 hands=0.4.0", "3 into 1 and 2 into 2").params["hand"] == 1


@rule("V-5")
def test_placing_moves_men_from_the_hand_and_nothing_else() -> None:
    state = parse_state("turn=2 active=2 hands=5.4.0 men=1:0.9.0,2:1.1.1")
    before = box(state)
    state.apply(YELLOW, place(1, 3))
    assert (men(state, 1), men(state, 2)) == ([0, 12, 0], [1, 1, 1])
    assert (hands(state), box(state)) == ([5, 1, 0], before)


@rule("V-6")
def test_one_other_player_alone_must_be_matched() -> None:
    line = "turn=2 active=2 hands=0.9.0 men=7:4.0.0"
    refusal = refused(line, "3 into 7")
    params = {"seat": 0, "district": 7, "least": 4, "hand": 9}
    assert (refusal.key, refusal.params) == ("vendetta.below_minimum", params)
    assert may(line, "4 into 7")
    assert may(line, "9 into 7")


@rule("V-6")
@pytest.mark.parametrize("number", (1, 4, 50))
def test_a_refusal_says_who_is_alone_and_offers_only_what_the_hand_allows(number: int) -> None:
    refusal = refused("turn=2 active=2 hands=0.3.0 men=7:4.0.0", f"{number} into 7")
    assert refusal.key == "vendetta.out_of_reach"
    assert say(refusal.key, refusal.params).startswith(
        "Red stands alone in 7 Piazza del Pozzo with 4: you would need at least 4"
    )


@rule("V-6")
@pytest.mark.parametrize("row", ["0.0.0", "0.4.0", "4.0.4", "4.1.0", "4.1.4"])
def test_anywhere_else_one_is_enough(row: str) -> None:
    assert may(f"turn=2 active=2 hands=0.9.0 men=7:{row}", "1 into 7")


@rule("V-6")
def test_the_minimum_holds_for_each_district_of_the_turn() -> None:
    line = "turn=2 active=2 hands=0.9.0 men=7:4.0.0,8:0.0.5"
    assert may(line, "4 into 7 and 5 into 8")
    assert refused(line, "4 into 7 and 4 into 8").params == {
        "seat": 2,
        "district": 8,
        "least": 5,
        "hand": 5,
    }


@rule("V-6")
def test_the_minimum_is_not_met_in_two_goes_at_one_district() -> None:
    refusal = refused("turn=2 active=2 hands=0.9.0 men=7:4.0.0", "2 into 7 and 2 into 7")
    assert refusal.key == "vendetta.same_district"


@rule("V-7")
def test_the_start_player_opens_the_round_in_one_district_only() -> None:
    refusal = refused("turn=1 active=1 hands=9.0.0", "1 into 2 and 1 into 3")
    assert (refusal.key, refusal.params) == ("vendetta.enough_districts", {"districts": 1})
    assert may("turn=1 active=1 hands=9.0.0", "9 into 2")


@rule("V-7")
def test_later_in_the_round_the_start_player_has_two() -> None:
    assert may("turn=4 active=1 hands=9.0.0", "1 into 2 and 1 into 3")
    assert may("turn=2 active=2 hands=0.9.0", "1 into 2 and 1 into 3")


@rule("V-7e")
def test_where_the_limit_holds_for_every_turn_it_does_not_end_with_the_first() -> None:
    assert not may("limit=every turn=4 active=1 hands=9.0.0", "1 into 2 and 1 into 3")
    assert may("limit=every turn=2 active=2 hands=0.9.0", "1 into 2 and 1 into 3")
    assert new(3, "english").limit_every_turn
    assert new(3, "french").limit_every_turn
    assert not new(3, "original").limit_every_turn


@rule("V-8")
def test_hands_are_known_to_positions_whatever_is_shown() -> None:
    for shown in ("open", "hidden"):
        there = Table(GAME, GAME.settings("", {"hands": shown}), 3, Dice(1))
        for seat in (RED, YELLOW, GREEN, SPECTATOR):
            assert GAME.position(there._state, seat).hands == (10, 10, 10)


# --- The vendetta ----------------------------------------------------------------------------


@rule("V-9")
def test_the_fewest_lose_all_of_them_to_the_box() -> None:
    state = turn_up("active=1 men=5:4.2.3 hands=0.0.0", 5)
    assert men(state, 5) == [4, 0, 3]
    assert box(state)[YELLOW] == 50


@rule("V-9")
def test_a_player_who_is_absent_is_not_the_fewest() -> None:
    state = turn_up("active=1 men=5:4.0.3", 5)
    assert men(state, 5) == [4, 0, 0]


@rule("V-10")
@pytest.mark.parametrize(("active", "loser"), [(1, GREEN), (2, GREEN), (3, RED), (4, RED)])
def test_of_equals_the_next_in_turn_loses(active: int, loser: int) -> None:
    state = turn_up(f"seats=4 active={active} men=5:2.3.2.9", 5)
    assert men(state, 5)[loser] == 0
    assert sum(men(state, 5)) == 14


@rule("V-10")
def test_the_active_player_comes_last_in_this_order() -> None:
    state = turn_up("active=2 men=5:1.1.0", 5)
    assert men(state, 5) == [0, 1, 0]


@rule("V-10", "V-2")
def test_with_the_eleventh_card_the_next_is_the_next_start_player() -> None:
    state = end_round("active=2 start=1 men=11:1.1.1")
    assert men(state, 11) == [1, 1, 0]
    assert state.start == GREEN


@rule("V-11")
def test_one_player_alone_loses_nothing() -> None:
    assert men(turn_up("active=1 men=5:0.1.0", 5), 5) == [0, 1, 0]


@rule("V-12")
def test_everyone_left_there_takes_one_whatever_their_number() -> None:
    state = turn_up("active=1 men=5:9.2.1", 5)
    assert hands(state) == [1, 1, 0]


@rule("V-13")
def test_where_nobody_is_nothing_happens() -> None:
    state = turn_up("active=1 men=5:9.2.1", 6)
    assert (hands(state), men(state, 5)) == ([0, 0, 0], [9, 2, 1])


# --- The end of a round ----------------------------------------------------------------------


@rule("V-14")
def test_the_raid_empties_both_districts_into_the_box() -> None:
    state = end_round("men=12:3.0.4,13:0.9.0,1:1.1.0")
    assert men(state, 12) == men(state, 13) == [0, 0, 0]
    assert men(state, 1) == [1, 1, 0]


@rule("V-15")
def test_a_player_alone_in_a_district_controls_it() -> None:
    state = parse_state("men=1:9.0.0,2:9.1.0,3:0.0.1,4:0.0.0")
    assert [state.controller(district) for district in range(4)] == [RED, -1, GREEN, -1]


@rule("V-15e")
def test_in_english_and_french_strictly_the_most_men_control_a_district() -> None:
    state = parse_state("control=most men=1:9.8.8,2:3.1.3,3:0.0.1,4:0.0.0,5:1.2.2,6:1.1.1")
    controllers = [state.controller(district) for district in range(6)]
    assert controllers == [RED, -1, GREEN, -1, -1, -1]


@rule("V-16")
@pytest.mark.parametrize(
    ("districts", "points"),
    [
        (0, 0),
        (1, 1),
        (2, 5),
        (3, 20),
        (4, 75),
        (5, 250),
        (6, 800),
        (7, 1000),
        (8, 1000),
        (10, 1000),
    ],
)
def test_points_for_districts(districts: int, points: int) -> None:
    state = end_round(f"men={alone(RED, districts, 3)}" if districts else "hands=0.0.0")
    assert state.points[RED] == points


@rule("V-16")
def test_points_add_up_over_the_rounds() -> None:
    state = end_round(f"points=20.7.0 men={alone(RED, 2, 3)},{alone(YELLOW, 1, 3, first=5)}")
    assert state.points[:3] == [25, 8, 0]


@rule("V-16e")
@pytest.mark.parametrize(("edition", "points"), [("original", 800), ("english", 7), ("french", 7)])
def test_a_round_won_by_districts_is_scored_in_the_original_only(edition: str, points: int) -> None:
    start = 0 if edition == "original" else 7
    state = end_round(f"points={start}.0.0 men={alone(RED, 6, 3)}", edition)
    assert state.ending() == pieces.BY_DISTRICTS
    assert state.points[RED] == points


@rule("V-16e")
@pytest.mark.parametrize("edition", ["english", "french"])
def test_all_other_rounds_are_scored(edition: str) -> None:
    assert end_round(f"men={alone(RED, 5, 3)}", edition).points[RED] == 250


@rule("V-17")
@pytest.mark.parametrize(("seats", "needed"), [(3, 6), (4, 5), (5, 4)])
def test_enough_districts_win(seats: int, needed: int) -> None:
    won = end_round(f"seats={seats} final_points=no men={alone(YELLOW, needed, seats)}")
    assert (won.ending(), won.winners()) == (pieces.BY_DISTRICTS, 1 << YELLOW)
    short = end_round(f"seats={seats} men={alone(YELLOW, needed - 1, seats)}")
    assert short.ending() == 0


@rule("V-17")
def test_a_win_by_districts_goes_before_a_win_by_points() -> None:
    state = end_round(f"points=0.5000.0 men={alone(RED, 6, 3)}")
    assert (state.ending(), state.winners()) == (pieces.BY_DISTRICTS, 1 << RED)


@rule("V-18")
@pytest.mark.parametrize(("seats", "needed"), [(3, 800), (4, 250), (5, 75)])
def test_enough_points_win_this_rounds_included(seats: int, needed: int) -> None:
    others = ".0" * (seats - 1)
    men = alone(RED, 1, seats)
    won = end_round(f"seats={seats} points={needed - 1}{others} men={men}")
    assert (won.ending(), won.winners()) == (pieces.BY_POINTS, 1 << RED)
    assert end_round(f"seats={seats} points={needed - 2}{others} men={men}").ending() == 0


@rule("V-18")
@pytest.mark.parametrize(("seats", "needed"), [(3, 800), (4, 250), (5, 75)])
def test_where_the_goal_must_be_exceeded_the_exact_number_is_not_enough(
    seats: int, needed: int
) -> None:
    line = f"seats={seats} goal=exceed men={alone(RED, 1, seats)} points="
    others = ".0" * (seats - 1)
    assert end_round(f"{line}{needed - 1}{others}").ending() == 0
    won = end_round(f"{line}{needed}{others}")
    assert (won.ending(), won.winners()) == (pieces.BY_POINTS, 1 << RED)


@rule("V-18")
def test_the_exact_number_is_enough_in_every_edition_unless_the_host_says_otherwise() -> None:
    assert not any(new(3, edition).exceed_goal for edition in GAME.editions)
    assert new(3, "english", goal="exceed").exceed_goal
    assert GAME.edition_of(GAME.settings("english", {"goal": "exceed"})) == "house"


@rule("V-S1")
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_the_trustee_is_one_of_the_players(seats: int) -> None:
    for trustee in range(6):
        settings = GAME.settings("", {"trustee": str(trustee)})
        if trustee <= seats:
            assert GAME.new(settings, seats).start == trustee - 1
        else:
            with pytest.raises(Refused) as caught:
                GAME.new(settings, seats)
            assert caught.value.key == "vendetta.no_such_trustee"


@rule("V-19")
def test_by_districts_the_most_districts_win_then_the_most_points() -> None:
    five_and_four = f"{alone(RED, 4, 5)},{alone(GREEN, 5, 5, first=5)}"
    assert end_round(f"seats=5 points=70.0.0.0.0 men={five_and_four}").winners() == 1 << GREEN
    four_and_four = f"{alone(RED, 4, 5)},{alone(GREEN, 4, 5, first=5)}"
    assert end_round(f"seats=5 points=0.0.1.0.0 men={four_and_four}").winners() == 1 << GREEN


@rule("V-19")
def test_by_points_the_most_points_win_then_the_most_districts() -> None:
    men = f"{alone(RED, 1, 3)},{alone(GREEN, 2, 3, first=5)}"
    assert end_round(f"points=900.0.800 men={men}").winners() == 1 << RED
    assert end_round(f"points=804.0.800 men={men}").winners() == 1 << GREEN  # 805 each


@rule("V-19r")
def test_those_still_equal_share_the_victory() -> None:
    state = end_round("points=800.800.0 hands=0.0.0")
    assert state.winners() == (1 << RED) + (1 << YELLOW)
    assert state.returns() == [0.5, 0.5, 0.0]


@rule("V-20")
def test_without_a_winner_everyone_takes_three_and_the_next_player_starts() -> None:
    state = end_round("active=2 start=1 hands=1.2.3")
    assert hands(state) == [4, 5, 6]
    assert (state.round, state.start, state.active) == (2, GREEN, GREEN)


@rule("V-20")
@pytest.mark.parametrize(("seats", "shift"), [(3, 2), (4, 3), (5, 1)])
def test_the_next_start_player_sits_eleven_seats_on(seats: int, shift: int) -> None:
    state = dealt(seats)
    while state.round == 1:
        for seat in state.actors():
            if seat == CHANCE:
                state.apply(CHANCE, state.chance_outcomes()[0][0])
            else:
                state.apply(seat, pieces.DONE)
    assert state.start == shift


@rule("V-20")
@pytest.mark.parametrize("edition", EDITIONS)
def test_nothing_is_handed_out_after_a_win(edition: str) -> None:
    assert hands(end_round(f"hands=1.2.3 men={alone(RED, 6, 3)}", edition)) == [1, 2, 3]


@rule("V-21")
def test_after_the_last_round_the_most_points_win() -> None:
    state = end_round(f"max_rounds=7 round=7 points=3.9.0 men={alone(RED, 1, 3)}")
    assert (state.ending(), state.winners()) == (pieces.BY_ROUNDS, 1 << YELLOW)


@rule("V-21")
def test_then_the_most_districts_then_it_is_shared() -> None:
    men = f"{alone(RED, 1, 3)},{alone(GREEN, 2, 3, first=5)}"
    assert end_round(f"max_rounds=7 round=7 points=4.0.0 men={men}").winners() == 1 << GREEN
    assert end_round("max_rounds=7 round=7 hands=0.0.0").returns() == [1 / 3, 1 / 3, 1 / 3]


@rule("V-21")
def test_before_the_last_round_the_game_goes_on_and_without_one_it_has_no_end() -> None:
    assert end_round("max_rounds=8 round=7 points=3.9.0").ending() == 0
    assert end_round("round=5000 points=3.9.0").ending() == 0


# --- The worked examples ---------------------------------------------------------------------


@rule("E1", "V-10", "V-12")
def test_e1_yellow_and_green_have_the_fewest_and_yellow_is_next() -> None:
    state = turn_up("seats=4 active=1 men=1:3.2.2.4", 1)
    assert men(state, 1) == [3, 0, 2, 4]
    assert hands(state) == [1, 0, 1, 1]


@rule("E2", "V-10", "V-12")
def test_e2_all_four_have_one_and_yellow_is_next() -> None:
    state = turn_up("seats=4 active=1 men=2:1.1.1.1", 2)
    assert men(state, 2) == [1, 0, 1, 1]
    assert hands(state) == [1, 0, 1, 1]


@rule("E3", "V-11", "V-12")
def test_e3_yellow_alone_loses_nothing_and_gets_one() -> None:
    state = turn_up("seats=4 active=1 men=3:0.5.0.0", 3)
    assert men(state, 3) == [0, 5, 0, 0]
    assert hands(state) == [0, 1, 0, 0]


@rule("E4", "V-6")
def test_e4_green_must_match_the_five_of_red() -> None:
    line = "seats=4 turn=3 active=3 men=9:5.0.0.0 hands=0.0.10.0"
    assert not may(line, "4 into 9")
    assert may(line, "5 into 9")
    assert may(line, "6 into 9")


@rule("E5", "V-6", "V-7")
def test_e5_the_start_player_has_one_district_and_green_two() -> None:
    start = "seats=4 round=3 turn=1 start=2 active=2 hands=9.9.9.9"
    assert may(start, "3 into 6")
    assert not may(start, "3 into 6 and 1 into 11")
    green = "seats=4 round=3 turn=2 start=2 active=3 hands=9.9.9.9 men=6:0.3.0.0"
    assert may(green, "4 into 6 and 4 into 11")
    assert may(green, "3 into 6 and 1 into 11")


# --- The whole game --------------------------------------------------------------------------


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_random_games_are_won_by_districts_and_by_points(edition: str, seats: int) -> None:
    settings = GAME.settings(edition, {"max_rounds": "200"})
    dice = Dice(11)
    endings = set()
    for _ in range(300):
        state = GAME.new(settings, seats)
        playout(state, dice)
        endings.add(GAME.endings[state.ending()])
    assert endings == {"districts", "points"}


def test_the_catalog_knows_the_game() -> None:
    assert find("vendetta") is GAME


def test_a_state_reads_as_it_was_written() -> None:
    state = dealt(4, "english")
    assert parse_state(format_state(state)).ints() == state.ints()
