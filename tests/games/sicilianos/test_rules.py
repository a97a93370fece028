"""Each rule of Sicilianos except wars and the end, proved at a table set up in one line."""

import pytest

from cosca.core.errors import Refused
from cosca.core.names import CHANCE, SPECTATOR
from cosca.games.sicilianos import pieces
from cosca.games.sicilianos.actions import count_moves, refusal, to_actions
from cosca.games.sicilianos.notation import (
    format_action,
    format_move,
    format_state,
    parse_action,
    parse_move,
    parse_state,
)
from cosca.games.sicilianos.pieces import COLOUR_NAMES
from cosca.games.sicilianos.position import position
from cosca.games.sicilianos.rules import State
from tests.games.sicilianos.story import (
    Story,
    asked,
    businesses,
    hand,
    laundered,
    money,
    moves,
    phase,
    refused,
    rolled,
    rule,
    stack,
    war,
)

ALL_RED = "hand2=r1-11"
SEATS = range(pieces.FEWEST_SEATS, pieces.MOST_SEATS + 1)


def drafted(seats: int = 3, start: int = 1) -> Story:
    """A game in which everybody has drawn red, green, blue and yellow cards, the lowest first."""
    story = Story(State(seats)).play(f"start {start}")
    for round_, colour in enumerate(COLOUR_NAMES[:4]):
        for turn in range(seats):
            seat = (start - 1 + turn) % seats
            assert asked(story.state) == (seat + 1, "draft"), round_
            story.play(f"{seat + 1} {colour}", f"drafted {turn + 1}")
    return story


# --- What there is ---------------------------------------------------------------------------


@rule("S-M1", "S-S2")
@pytest.mark.parametrize("colour", COLOUR_NAMES)
def test_each_family_has_eleven_cards_and_three_businesses(colour: str) -> None:
    story = Story(State(3)).play("start 1", f"1 {colour}")
    assert story.state.chance_outcomes() == [(value, 1) for value in range(1, 12)]
    assert story.state.businesses_left(COLOUR_NAMES.index(colour)) == 3
    assert stack(story.state, colour) == [0] * 11


@rule("S-M1")
def test_colours_of_a_hand_are_public_and_values_are_not() -> None:
    low, high = (parse_state(f"hand1=r{value},b3") for value in (2, 9))
    assert position(low, 1).hands[0] == (1, 0, 1, 0, 0, 0)
    assert position(low, 1) == position(high, 1)
    assert position(low, SPECTATOR) == position(high, SPECTATOR)
    assert position(low, 0).mine == (2, 0, 4, 0, 0, 0)


@rule("S-M1", "S-6")
def test_the_colour_of_a_card_laid_down_is_public_and_its_value_is_not() -> None:
    low, high = (
        Story("hand1=r2,r9 hand2=b3").play(f"1 r{value}", "1 20").state for value in (2, 9)
    )
    assert position(low, 1) == position(high, 1)
    assert position(low, 1).face_down == (1, 0, 0)
    assert position(low, 1).family[0] == 0
    assert position(low, 0).mine_down == 2


@rule("S-M1", "S-18")
def test_the_colour_of_a_business_is_public_and_its_kind_is_not() -> None:
    kept = [war("r9").play(f"1 {kind}").state for kind in ("laundry", "antiques")]
    assert position(kept[0], 1) == position(kept[1], 1)
    assert position(kept[0], 1).owners[0] == (0, -1, -1)
    assert position(kept[0], 0) != position(kept[1], 0)


@rule("S-M2", "S-9")
@pytest.mark.parametrize(
    ("option", "shown"),
    [("pairs", "grybop"), ("ring", "gbypor")],
)
def test_a_defector_shows_a_second_colour(option: str, shown: str) -> None:
    for colour, second in zip("rgbypo", shown, strict=True):
        for other in set("rgbypo") - {colour}:
            state = war(f"{colour}8", f"{other}3", line=f"defectors={option}").state
            assert (phase(state) == "defect") == (other == second)


