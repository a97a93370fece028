"""Characters: they keep to the rules, forget, and differ as described."""

import json
from dataclasses import replace
from functools import cache
from statistics import fmean, pstdev
from typing import Any

import pytest

from cosca.arena.bout import Bout, play_bout
from cosca.arena.speed import with_round_limit
from cosca.bots.characters import (
    BULLY,
    CAUTIOUS,
    CHARACTERS,
    COLD,
    ENVIOUS,
    GAMBLER,
    LEVELS,
    MOODY,
    VINDICTIVE,
    Character,
    CharacterBot,
    Style,
    harmful_opponent,
    leader,
    sample_outcomes,
    weakest,
)
from cosca.bots.roster import (
    default_bot,
    description_key,
    find_bot,
    plain_bots,
    reaction_time,
    roster,
    strength_level,
)
from cosca.bots.search.budget import Budget
from cosca.catalog import GAMES
from cosca.core.dice import Dice
from cosca.core.playout import random_actor, resolve_chance
from cosca.core.state import State
from cosca.testing.laws import wire
from cosca.words import LANGUAGES, say, speaking
from tests.arena.contests import no_time
from tests.kuhn.game import GAME as KUHN

ALL = {**GAMES, "kuhn": KUHN}
GLANCE = Budget(simulations=12)
LOOK = Budget(simulations=24)
"""The least budget that finds out when to call: with less a match of Omerta takes minutes."""
SPANS = (0, 1, 3, 8)
GRUDGES = {"vindictive": VINDICTIVE, "envious": ENVIOUS, "bully": BULLY}
MET = {"vendetta": 60, "omerta": 200, "sicilianos": 150}
"""How many positions styles are compared in; in Omerta mostly one move is good."""


@cache
def met(name: str, number: int, every: int = 5) -> list[Any]:
    """Return positions with a choice, from games of the default bots."""
    game = ALL[name]
    bot, dice = game.heuristic_bots[default_bot(game)], Dice(1)
    found: list[Any] = []
    passed = 0
    while len(found) < number:
        state: State = game.new(game.settings(), game.default_seats)
        resolve_chance(state, dice)
        while state.acting() and len(found) < number:
            seat = random_actor(state.acting(), dice)
            position = game.position(state, seat)
            if len(position.legal) > 1:
                passed += 1
                if passed % every == 0:
                    found.append(position)
            state.apply(seat, bot(position, dice))
            resolve_chance(state, dice)
    return found


# --- The cast -------------------------------------------------------------------------------------


def test_a_dozen_play_every_game_from_beginner_to_boss() -> None:
    assert len(CHARACTERS) == 12
    assert {who.level for who in CHARACTERS.values()} == set(LEVELS)
    assert {who.style for who in CHARACTERS.values()} > {COLD, CAUTIOUS, GAMBLER, VINDICTIVE}
    for game in ALL.values():
        names = list(roster(game))
        assert set(names) == {*CHARACTERS, *plain_bots(game)}
        assert not set(CHARACTERS) & set(plain_bots(game))
        assert [strength_level(name) for name in names] == sorted(
            strength_level(name) for name in names
        )
        assert not isinstance(find_bot(game, default_bot(game)), CharacterBot)


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_has_a_sentence_of_its_own(language: str) -> None:
    with speaking(language):
        descriptions = [say(description_key(GAMES["omerta"], name), {}) for name in CHARACTERS]
    assert len(set(descriptions)) == len(CHARACTERS)


def test_characters_have_different_reaction_times() -> None:
    for name, who in CHARACTERS.items():
        assert reaction_time(find_bot(GAMES["omerta"], name)) == who.reaction_time


# --- Play -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_characters_play_whole_games_by_the_rules(name: str) -> None:
    game = GAMES[name]
    bots = roster(game, LOOK)
    seats = game.default_seats
    for number in range(0, len(CHARACTERS), seats):
        names = tuple(CHARACTERS)[number : number + seats]
        bout = Bout(
            game=name,
            settings=game.settings("", with_round_limit(game, game.random_play_options)),
            seed=2,
            number=number,
            deal=number,
            bots=names,
        )
        played = play_bout(bout, [bots[each] for each in names], no_time)
        assert sum(played.shares) == pytest.approx(1)


