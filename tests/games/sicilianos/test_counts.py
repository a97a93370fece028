"""Counts of Sicilianos, at the limits where one more or one less makes a difference."""

import pytest

from cosca.games.sicilianos import pieces
from cosca.games.sicilianos.game import GAME
from cosca.games.sicilianos.notation import parse_state
from cosca.games.sicilianos.rules import State
from tests.games.sicilianos.story import (
    Story,
    asked,
    hand,
    moves,
    phase,
    rolled,
    rule,
    scored,
    stack,
    table,
    war,
    winner,
)


@rule("S-S1", "S-S2", "S-M1", "S-M6")
def test_before_the_lot_all_cards_are_in_their_stacks_and_everybody_has_two_of_each_note() -> None:
    options = [3, 0, 0, 0, 10]
    turn = [pieces.PHASE_START, 0, -1, -1, 0, 0, 0, 0, -1, -1, 0, 0, -1, -1, *[-1] * 3, *[-1] * 2]
    money = [0] * 6 + [0] * 6 + [2] * 15 + [0] * 15
    cards = [0] * 36 + [2**11 - 1] * 6 + [11] * 6 + [0] * 66
    businesses = [-1] * 18 + [-1] * 18
    war = [-1] * 6 + [-1] * 6 + [0] * 6 + [-1] * 6 + [-1] * 6 + [0] * 6 + [0] * 6 + [0] * 6
    war += [0] * 66
    records = [0] * 6 + [*[0] * 6, 11] * 6
    assert State(3).ints() == [*options, *turn, *money, *cards, *businesses, *war, *records]
    assert GAME.new(GAME.settings("", {}), 3).ints() == State(3).ints()
    assert list(State(3).hand_size) == [0] * 6


@rule("S-M1")
def test_of_each_colour_as_much_is_remembered_as_was_promised() -> None:
    state = State(6)
    assert len(state.deed) == len(state.value) == pieces.COLOURS * pieces.EVENTS


# --- What is remembered ----------------------------------------------------------------------

DRAWN, TAKEN, STOLEN = pieces.DRAWN, pieces.TAKEN, pieces.STOLEN
SHOWN, RETURNED = pieces.SHOWN, pieces.RETURNED
Deed = tuple[int, int, int, int]  # what, by whom, from whom or where, the value