@rule("S-M3", "S-11")
@pytest.mark.parametrize(
    ("option", "shown"),
    [
        ("pairs", ["by", "by", "po", "po", "rg", "rg"]),
        ("all", ["gbypo", "rbypo", "rgypo", "rgbpo", "rgbyo", "rgbyp"]),
    ],
)
def test_a_bomb_shows_the_colours_it_can_hit(option: str, shown: list[str]) -> None:
    for colour, hits in zip("rgbypo", shown, strict=True):
        for other in set("rgbypo") - {colour}:
            state = war(f"{colour}5", f"{other}3", line=f"bombs={option}").state
            assert (phase(state) == "bomb") == (other in hits)


@rule("S-M4", "S-12")
def test_the_one_is_the_bodyguard() -> None:
    story = war("b3", "r9", hand1="b1", hand2="r5").play("1 b1", "2 r5")
    assert (asked(story.state), moves(story.state)) == ((2, "bomb"), ["-", "b1"])


@rule("S-M5", "S-2")
@pytest.mark.parametrize(("option", "weights"), [("even", [2, 2, 2]), ("drawing", [3, 2, 1])])
def test_two_dice_show_colours_and_one_what_to_do(option: str, weights: list[int]) -> None:
    story = Story(f"influence={option}").play("1 roll")
    for _ in range(2):
        assert story.state.chance_outcomes() == [(colour, 1) for colour in range(6)]
        story.play("die red")
    assert story.state.chance_outcomes() == list(enumerate(weights))


@rule("S-M6")
def test_there_are_five_notes_and_the_bank_never_runs_dry() -> None:
    story = Story("hand1=r9 laundered=9000.0.0").play("1 r9")
    assert moves(story.state) == ["5", "10", "20", "40", "50"]
    assert laundered(story.play("1 50").state) == [9100, 0, 0]


@rule("S-M7", "S-18")
@pytest.mark.parametrize("card", ["r9", "g9", "b9", "y9", "p9", "o9"])
def test_there_are_three_kinds_of_business_in_each_colour(card: str) -> None:
    assert moves(war(card).state) == ["laundry", "restaurant", "antiques"]


# --- Setting up ------------------------------------------------------------------------------


@rule("S-S1")
@pytest.mark.parametrize("notes", [1, 2, 3])
def test_everyone_has_so_many_notes_of_each_value(notes: int) -> None:
    state = State(4, notes=notes)
    assert [money(state, number) for number in (1, 2, 3, 4)] == [[notes] * 5] * 4
    assert sum(pieces.NOTE_WORTH) * 2 == 250
    assert laundered(state) == [0] * 4


@rule("S-S1")
def test_two_notes_of_each_value_are_usual_and_open() -> None:
    state = State(3)
    assert money(state, 1) == [2] * 5
    assert position(state, 2).notes == ((2,) * 5,) * 3


@rule("S-S2")
def test_what_lies_in_a_stack_is_up_to_chance_until_it_is_seen() -> None:
    story = Story(State(3)).play("start 1", "1 red", "drafted 7", "2 red")
    assert [value for value, _ in story.state.chance_outcomes()] == [1, 2, 3, 4, 5, 6, 8, 9, 10, 11]


@rule("S-S3")
@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("start", [1, 3])
def test_all_draw_in_turn_until_they_have_four_cards(seats: int, start: int) -> None:
    state = drafted(seats, start).state
    assert list(state.hand_size[:seats]) == [4] * seats
    assert hand(state, start) == "r1,g1,b1,y1"
    assert asked(state) == (start, "turn")


@rule("S-S3")
def test_a_colour_in_hand_cannot_be_drawn_again() -> None:
    state = Story("phase=draft hand1=r2,b3").state
    assert moves(state) == ["green", "yellow", "purple", "orange"]
    assert refused(state, "1 red") == "have_colour"
    assert refused(state, "1 pass") == "draft_stack"
    assert refused(state, "2 green") == "not_your_turn"


@rule("S-S3")
def test_an_empty_stack_cannot_be_drawn_from() -> None:
    state = Story(f"phase=draft {ALL_RED}").state
    assert moves(state) == list(COLOUR_NAMES[1:])
    assert refused(state, "1 red") == "empty_stack"


