"""The facts in a record of Omerta: their order, and which card they name."""

from cosca.core.names import CHANCE
from cosca.games.omerta.events import events, format_1_events
from cosca.games.omerta.notation import parse_action, parse_state
from cosca.games.omerta.pieces import PASS
from tests.games.omerta.story import Story, discards, pile, rule

SKIP_AFTER_NOTHING = f"copies=pairs mamma=-1.2.1 row1=10 row2=9 row3=10 {pile()}"
"""Hill and Luciano have laid a mamma on each other, and there is no card left to take."""


@rule("O-19t", "O-19m", "O-5")
def test_what_a_skipped_player_had_laid_is_lifted_after_the_skip() -> None:
    happened = events(parse_state(SKIP_AFTER_NOTHING), 0, PASS)
    assert [(event.key, event.params["seat"]) for event in happened] == [
        ("omerta.nothing_to_take", 0),
        ("omerta.skipped", 1),
        ("omerta.mamma_lifted", 2),
    ]


@rule("O-19t")
def test_a_patrol_lies_on_top_of_a_mamma_that_is_lifted_with_it() -> None:
    story = Story("row1=10 row2=9:w1/1 row3=10 mamma=-1.-1.0").play("c draw", "draw 4")
    lifted = [event.key for event in story.events[-2:]]
    assert lifted == ["omerta.mamma_lifted", "omerta.patrol_lifted"]
    assert discards(story.state) == "mamma,patrol"


@rule("O-13", "O-19p")
def test_shuffled_slots_count_the_whole_row() -> None:
    story = Story("row1=lady row2=1:w3/2,2,3 row3=10 discards=4")
    story.play("c draw", "draw 7", "c 1", "c on l", "nobody")
    shuffle = parse_action(story.state, "shuffle 2")
    (event, *_) = events(story.state, CHANCE, shuffle)
    assert (event.params["slot"], event.params["other_slot"]) == (3, 2)
    (event, *_) = format_1_events(story.state, CHANCE, shuffle)
    assert (event.params["slot"], event.params["other_slot"]) == (2, 1)


def test_format_1_lists_lifted_cards_in_its_old_order() -> None:
    happened = format_1_events(parse_state(SKIP_AFTER_NOTHING), 0, PASS)
    keys = [event.key.removeprefix("omerta.") for event in happened]
    assert keys == ["nothing_to_take", "mamma_lifted", "skipped"]