def remembered(state: State, colour: int) -> list[Deed]:
    """What is known to have happened to the cards of a colour."""
    places = range(colour * pieces.EVENTS, colour * pieces.EVENTS + state.happened[colour])
    codes = [(state.deed[place], state.value[place]) for place in places]
    return [(deed % 8, deed // 8 % 8, deed // 64, value) for deed, value in codes]


def counted(deeds: list[Deed]) -> list[int]:
    """How many cards each player has and the stack, after some deeds of a new game."""
    cards = [0, 0, 0, 0, 0, 0, 11]
    for deed, seat, other, _ in deeds:
        if deed in (DRAWN, TAKEN, RETURNED):
            cards[6] += 1 if deed == RETURNED else -1
        if deed == STOLEN:
            cards[other] -= 1
        if deed != RETURNED:
            cards[seat] += -1 if deed == SHOWN else 1
    return cards


def a_long_story() -> list[Deed]:
    """Seventy-two deeds, with a war from the 31st to the 42nd."""
    deeds: list[Deed] = [(DRAWN, number % 6, 0, number + 1) for number in range(8)]
    deeds += [(TAKEN, 4, 2, 10), (STOLEN, 1, 4, 10), (STOLEN, 0, 5, 6)]
    deeds += [(SHOWN, 1, 0, 10), (SHOWN, 2, 0, 3), (RETURNED, 0, 0, 10), (RETURNED, 0, 0, 3)]
    deeds += [(STOLEN, number % 5 + 1, number % 5, 5) for number in range(15)]
    deeds += [(SHOWN, 3, 0, 4), (SHOWN, 5, 0, 6), (SHOWN, 5, 0, 1), (RETURNED, 0, 0, 4)] * 2
    deeds += [(RETURNED, 0, 0, 6)] * 4
    return deeds + [(DRAWN, number % 6, 0, number % 11 + 1) for number in range(30)]


@rule("S-3", "S-4", "S-5", "S-8", "S-21")
@pytest.mark.parametrize("colour", [1, 4])
def test_of_a_long_game_the_beginning_is_forgotten_up_to_a_war_and_counted(colour: int) -> None:
    deeds = a_long_story()
    assert len(deeds) == pieces.EVENTS
    state = State(6)
    for deed in deeds:
        state.remember(colour, *deed)
    assert remembered(state, colour) == deeds
    state.remember(colour, STOLEN, 2, 5, 9)
    assert remembered(state, colour) == [*deeds[30:], (STOLEN, 2, 5, 9)]
    before = [state.before[7 * other : 7 * other + 7] for other in range(6)]
    assert before.pop(colour) == counted(deeds[:30])
    assert before == [counted([])] * 5


@rule("S-3", "S-21")
def test_what_is_drawn_and_what_goes_under_a_stack_is_remembered() -> None:
    state = State(3)
    state.draw_top(2, 1, 7)
    state.put_under(1, 7)
    assert remembered(state, 1) == [(DRAWN, 2, 0, 7), (RETURNED, 0, 0, 7)]
    assert state.deed[pieces.EVENTS : pieces.EVENTS + 2] == [DRAWN + 8 * 2, RETURNED]


# --- Stacks and dice -------------------------------------------------------------------------


@rule("S-S3")
def test_after_a_card_is_drafted_no_stack_is_open() -> None:
    story = Story(State(3)).play("start 1", "1 green", "drafted 4")
    assert (asked(story.state), story.state.colour) == ((2, "draft"), -1)


@rule("S-3", "S-S2")
def test_a_card_that_lies_on_top_and_was_seen_is_the_one_that_is_drawn() -> None:
    story = rolled("green=7,?,?,?,?,?,?,?,?,?,? seats=3", "green", "blue", "two")
    assert story.state.chance_outcomes() == [(7, 1)]
    pool = list(story.state.pool)
    story.play("draw 7")
    assert story.state.pool == pool
    assert stack(story.state, "green") == [0] * 10
    assert stack(story.state, "red") == [0] * 11


@rule("S-4")
def test_a_card_taken_from_the_midst_of_a_stack_leaves_the_others_in_order() -> None:
    story = rolled("green=4,7,9 hand2=g1-3,g5,g6,g8,g10,g11", "green", "blue", "one")
    story.play("1 look green", "1 g7")
    assert story.state.stack[11:22] == [4, 9] + [0] * 9
    assert story.state.pool[1] == 0


@rule("S-2", "S-22")
def test_the_dice_of_a_turn_do_not_lie_there_in_the_next() -> None:
    story = rolled("hand2=r1-11,b1-11", "red", "blue", "two")
    assert (asked(story.state), story.state.die) == ((2, "turn"), [-1, -1, -1])


@rule("S-3")
def test_the_last_card_of_the_first_colour_is_drawn() -> None:
    story = rolled("hand2=g1-10", "green", "blue", "two").play("draw 11", "draw 3")
    assert hand(story.state, 1) == "g11,b3"


@rule("S-3")
def test_the_last_card_of_the_second_colour_is_drawn() -> None:
    story = rolled("hand2=b1-10", "green", "blue", "two").play("draw 3", "draw 11")
    assert hand(story.state, 1) == "g3,b11"


@rule("S-1")
@pytest.mark.parametrize("dice", [("green", "blue"), ("blue", "green")])
def test_either_colour_is_chosen_whichever_die_shows_it(dice: tuple[str, str]) -> None:
    state = rolled("hand1=r1-9", *dice, "two").state
    assert phase(state) == "which"
    assert state.legal_actions(0) == [pieces.COLOUR + 1, pieces.COLOUR + 2]


@rule("S-4")
def test_a_card_is_taken_from_its_own_stack_whatever_lies_in_the_one_before() -> None:
    line = "red=1,2,3,4,5,6,8,9,10,11,7 green=4,7,9 hand2=g1-3,g5,g6,g8,g10,g11"
    story = rolled(line, "green", "blue", "one").play("1 look green", "1 g7")
    assert hand(story.state, 1) == "g7"
    assert stack(story.state, "green") == [4, 9]
    assert stack(story.state, "red") == [1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 7]


# --- Wars ------------------------------------------------------------------------------------


def bombed(card: str) -> State:
    """Red has laid 9, 2 and its bomb, blue 3, 11 and 2; the bomb hits a card of blue."""
    story = war("b3", "r9", "-", hand1="b11,b2,b6", hand2="r2,r5,r7")
    story.play("1 b11", "2 r2", "1 b2", "2 r5")
    assert (asked(story.state), moves(story.state)) == ((2, "bomb"), ["-", "b2", "b3", "b11"])
    return story.play(f"2 {card}").state


@rule("S-11", "S-13")
@pytest.mark.parametrize(("card", "left"), [("b3", [11, 2]), ("b11", [3, 2]), ("b2", [3, 11])])
def test_a_bomb_takes_one_card_of_several_and_the_others_lie_as_they_lay(
    card: str, left: list[int]
) -> None:
    state = bombed(card)
    assert state.laid[:11] == left + [0] * 9
    assert state.laid[11:22] == [9, 2] + [0] * 9
    assert state.cards[:3] == [2, 2, 0]


@rule("S-11", "S-13")
def test_a_bomb_leaves_the_cards_of_the_other_players_alone() -> None:
    all_red = "laid1=1,2,4,5,6,7,8,9,10,11,3"
    for seat, value, red, blue in (
        (0, 1, [2, 4, 5, 6, 7, 8, 9, 10, 11, 3, 0], [9, 3, 7]),
        (1, 3, [1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 3], [9, 7, 0]),
        (1, 9, [1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 3], [3, 7, 0]),
    ):
        state = parse_state(f"phase=bomb family=r.b.- {all_red} laid2=9,3,7")
        state.blow_up(seat, value)
        assert (state.laid[:11], state.laid[11:14]) == (red, blue)


@rule("S-11")
def test_a_bomb_has_no_target_in_a_family_that_has_lost_all_its_cards() -> None:
    story = war("b3", "r5", "g5", hand2="r2", hand3="g2").play("2 b3")
    assert table(story.state) == [[], [], [5]]
    assert asked(story.state) == (2, "lay")


@rule("S-9", "S-10")
def test_a_defector_whose_own_colour_nobody_shows_is_no_opposite() -> None:
    story = war("g8", "r8", "-", line="defectors=ring")
    assert asked(story.state) == (2, "defect")


@rule("S-8")
def test_cards_that_are_turned_up_are_remembered_with_who_laid_them() -> None:
    state = war("r9", "g3", "-", hand1="r4").state
    place = pieces.EVENTS + state.happened[1] - 1
    assert (state.deed[place], state.value[place]) == (SHOWN + 8 * 1, 3)


@rule("S-14")
def test_a_bodyguard_that_is_the_only_card_of_a_pass_is_turned_up() -> None:
    story = war("r9", "b3", "-", hand2="b1").play("2 b1")
    assert table(story.state)[1] == [3, 1]


@rule("S-16")
def test_a_strength_of_one_is_enough_to_win() -> None:
    assert winner(war("r1", "-", "-").state) == (1, "red")


@rule("S-19", "S-21")
def test_when_a_war_is_over_nothing_of_it_lies_on_the_table() -> None:
    story = war("r8", "g9", "-", hand2="g2,g3").play("1 defect", "2 g2", "2 -", "2 money")
    story.play("1 laundry")
    assert asked(story.state) == (2, "turn")
    assert not any(story.state.laid)
    assert story.state.joined[:3] == story.state.joined_by[:3] == [-1, -1, -1]


# --- The end ---------------------------------------------------------------------------------


@rule("S-27")
def test_businesses_are_counted_by_their_kind() -> None:
    first, second, third = pieces.KIND_NAMES
    state = parse_state(f"red_shops={first}/1,{second}/1 green_shops={second}/1,{third}/2")
    assert [state.number_of(0, kind) for kind in range(3)] == [1, 2, 0]
    assert [state.number_of(1, kind) for kind in range(3)] == [0, 0, 1]


@rule("S-24", "S-28")
def test_when_the_game_is_over_nobody_acts() -> None:
    assert scored().actors() == ()
    richest = scored("laundered=0.0.500")
    assert (richest.winners(), richest.returns()) == (1 << 2, [0.0, 0.0, 1.0])


# --- Written down and read back --------------------------------------------------------------


@rule("S-M2", "S-M3", "S-M5", "S-1")
@pytest.mark.parametrize(
    ("option", "chosen"), [("defectors", 1), ("bombs", 1), ("faces", 1), ("hand_limit", 12)]
)
def test_what_the_host_chose_is_read_back_and_nothing_else(option: str, chosen: int) -> None:
    usual = {"defectors": 0, "bombs": 0, "faces": 0, "hand_limit": 10}
    made = State(3, **{option: chosen})
    read = State(3)
    read.load(made.ints())
    for state in (made, read, made.copy()):
        options = (state.defectors, state.bombs, state.faces, state.hand_limit)
        assert options == tuple({**usual, option: chosen}.values())


@rule("S-3", "S-5", "S-8", "S-21")
def test_what_is_remembered_of_each_colour_is_read_back() -> None:
    made = State(6)
    deeds: list[Deed] = [(DRAWN, 3, 0, 2), (STOLEN, 1, 3, 2), (SHOWN, 1, 0, 2)]
    for colour in range(6):
        for deed, seat, other, value in deeds[: colour % 4]:
            made.remember(colour, deed, seat, other, value + colour)
    read = State(3)
    read.load(made.ints())
    for colour in range(6):
        expected = [(*deed[:3], deed[3] + colour) for deed in deeds[: colour % 4]]
        assert remembered(read, colour) == expected


@rule("S-5", "S-9", "S-21")
def test_thefts_and_alliances_are_read_back() -> None:
    robbed = rolled("hand2=r3", "red", "blue", "steal").state
    allied = war("r8", "g9", "-").play("1 defect").state
    forgetful = State(6)
    for deed in [*a_long_story(), (DRAWN, 0, 0, 1)]:
        forgetful.remember(2, *deed)
    for made in (robbed, allied, forgetful):
        read = State(3)
        read.load(made.ints())
        assert read.victim == made.victim
        assert (read.joined, read.joined_by) == (made.joined, made.joined_by)
        assert read.before == made.before
    assert (robbed.victim, allied.joined[0], allied.joined_by[1]) == (1, 1, 0)