@rule("S-S4")
@pytest.mark.parametrize("seats", SEATS)
def test_a_fair_lot_chooses_who_starts(seats: int) -> None:
    state = State(seats)
    assert state.actors() == (CHANCE,)
    assert state.chance_outcomes() == [(seat, 1) for seat in range(seats)]


# --- The hand limit --------------------------------------------------------------------------


@rule("S-1")
@pytest.mark.parametrize("limit", [5, 7, 10])
def test_with_a_full_hand_one_goes_to_war(limit: int) -> None:
    line = f"hand_limit={limit} hand1=r1-{{}}"
    full = Story(line.format(limit)).state
    assert moves(full) == [f"r{value}" for value in range(1, limit + 1)]
    assert refused(full, "1 roll") == "hand_full"
    assert moves(Story(line.format(limit - 1)).state)[0] == "roll"


@rule("S-1")
def test_ten_cards_are_the_usual_limit() -> None:
    assert "roll" in moves(Story("hand1=r1-9").state)
    assert "roll" not in moves(Story("hand1=r1-9,g3").state)


@rule("S-1")
def test_without_a_card_one_rolls() -> None:
    assert moves(Story("hand2=r3").state) == ["roll"]


@rule("S-1")
def test_with_room_for_one_card_the_stack_is_chosen() -> None:
    story = rolled("hand1=r1-9", "orange", "blue", "two")
    assert (asked(story.state), moves(story.state)) == ((1, "which"), ["blue", "orange"])
    assert refused(story.state, "1 red") == "not_rolled"
    assert refused(story.state, "1 pass") == "rolled_colour"
    story.play("1 blue", "draw 4")
    assert hand(story.state, 1).endswith("r9,b4")
    assert asked(story.state) == (2, "turn")
    assert len(stack(story.state, "orange")) == 11


@rule("S-1")
def test_with_room_for_one_card_a_double_gives_one() -> None:
    story = rolled("hand1=r1-9", "blue", "blue", "two").play("draw 4")
    assert asked(story.state) == (2, "turn")
    assert len(stack(story.state, "blue")) == 10


@rule("S-1", "S-3")
def test_with_room_for_one_card_and_one_empty_stack_there_is_no_choice() -> None:
    story = rolled("hand1=g1-9 hand2=r1-11", "red", "blue", "two")
    assert phase(story.state) == "draw"
    assert asked(story.play("draw 4").state) == (2, "turn")


@rule("S-1")
def test_with_room_for_two_cards_both_are_drawn() -> None:
    story = rolled("hand1=r1-8", "green", "blue", "two").play("draw 4", "draw 5")
    assert hand(story.state, 1).endswith("r8,g4,b5")


# --- Drawing ---------------------------------------------------------------------------------


@rule("S-2")
def test_all_three_dice_are_rolled_before_anything_is_done() -> None:
    story = Story("hand1=r3").play("1 roll")
    for face in ("red", "blue"):
        assert (phase(story.state), story.state.actors()) == ("dice", (CHANCE,))
        story.play(f"die {face}")
    assert phase(story.state) == "dice"
    assert phase(story.play("die one").state) == "one"


@rule("S-3")
def test_a_card_of_each_colour_rolled_is_drawn() -> None:
    story = rolled("", "orange", "green", "two").play("draw 7", "draw 11")
    assert hand(story.state, 1) == "g11,o7"
    assert asked(story.state) == (2, "turn")


@rule("S-3")
def test_a_double_gives_two_cards_of_a_stack() -> None:
    story = rolled("", "green", "green", "two").play("draw 7", "draw 1")
    assert hand(story.state, 1) == "g1,g7"
    assert len(stack(story.state, "green")) == 9


@rule("S-3")
def test_a_double_of_a_stack_with_one_card_gives_one() -> None:
    story = rolled("hand2=g1-10", "green", "green", "two").play("draw 11")
    assert (hand(story.state, 1), stack(story.state, "green")) == ("g11", [])
    assert asked(story.state) == (2, "turn")


