"""Every outcome of Vendetta says why, in the figures of the table."""

import pytest

from cosca.core.names import CHANCE
from cosca.games.vendetta.events import events
from cosca.games.vendetta.notation import parse_state
from cosca.match.narration import reason_text

rule = pytest.mark.rule
UP = "phase=card turn=11 up=1,2,3,4,5,6,7,8,9,10"


def why(line: str, district: int, kind: str) -> list[str]:
    """The reasons of the events of one kind, when the card of a district is turned up."""
    happened = events(parse_state(line), CHANCE, district - 1)
    return [
        reason_text(event.reason)
        for event in happened
        if event.key == f"vendetta.{kind}" and event.reason is not None
    ]


def card(line: str, kind: str) -> list[str]:
    """The reasons when the card of district 5 is turned up."""
    return why(f"phase=card {line}", 5, kind)


def end(line: str, kind: str) -> list[str]:
    """The reasons when the round ends with the card of district 11; the raid is in 12 and 13."""
    return why(f"{UP} {line}", 11, kind)


@rule("V-9")
def test_the_fewest_lose_and_everybody_sees_the_figures() -> None:
    assert card("active=1 men=5:5.2.3", "lost") == [
        "Yellow has the fewest there (Yellow 2, Green 3, Red 5). (V-9)"
    ]


@rule("V-10")
def test_a_tie_names_who_ties_and_who_is_next() -> None:
    assert card("seats=4 active=4 men=5:2.3.2.9", "lost") == [
        "Red and Green tie for the fewest with 2. Red is next in turn, so Red loses. (V-10)"
    ]
    assert card("active=2 men=5:1.1.1", "lost") == [
        "Green, Red and Yellow tie for the fewest with 1. Green is next in turn, so Green loses."
        " (V-10)"
    ]


@rule("V-11", "V-13")
def test_a_card_without_a_vendetta_says_why() -> None:
    assert card("active=1 men=5:0.1.0", "turned_up") == [
        "Yellow is alone there and loses nothing. (V-11)"
    ]
    assert card("active=1 men=6:1.1.0", "turned_up") == [
        "Nobody is there, so nothing happens. (V-13)"
    ]
    assert card("active=1 men=5:1.2.0", "turned_up") == []


@rule("V-12")
def test_protection_money_is_for_everyone_still_there() -> None:
    assert (
        card("active=1 men=5:9.2.1", "collected") == ["Everyone still there takes one. (V-12)"] * 2
    )


@rule("V-3", "V-6")
def test_a_turn_without_placing_says_why() -> None:
    assert card("active=1 hands=0.3.3 men=5:0.1.0", "empty_handed") == [
        "The turn goes straight to the card. (V-3)"
    ]
    full = ",".join(f"{district}:0.3.0" for district in range(1, 14))
    assert card(f"active=1 hands=2.3.3 men={full}", "cannot_place") == [
        "Red has 2 in hand, and every district needs 3 or more. (V-6)"
    ]


@rule("V-14")
def test_the_raid_says_why_and_whom_it_costs_what() -> None:
    assert end("men=12:3.2.0", "raided") == [
        "Its card was not turned up this round, so everyone there loses all (Yellow 2, Red 3)."
        " (V-14)",
        "Its card was not turned up this round. (V-14)",
    ]


@rule("V-16", "V-15", "V-15e")
def test_points_name_the_districts_and_their_worth() -> None:
    men = "men=1:1.0.0,2:2.1.0,3:2.0.0"
    assert end(men, "scored") == [
        "Red is alone in 1 Porto Vecchio and 3 Pescheria. 2 districts score 5 points. (V-16)"
    ]
    assert end(f"control=most {men}", "scored") == [
        "Red has the most mafiosi in 1 Porto Vecchio, 2 La Tonnara and 3 Pescheria. 3 districts"
        " score 20 points. (V-16)"
    ]


@rule("V-16e")
def test_a_round_won_by_districts_may_score_nothing() -> None:
    men = ",".join(f"{district}:1.0.0" for district in range(1, 7))
    [reason] = end(f"final_points=no men={men}", "scored")
    assert reason.endswith("but nobody scores in a round that is won by districts. (V-16e)")


@rule("V-17", "V-18")
def test_a_win_names_what_was_needed() -> None:
    men = ",".join(f"{district}:1.0.0" for district in range(1, 7))
    assert end(f"men={men}", "won_by_districts") == [
        "Red controls 6 districts. With 3 players 6 are enough. (V-17)"
    ]
    assert end("points=0.810.0 men=1:1.0.0", "won_by_points") == [
        "Yellow has 810 points. With 3 players 800 are enough. (V-18)"
    ]
    assert end("goal=exceed points=0.810.0", "won_by_points") == [
        "Yellow has 810 points. With 3 players it takes more than 800. (V-18)"
    ]


@rule("V-19", "V-19r", "V-21")
def test_the_best_of_several_is_named_with_the_others() -> None:
    assert end("points=900.810.0", "won_by_points") == [
        "Red has the most points (Red 900, Yellow 810). (V-19)"
    ]
    assert (
        end("points=800.800.0 men=1:0.0.1", "shared_by_points")
        == ["Red and Yellow are equal, with 0 districts and 800 points each. (V-19r)"] * 2
    )
    assert end("max_rounds=7 round=7 points=3.9.0", "won_by_max_rounds") == [
        "Yellow has the most points (Yellow 9, Red 3, Green 0). (V-21)"
    ]


@rule("V-20", "V-M4")
def test_reinforcements_and_the_next_start_say_why() -> None:
    line = "active=1 hands=0.48.0"
    assert end(line, "reinforced") == [
        "Nobody has won yet, so everyone takes 3. (V-20)",
        "Everyone takes 3, but the box has only 2 left. (V-M4)",
        "Nobody has won yet, so everyone takes 3. (V-20)",
    ]
    assert end(line, "round") == ["Nobody has won yet, and Yellow is next in turn. (V-20)"]


@rule("V-S1", "V-S3", "V-S3f")
def test_the_deal_says_what_the_cards_mean() -> None:
    assert why("phase=deal dealt=5 start=1", 5, "dealt") == [
        "Green starts without mafiosi there. (V-S3)"
    ]
    assert why("setup=only phase=deal dealt=5 start=1", 5, "dealt") == [
        "Green starts with two mafiosi there. (V-S3f)"
    ]
    assert why("phase=deal dealt=5 start=1", 5, "round") == [
        "The trustee starts the first round. (V-S1)"
    ]