@pytest.mark.parametrize("name", ALL)
def test_the_same_position_and_dice_give_the_same_answer(name: str) -> None:
    game = ALL[name]
    bots = roster(game, GLANCE)
    for number, position in enumerate(met(name, 8)):
        sent = game.read_position(json.loads(wire(position)))
        for who in CHARACTERS:
            action = bots[who](position, Dice(number))
            assert action in position.legal
            assert roster(game, GLANCE)[who](sent, Dice(number)) == action, who
            assert bots[who](position, Dice(number)) == action, who


# --- Memory ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("span", SPANS)
@pytest.mark.parametrize("name", ALL)
def test_limited_memory_can_still_be_sampled(name: str, span: int) -> None:
    game = ALL[name]
    for number, position in enumerate(met(name, 40)):
        left = game.limit_memory(position, span)
        assert left.visible_fields() == position.visible_fields(), (
            "what is in sight is not forgotten"
        )
        assert game.limit_memory(left, span) == left
        world = game.sample(left, Dice(number))
        assert wire(game.position(world, position.seat)) == wire(left)


@pytest.mark.parametrize("name", ["omerta", "sicilianos"])
def test_the_shorter_the_memory_the_less_is_known(name: str) -> None:
    game = GAMES[name]
    changed = 0
    for position in met(name, 40):
        lefts = [game.limit_memory(position, span) for span in SPANS]
        assert game.limit_memory(position, 1000) == position
        for shorter, longer, span in zip(lefts, lefts[1:], SPANS, strict=False):
            assert game.limit_memory(longer, span) == shorter
            changed += shorter != longer
    assert changed > 20


# --- Styles ---------------------------------------------------------------------------------------


def test_targets_are_chosen_by_their_chances() -> None:
    outcomes = [(0.6, 0.0, 0.3, 0.1), (0.1, 0.5, 0.3, 0.1), (0.2, 0.3, 0.4, 0.1)]
    assert leader(outcomes, 0) == 2
    assert weakest(outcomes, 0) == 3
    assert harmful_opponent(outcomes, 0) == 1


def foreseen(name: str, one: Style, other: Style) -> list[tuple[Any, list[Any], list[Any]]]:
    """Return where two styles differ: the position, and what may follow from each choice."""
    game = GAMES[name]
    players = [
        CharacterBot(game, Character("", 3, style, None, 1.0), None) for style in (one, other)
    ]
    found = []
    for position in met(name, MET[name]):
        first, second = (player(position, Dice(5)) for player in players)
        if first != second:
            seen = sample_outcomes(game, position, [first, second], Dice(9), worlds=120)
            found.append((position, seen[first], seen[second]))
    assert len(found) >= 5, "they hardly differ"
    return found


@pytest.mark.parametrize("name", GAMES)
def test_gamblers_prefer_the_variance_that_cautious_characters_avoid(name: str) -> None:
    def spread(at: Any, outcomes: list[Any]) -> float:
        return float(pstdev([shares[at.seat] for shares in outcomes]))

    parted = foreseen(name, GAMBLER, CAUTIOUS)
    bold = fmean(spread(at, outcomes) for at, outcomes, _ in parted)
    shy = fmean(spread(at, outcomes) for at, _, outcomes in parted)
    assert bold > 1.03 * shy


@pytest.mark.parametrize("style", GRUDGES.values(), ids=GRUDGES)
@pytest.mark.parametrize("name", GAMES)
def test_spiteful_characters_leave_less_to_their_target(name: str, style: Style) -> None:
    friendly = replace(style, spite=-style.spite)
    bitter, fond = [], []
    for at, one, other in foreseen(name, style, friendly):
        target = style.target(one, at.seat)
        if target == style.target(other, at.seat):  # it is clear who that is
            bitter.append(fmean(shares[target] for shares in one))
            fond.append(fmean(shares[target] for shares in other))
    assert fmean(bitter) < fmean(fond)


@pytest.mark.parametrize("name", GAMES)
def test_moody_characters_vary_their_moves(name: str) -> None:
    assert varied(name, MOODY) > varied(name, COLD)


def varied(name: str, style: Style) -> int:
    """Return in how many positions a bot does not always play the same."""
    game = GAMES[name]
    who = CharacterBot(game, Character("", 5, style, None, 1.0), GLANCE)
    return sum(len({who(at, Dice(seed)) for seed in range(4)}) > 1 for at in met(name, 100))