@rule("S-3")
@pytest.mark.parametrize("dice", [("red", "blue"), ("blue", "red")])
def test_an_empty_stack_gives_nothing(dice: tuple[str, str]) -> None:
    story = rolled(ALL_RED, *dice, "two").play("draw 3")
    assert (hand(story.state, 1), asked(story.state)) == ("b3", (2, "turn"))


@rule("S-3")
def test_two_empty_stacks_end_the_turn() -> None:
    assert asked(rolled(ALL_RED, "red", "red", "two").state) == (2, "turn")
    assert asked(rolled("hand2=r1-11,g1-11", "red", "green", "two").state) == (2, "turn")


@rule("S-3", "S-21")
def test_a_card_that_lies_on_top_is_drawn() -> None:
    story = rolled("hand2=r1-8,r10 red=11,9", "red", "blue", "two")
    assert story.state.chance_outcomes() == [(11, 1)]
    assert stack(story.play("draw 11").state, "red") == [9]


@rule("S-4")
def test_draw_one_is_from_any_stack_or_a_look_into_a_rolled_one() -> None:
    state = rolled("hand1=r3", "blue", "green", "one").state
    assert moves(state) == [*COLOUR_NAMES, "look green", "look blue"]
    assert refused(state, "1 look red") == "look_at_rolled"
    assert refused(state, "1 pass") == "draw_or_look"


@rule("S-4")
def test_the_top_card_of_any_stack_may_be_drawn() -> None:
    story = rolled("", "blue", "green", "one").play("1 red", "draw 6")
    assert (hand(story.state, 1), asked(story.state)) == ("r6", (2, "turn"))


@rule("S-4")
def test_an_empty_stack_can_neither_be_drawn_from_nor_looked_through() -> None:
    state = rolled(ALL_RED, "red", "green", "one").state
    assert moves(state) == [*COLOUR_NAMES[1:], "look green"]
    assert refused(state, "1 red") == refused(state, "1 look red") == "empty_stack"


@rule("S-4")
def test_with_both_rolled_stacks_empty_any_top_card_is_drawn() -> None:
    state = rolled("hand2=r1-11,g1-11", "red", "green", "one").state
    assert moves(state) == list(COLOUR_NAMES[2:])


@rule("S-4")
def test_with_all_stacks_empty_the_turn_ends() -> None:
    everything = ",".join(f"{letter}1-11" for letter in "rgbypo")
    assert asked(rolled(f"hand2={everything}", "red", "green", "one").state) == (2, "turn")


@rule("S-4")
def test_a_player_who_looks_takes_any_card_and_the_order_is_kept() -> None:
    story = rolled("hand2=r1-7", "red", "green", "one").play("1 look red", "look 11", "look 8")
    assert story.state.chance_outcomes() == [(9, 1), (10, 1)]
    story.play("look 10", "look 9")
    assert (asked(story.state), moves(story.state)) == ((1, "take"), ["r8", "r9", "r10", "r11"])
    assert refused(story.state, "1 pass") == "take_one"
    assert refused(story.state, "1 r7") == "not_in_stack"
    story.play("1 r8")
    assert (hand(story.state, 1), stack(story.state, "red")) == ("r8", [11, 10, 9])
    assert asked(story.state) == (2, "turn")


@rule("S-4")
@pytest.mark.parametrize(("taken", "left"), [(3, [7, 9]), (7, [3, 9]), (9, [3, 7])])
def test_cards_seen_before_lie_where_they_lay(taken: int, left: list[int]) -> None:
    line = "hand2=r1-2,r4-6,r8,r10-11 red=3,7,9"
    story = rolled(line, "red", "green", "one").play("1 look red", f"1 r{taken}")
    assert stack(story.state, "red") == left


@rule("S-4")
def test_only_the_looker_sees_the_stack() -> None:
    looks = [
        rolled("hand2=r1-8", "red", "green", "one").play("1 look red", *lines).state
        for lines in (("look 9", "look 10", "look 11"), ("look 11", "look 9", "look 10"))
    ]
    assert [position(state, 0).looking for state in looks] == [(9, 10, 11), (11, 9, 10)]
    for seat in (2, SPECTATOR):
        assert position(looks[0], seat) == position(looks[1], seat)


