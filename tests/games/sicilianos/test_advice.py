"""What a move of Sicilianos is for: examples, and whether it is true by the rules."""

import pytest

from cosca.core.dice import Dice
from cosca.core.playout import random_actor, resolve_chance
from cosca.games.sicilianos.advice import explain
from cosca.games.sicilianos.game import GAME
from cosca.games.sicilianos.heuristic import capo
from cosca.games.sicilianos.notation import parse_move
from cosca.games.sicilianos.pieces import COLOURS
from cosca.games.sicilianos.position import position
from cosca.match.narration import reason_text
from tests.games.sicilianos.story import Story, rule

HANDS = "hand1=r9,r10 hand2=g4,b3 hand3=y2,p5"


def why(story: Story, move: str) -> str:
    """The explanation of a move of whoever is to move."""
    state = story.state
    reason = explain(position(state, state.mover), parse_move(move))
    return reason_text(reason) if reason else ""


@rule("S-8", "S-17", "S-23", "S-24")
@pytest.mark.parametrize(
    ("line", "move", "text"),
    [
        (
            HANDS,
            "r9 20",
            "Your red cards add up to 19, and nobody else has more than one card of another"
            " colour. (S-8)",
        ),
        (
            f"{HANDS} red_shops=laundry/1",
            "r9 20",
            "If you win this war, you own two red businesses; three win the game. (S-23)",
        ),
        (
            f"{HANDS} red_shops=laundry/1,antiques/1",
            "r9 20",
            "A third red business wins you the game at once. (S-23)",
        ),
        (
            "hand1=r2 hand2=g4,g5,b3 hand3=y2,p5",
            "r2 5",
            "A small note: if you lose the war, only 5,000 are gone. (S-17)",
        ),
        (
            "hand1=r2 hand2=g4,g5,b3 hand3=y2,p5 money1=0.0.0.0.1",
            "r2 50",
            "It is your last black money: after this war the game ends, and the money is counted."
            " (S-24)",
        ),
        (
            HANDS,
            "roll",
            "Your strongest family, red, adds up to 19. More cards first make it stronger. (S-8)",
        ),
    ],
)
def test_a_turn_says_what_it_is_for(line: str, move: str, text: str) -> None:
    assert why(Story(line), move) == text


@rule("S-7", "S-23")
def test_joining_and_staying_out_say_why() -> None:
    line = "hand1=r11,r10 hand2=g5,g7 hand3=b2"
    story = Story(f"{line} red_shops=laundry/1,antiques/1").play("1 r11 5")
    state = story.state
    seat = state.actors()[0]
    there = position(state, seat)
    joins = explain(there, parse_move("g7 5"))
    assert joins and reason_text(joins).endswith(
        "has two red businesses and would win the game with this war. (S-23)"
    )
    stays = explain(there, parse_move("-"))
    assert stays and reason_text(stays) == (
        "The strongest family you could join with adds up to 12, and if you lose, your stake is"
        " gone. (S-17)"
    )


def test_what_is_said_of_strength_is_true_in_real_games() -> None:
    """Figures of hands and of the war are those of the rules."""
    checked = 0
    for seed in range(8):
        dice = Dice(seed)
        state = GAME.new(GAME.settings(""), 4)
        resolve_chance(state, dice)
        while state.acting() and checked < 300:
            seat = random_actor(state.acting(), dice)
            there = position(state, seat)
            for move in GAME.candidates(there)[:4]:
                reason = explain(there, move)
                key = reason.key.rpartition(".")[2] if reason else ""
                if reason and key in ("war_open", "strength", "roll"):
                    mask = state.hand[seat * COLOURS + int(str(reason.params["colour"]))]
                    held = [value for value in range(1, 12) if mask >> (value - 1) & 1]
                    assert reason.params["strength"] == sum(held)
                    checked += 1
                if reason and key in ("lay_ahead", "lay_enough"):
                    assert int(str(reason.params["strength"])) > int(str(reason.params["most"]))
                    checked += 1
                if reason and key == "third_wins":
                    owners = there.owners[int(str(reason.params["colour"]))]
                    assert owners.count(seat) == 2 and -1 in owners
                    checked += 1
            state.apply(seat, capo(there, dice))
            resolve_chance(state, dice)
    assert checked > 50
