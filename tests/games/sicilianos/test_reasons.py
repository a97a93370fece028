"""Every outcome of Sicilianos says why, in the figures of the table."""

from cosca.match.narration import reason_text
from tests.games.sicilianos.story import Story, rolled, rule, war


def why(story: Story, kind: str) -> list[str]:
    """The reasons of all events of one kind."""
    return [
        reason_text(event.reason)
        for event in story.events
        if event.key == f"sicilianos.{kind}" and event.reason is not None
    ]


@rule("S-16", "S-17")
def test_the_strongest_wins_and_the_others_lose_their_stakes() -> None:
    story = war("r9", "g3 20", "b7")
    assert why(story, "wins") == [
        "Alvano is the strongest (Alvano 9, Fusetti 7, Ciraldo 3). Ciraldo and Fusetti lose their"
        " stakes. (S-16)"
    ]
    assert why(story, "laundered") == [
        "The stake of 5,000 is laundered, with as much from the bank. (S-17)"
    ]


@rule("S-16")
def test_in_a_tie_the_next_weaker_wins() -> None:
    story = war("r10", "-", "b10", "o4")
    assert why(story, "wins") == [
        "Alvano and Fusetti tie at 10, so neither wins. Lanzone is next with 4. Alvano and Fusetti"
        " lose their stakes. (S-16)"
    ]


@rule("S-16")
def test_two_ties_above_the_winner_are_both_shown() -> None:
    story = war("r10", "g10", "b9", "y9", "o4")
    assert why(story, "wins") == [
        "All who are stronger than Maringo tie with somebody (Alvano 10, Ciraldo 10, Fusetti 9,"
        " Lanzone 9, Maringo 4). Alvano, Ciraldo, Fusetti and Lanzone lose their stakes. (S-16)"
    ]


@rule("S-16", "S-7")
def test_nobody_wins_if_all_tie_and_a_lone_opener_does() -> None:
    assert why(war("r10", "g10", "-"), "nobody_wins") == [
        "Every side ties with another (Alvano 10, Ciraldo 10). Alvano and Ciraldo lose their"
        " stakes. (S-16)"
    ]
    assert why(war("r10", "-", "-"), "wins") == ["Nobody joined the war. (S-7)"]


@rule("S-9", "S-19")
def test_an_alliance_says_what_the_defector_counts_and_who_chooses() -> None:
    story = war("r8", "g3 20", "b2").play("1 defect")
    assert why(story, "defects") == [
        "There the 8 counts 4, and Alvano and Ciraldo are allies in this war. (S-9)"
    ]
    story.play("2 money")
    assert why(story, "takes_money") == [
        "Ciraldo owns the winning family and chooses first. (S-19)"
    ]
    assert why(story, "laundered") == [
        "The stakes of both allies are laundered, with nothing from the bank. (S-19)"
    ]


@rule("S-11", "S-12")
def test_a_bomb_says_why_it_takes_this_card() -> None:
    assert why(war("r5", "b9", "-").play("1 b9"), "bomb") == [
        "The bomb shows blue, and Ciraldo has no bodyguard in this war. (S-11)"
    ]
    assert why(war("r5", "b1", "-").play("1 b1"), "bomb") == [
        "Ciraldo has a bodyguard in this war, and the bomb must take it. (S-12)"
    ]


@rule("S-3", "S-5")
def test_the_dice_say_what_may_be_taken() -> None:
    story = rolled("hand1=r1 hand2=b7", "blue", "blue", "steal").play("stolen 7")
    assert why(story, "steals") == ["Alvano rolled “steal”, and chance chose the card. (S-5)"]
    vain = rolled("hand1=r1 hand2=b7", "red", "red", "steal")
    assert why(vain, "in_vain") == ["Nobody else has a card of the colours rolled. (S-5)"]
    two = rolled("hand1=r1", "blue", "green", "two").play("draw 3")
    assert why(two, "draws") == ["The die says “draw two”: one card of each colour rolled. (S-3)"]


@rule("S-23")
def test_three_businesses_name_their_colour() -> None:
    line = "red_shops=laundry/1,restaurant/1 laundered=0.500.0"
    story = war("r7", "g3", "-", line=line).play("1 antiques")
    assert why(story, "won_by_businesses") == ["Alvano owns all three red businesses. (S-23)"]


def counted(line: str) -> Story:
    """The first and the second player lose their last notes in a war that nobody wins."""
    broke = "money1=1.0.0.0.0 money2=1.0.0.0.0 hand1=r3 hand2=b3"
    return Story(f"{broke} {line}").play("1 r3 5", "2 b3 5")


@rule("S-24", "S-25", "S-27", "S-28")
def test_the_count_shows_its_sum_and_why_the_game_is_over() -> None:
    story = counted("laundered=100.20.0 red_shops=laundry/1")
    assert why(story, "most_of_kind") == [
        "Alvano has the most laundries (Alvano 1, Ciraldo 0, Fusetti 0). (S-27)"
    ]
    assert why(story, "scored") == [
        "100,000 laundered \N{MINUS SIGN} 0 black money + 100,000 for businesses. (S-25)",
        "20,000 laundered \N{MINUS SIGN} 0 black money + 0 for businesses. (S-25)",
        "0 laundered \N{MINUS SIGN} 250,000 black money + 0 for businesses. (S-25)",
    ]
    assert why(story, "won_by_money") == [
        "Alvano and Ciraldo have no black money left, so the game is over. The most money wins"
        " (Alvano 200, Ciraldo 20, Fusetti -250, in thousands). (S-28)"
    ]


@rule("S-28")
def test_equal_money_is_decided_by_businesses_or_shared() -> None:
    over = "Alvano and Ciraldo have no black money left, so the game is over. "
    shops = "red_shops=laundry/1,restaurant/2 green_shops=laundry/2,restaurant/1"
    more = f"{shops} blue_shops=antiques/1 laundered=0.150.0"
    assert why(counted(more), "won_by_money") == [
        f"{over}Of those with the most money, the one with more businesses wins (Alvano 3,"
        " Ciraldo 2). (S-28)"
    ]
    assert (
        why(counted("laundered=20.20.0"), "shared_by_money")
        == [f"{over}Those with the most money also tie in businesses (Alvano 0, Ciraldo 0). (S-28)"]
        * 2
    )