@rule("S-4")
def test_the_place_a_card_came_from_stays_hidden() -> None:
    seen = rolled("hand2=r1-8", "red", "green", "one").play("1 look red", "look 9", "look 10")
    ends = [Story(seen.state.copy()).play("look 11", f"1 r{taken}") for taken in (9, 10, 11)]
    for seat in (1, 2, SPECTATOR):
        positions = [position(story.state, seat) for story in ends]
        assert positions[0] == positions[1] == positions[2]


# --- Stealing --------------------------------------------------------------------------------


@rule("S-5")
def test_a_thief_chooses_colour_and_victim_and_chance_the_card() -> None:
    story = rolled("hand1=r1 hand2=r3,r7,g2 hand3=r5", "green", "red", "steal")
    assert (asked(story.state), moves(story.state)) == ((1, "steal"), ["red", "green"])
    assert refused(story.state, "1 blue") == "not_rolled"
    story.play("1 red")
    assert (asked(story.state), moves(story.state)) == ((1, "victim"), ["from 2", "from 3"])
    assert refused(story.state, "1 from 1") == "not_yourself"
    assert refused(story.state, "1 from 4") == "no_such_seat"
    assert refused(story.state, "1 pass") == "name_victim"
    story.play("1 from 2")
    assert story.state.chance_outcomes() == [(3, 1), (7, 1)]
    story.play("stolen 7")
    assert (hand(story.state, 1), hand(story.state, 2)) == ("r1,r7", "r3,g2")
    assert list(story.state.hand_size[:3]) == [2, 2, 1]
    assert asked(story.state) == (2, "turn")


@rule("S-5")
def test_a_victim_must_have_the_colour() -> None:
    state = rolled("seats=4 hand2=r3 hand3=g3 hand4=r5", "red", "red", "steal").state
    assert moves(state) == ["from 2", "from 4"]
    assert refused(state, "1 from 3") == "victim_lacks"


@rule("S-5")
@pytest.mark.parametrize("dice", [("red", "green"), ("green", "red"), ("red", "red")])
def test_with_one_victim_there_is_nothing_to_choose(dice: tuple[str, str]) -> None:
    story = rolled("hand1=g5 hand3=r5,r6,b3", *dice, "steal")
    assert (phase(story.state), story.state.chance_outcomes()) == ("stolen", [(5, 1), (6, 1)])


@rule("S-5")
def test_a_colour_with_one_victim_needs_no_name() -> None:
    story = rolled("hand2=r3,g1 hand3=r5", "red", "green", "steal").play("1 green")
    assert (phase(story.state), story.state.victim) == ("stolen", 1)


@rule("S-5")
def test_if_nobody_has_a_colour_rolled_the_turn_ends() -> None:
    state = rolled("hand1=r3,g3 hand2=b3", "red", "green", "steal").state
    assert asked(state) == (2, "turn")


@rule("S-5")
def test_only_thief_and_victim_know_the_stolen_card() -> None:
    line = "hand2=r3,r7 hand3=b5"
    ends = [rolled(line, "red", "red", "steal").play(f"stolen {value}").state for value in (3, 7)]
    for seat in (2, SPECTATOR):
        assert position(ends[0], seat) == position(ends[1], seat)
    for seat in (0, 1):
        assert position(ends[0], seat) != position(ends[1], seat)


@rule("S-22")
@pytest.mark.parametrize(("active", "following"), [(1, 2), (2, 3), (4, 1)])
def test_the_left_neighbour_is_next(active: int, following: int) -> None:
    story = Story(f"seats=4 active={active}").play(f"{active} roll", "die red", "die blue")
    story.play("die two", "draw 3", "draw 4")
    assert asked(story.state) == (following, "turn")
    assert story.state.turns == 1


