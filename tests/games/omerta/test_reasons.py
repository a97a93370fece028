"""Every outcome of Omerta says why, in the figures of the table."""

from cosca.match.narration import reason_text
from tests.games.omerta.story import Story, pile, rule


def why(story: Story, kind: str) -> list[str]:
    """The reasons of all events of one kind."""
    return [
        reason_text(event.reason)
        for event in story.events
        if event.key == f"omerta.{kind}" and event.reason is not None
    ]


def called(line: str) -> Story:
    """The first player calls Omerta."""
    return Story(line).play("c omerta")


@rule("O-21")
def test_a_good_call_names_the_limit_and_all_rows() -> None:
    story = called("row1=1,2 row2=9 row3=5")
    assert why(story, "good_call") == [
        "Capone has 7 or less, and nobody has less (Capone 3, Hill 5, Luciano 9). (O-21)"
    ]
    assert why(story, "scored") == [
        "A good call scores 0. (O-21)",
        "The row is worth 9. (O-21)",
        "The row is worth 5. (O-21)",
    ]


@rule("O-21")
def test_the_caller_wins_a_tie_and_the_tie_is_named() -> None:
    assert why(called("row1=7 row2=3,4 row3=9"), "good_call") == [
        "Capone and Luciano tie at 7, and the caller wins ties. (O-21)"
    ]


@rule("O-22")
def test_a_wrong_call_says_who_is_lower_and_what_it_costs() -> None:
    story = called("row1=7 row2=6 row3=9,10")
    assert why(story, "bad_call") == [
        "Capone is not the lowest (Luciano 6, Capone 7, Hill 19). (O-22)"
    ]
    assert why(story, "scored") == [
        "Row of 7 + 20 for a wrong call = 27. (O-22)",
        "After a wrong call the lowest of the others, here with 6, scores 0. (O-22)",
        "The row is worth 19. (O-22)",
    ]


@rule("O-22")
def test_a_row_of_41_and_a_wrong_call_make_61() -> None:
    story = called("row1=traitor,lady,6 row2=10 row3=1,9")
    assert why(story, "high_call") == ["Capone has 41, and a good call needs 7 or less. (O-22)"]
    assert why(story, "scored") == [
        "Row of 41 + 20 for a wrong call = 61. (O-22)",
        *["Luciano and Hill tie for the lowest row with 10 and score 0. (O-22)"] * 2,
    ]


@rule("O-23", "O-S1")
def test_the_end_and_the_next_start_name_the_totals() -> None:
    line = "totals=30.20.10 row1=1 row2=2 row3=9"
    assert why(called(f"game=3 {line}"), "won") == [
        "The lowest total wins (Hill 19, Luciano 22, Capone 30). (O-23)"
    ]
    assert why(called(line), "game") == [
        "Capone has the highest total (Capone 30, Luciano 22, Hill 19). (O-S1)"
    ]
    tied = called("totals=20.18.0 row1=1 row2=2 row3=9")
    assert why(tied, "game") == [
        "Capone and Luciano tie for the highest total with 20. Luciano comes first clockwise after"
        " Capone, who started last time. (O-S1)"
    ]


@rule("O-7", "O-8", "O-9")
def test_a_snap_says_why_it_was_right_wrong_or_late() -> None:
    story = Story("row1=9 row2=7 row3=7,2").play("c draw", "draw 7", "c discard")
    story.play("c 1", "l 1", "h 1", "penalty 4")
    assert why(story, "wrong") == ["Only a 7 would have matched the discard. (O-8)"]
    assert why(story, "penalty") == ["A wrong card costs one penalty card. (O-8)"]
    assert why(story, "snapped") == ["It has the same number as the discard. (O-7)"]
    assert why(story, "too_slow") == ["Luciano was faster. (O-9)"]


@rule("O-11")
def test_where_a_lot_decides_the_reason_says_so() -> None:
    story = Story("sealed=1 row1=9 row2=7 row3=7").play("c draw", "draw 7", "c discard")
    story.play("c pass", "l 1", "h 1", "settle h")
    assert why(story, "too_slow") == ["The lot put Hill first. (O-11)"]


@rule("O-16")
def test_an_assassin_and_a_wrong_one() -> None:
    story = Story("row1=1 row2=3 row3=assassin").play("c draw", "draw mamma", "c discard")
    story.play("c on l", "l 1", "h 1", "penalty 9")
    assert why(story, "wrong") == ["Only an assassin stops an action. (O-16)"]
    assert why(story, "blocked") == [
        "Capone’s card has no effect, and both cards are discarded. (O-16)"
    ]


@rule("O-15", "O-19m", "O-19t")
def test_characters_say_what_they_mean_for_whom() -> None:
    mamma = Story("row1=1 row2=3 row3=4").play("c draw", "draw mamma", "c discard", "c on l")
    mamma.play("nobody")
    assert why(mamma, "mamma_laid") == [
        "Luciano misses a turn and cannot call Omerta, take cards or lay any down. (O-19m)"
    ]
    assert why(mamma, "skipped") == ["Mamma is with Luciano. (O-19m)"]
    gift = Story("row1=1 row2=3 row3=4").play("c draw", "draw traitor", "c discard", "c give l h")
    gift.play("nobody", "gift 2", "gift 3")
    assert why(gift, "gift") == ["Capone has played a traitor, and nobody stopped it. (O-15)"] * 2


@rule("O-17")
def test_the_driver_names_the_card_he_does_not_take() -> None:
    story = Story("row1=1,lady row2=3 row3=4").play("c draw", "draw driver", "c discard", "c 1 2")
    story.play("penalty 9")
    assert why(story, "bad_load") == ["The driver only takes bottles, and card 2 is a lady. (O-17)"]
    assert why(story, "penalty") == [
        "A character given to the driver costs one penalty card. (O-17)"
    ]


@rule("O-5")
def test_an_empty_pile_says_why_it_is_shuffled() -> None:
    story = Story(f"row1=1 row2=3 row3=4 discards=9,8 {pile()}").play("c draw")
    assert why(story, "reshuffled") == ["A card is needed, and the draw pile is empty. (O-5)"]