# --- As text ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        *(
            ("war red 7 with 20", "r7 20"),
            ("R 7, 20,000", "r7 20"),
            ("open with b11 and 5", "b11 5"),
        ),
        *(("draw red", "red"), ("o", "orange"), ("look through green", "look green")),
        *(("steal from 3", "from 3"), ("from player 2", "from 2"), ("steal red", "red")),
        *(("Laundry", "laundry"), ("buy the antique shop", "antiques"), ("take r7", "r7")),
        *(("hit purple 5", "p5"), ("stake 40", "40"), ("-", "-"), ("pass", "-"), ("ROLL", "roll")),
        *(("defect", "defect"), ("money", "money"), ("business", "business")),
        *(("r7 with 20k", "r7 20"), ("5k", "5"), ("stay loyal", "-"), ("no more", "-")),
    ],
)
def test_moves_are_read_as_people_type_them(typed: str, written: str) -> None:
    assert format_move(parse_move(typed)) == written


@pytest.mark.parametrize("typed", ["", "x", "7 r", "r7 20 5", "look", "from", "look 3", "r٣"])
def test_what_is_no_move_is_refused(typed: str) -> None:
    with pytest.raises(Refused) as caught:
        parse_move(typed)
    assert caught.value.key == "sicilianos.bad_move"


@pytest.mark.parametrize(
    ("typed", "key"),
    [("r12", "no_such_card"), ("r7 30", "no_such_note"), ("from 7", "no_such_seat")],
)
def test_what_is_not_in_the_box_is_refused(typed: str, key: str) -> None:
    with pytest.raises(Refused) as caught:
        to_actions(parse_move(typed))
    assert caught.value.key == f"sicilianos.{key}"


@pytest.mark.parametrize(
    "line",
    [
        *("x", "x=1", "seats=2", "seats=7", "phase=tea", "hand1=r12", "hand1=r7 hand2=r7"),
        *("red=7 hand1=r7", "money1=2.2", "family=r.-", "laid1=3", "active=-", "active=4"),
        *("red=?,3", "red_shops=laundry/1,laundry/2", "red_log=t1:3", "red_was=1.2"),
        *("seats=3 seats=3", "stake=30.-.-", "dice=red,red,red", "queue=red,red,red"),
    ],
)
def test_what_is_no_state_is_refused(line: str) -> None:
    with pytest.raises(Refused) as caught:
        parse_state(line)
    assert caught.value.key == "sicilianos.bad_state"


def test_what_is_not_said_of_a_state_is_usual() -> None:
    state = parse_state("hand1=r7,g3 hand2=r9")
    assert (state.seats, asked(state), hand(state, 1)) == (3, (1, "turn"), "r7,g3")
    assert stack(state, "red") == [0] * 9
    assert list(state.before[:7]) == [1, 1, 0, 0, 0, 0, 9]
    assert list(state.happened) == [0] * 6
    assert format_state(state) == "seats=3 phase=turn hand1=r7,g3 hand2=r9"


def test_a_state_with_a_past_survives_as_text() -> None:
    story = rolled("hand2=r1-8", "red", "green", "one").play("1 look red", "look 9", "look 10")
    story.play("look 11", "1 r10", "2 r5 20", "2 laundry")
    text = format_state(story.state)
    assert parse_state(text).ints() == story.state.ints()
    assert "red_log=t1/2:10,w2:5,r:5" in text.split()
    assert businesses(parse_state(text), 2) == ["red laundry"]


def test_steps_of_chance_are_written_in_words() -> None:
    story = Story(State(3))
    assert format_action(story.state, 1) == "start 2"
    story.play("start 2", "2 red")
    assert format_action(story.state, 7) == "drafted 7"
    with pytest.raises(Refused):
        parse_action(story.state, "draw 7")
    state = parse_state("phase=dice dice=red,blue")
    assert [format_action(state, face) for face in range(3)] == ["die two", "die one", "die steal"]


def test_every_step_is_a_whole_move() -> None:
    there = position(parse_state("hand1=r7,g3"), 0)
    assert count_moves(there) == [1, 1, 1]
    assert refusal(there, 97).key == refusal(there, -1).key == "sicilianos.no_such_action"
