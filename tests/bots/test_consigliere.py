"""The consigliere: its moves are legal, its numbers add up, and its reasons are true."""

import json
from dataclasses import asdict
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cosca.bots.consigliere import (
    ALIKE,
    CERTAIN,
    SURE,
    Advice,
    AdvisedMove,
    advise,
    describe_move,
    format_explanation,
    format_figures,
    format_reason,
    percent,
    reason,
)
from cosca.bots.roster import random_bot
from cosca.bots.win_chances import win_chances
from cosca.catalog import GAMES
from cosca.core.dice import Dice
from cosca.core.events import Reason
from cosca.core.names import Seat
from cosca.core.playout import random_actor, resolve_chance
from cosca.testing.laws import wire
from cosca.words import LANGUAGES, sentences, speaking
from tests.bots.test_search import ALL, STEPS, after, at_turn
from tests.compiled.builds import python

SIMULATIONS = 200
WHYS = {"forced", "sure", "no_other", "mixed", "guards", "ahead", "close", "above", "alike"}


def counsel(*shares: float, visits: int = 100, probability: float = 0.0) -> AdvisedMove:
    """Return a move with these shares."""
    return AdvisedMove((0,), "a move", visits, shares, probability)


@pytest.mark.parametrize("steps", STEPS)
@pytest.mark.parametrize("name", ALL)
def test_advised_moves_can_be_submitted(name: str, steps: int) -> None:
    game, position = ALL[name], at_turn(name, steps)
    advice = advise(game, position, SIMULATIONS)
    assert advice.principal_variation[0] == (position.seat, advice.moves[0].choices)
    assert len({move.actions for move in advice.moves}) == len(advice.moves)
    assert all(move.probability <= advice.moves[0].probability for move in advice.moves)
    for move in advice.moves:
        assert move.visits > 0
        assert sum(move.shares) == pytest.approx(1)
        assert all(0 <= share <= 1 for share in move.shares)
        assert len(move.choices) == len(move.actions)
        state = after(name, steps).copy()
        for action in move.actions:
            assert action in state.legal_actions(position.seat)
            state.apply(position.seat, action)
        assert game.is_complete_move(state, position.seat, move.actions)


@pytest.mark.parametrize("steps", STEPS)
@pytest.mark.parametrize("name", ALL)
def test_the_same_position_gets_the_same_advice_whatever_is_hidden(name: str, steps: int) -> None:
    game, position = ALL[name], at_turn(name, steps)
    advice = advise(game, position, SIMULATIONS)
    sent = game.read_position(position.to_wire())
    assert asdict(advise(game, sent, SIMULATIONS)) == asdict(advice)


@pytest.mark.parametrize("steps", STEPS)
@pytest.mark.parametrize("name", ALL)
def test_a_move_that_has_begun_is_continued(name: str, steps: int) -> None:
    """Whatever was begun, good or bad: the advice contains it, and can be submitted."""
    game, position = ALL[name], at_turn(name, steps)
    seat = position.seat
    best = advise(game, position, SIMULATIONS).moves[0].actions
    for begun in {best[:1], best, position.legal[:1], position.legal[-1:]}:
        advice = advise(game, position, SIMULATIONS, begun)
        for move in advice.moves:
            assert set(begun) <= set(move.actions)
            state = after(name, steps).copy()
            for action in move.actions:
                assert action in state.legal_actions(seat)
                state.apply(seat, action)
            assert game.is_complete_move(state, seat, move.actions)
        if advice.better:
            gain = advice.better.shares[seat] - advice.moves[0].shares[seat]
            assert gain >= ALIKE
            assert advice.better.actions not in {move.actions for move in advice.moves[:1]}
        assert not (begun == best and advice.better)
        assert advice.moves[0].actions == best or begun not in (best[:1], best)


def test_the_purpose_stands_before_the_figures() -> None:
    game, position = GAMES["vendetta"], at_turn("vendetta", STEPS[0])
    advice = advise(game, position, SIMULATIONS)
    assert advice.explanation == game.explain(position, game.to_move(advice.moves[0].actions))
    explanation, text = format_explanation(advice), format_reason(game, advice, describe_move)
    assert explanation and text.startswith(explanation)
    assert text == f"{explanation} {format_figures(game, advice, describe_move)}"


def test_what_says_nothing_is_only_said_if_there_is_nothing_else() -> None:
    game, position = GAMES["vendetta"], at_turn("vendetta", STEPS[0])
    moves = advise(game, position, SIMULATIONS).moves[:1]
    purpose = Reason("vendetta.advice.keeps_in_hand", {"number": 5}, "V-9")
    bare = format_reason(game, Advice(moves, (), "no_other", {}), describe_move)
    assert bare == "I hardly considered any other move."
    said = format_reason(game, Advice(moves, (), "no_other", {}, purpose), describe_move)
    assert said == "It keeps your 5 mafiosi in hand, where nobody can take them."
    begun = Advice(moves, (), "no_other", {}, purpose, moves[0])
    assert format_reason(game, begun, describe_move).startswith(
        f"With what you have begun you win fewer games. Better would be: {describe_move(moves[0])}."
    )


@pytest.mark.parametrize("name", ["omerta", "sicilianos"])
def test_a_forced_move_is_called_forced(name: str) -> None:
    game, dice = GAMES[name], Dice(3)
    state = game.new(game.settings("", game.random_play_options), game.default_seats)
    found = 0
    resolve_chance(state, dice)
    while state.acting() and not found:
        seat = random_actor(state.acting(), dice)
        position = game.position(state, seat)
        if sum(game.count_moves(position)) == 1:
            advice = advise(game, position, 50)
            assert (advice.reason, len(advice.moves)) == ("forced", 1)
            assert sum(advice.moves[0].shares) == pytest.approx(1)
            found += 1
        state.apply(seat, random_bot(game)(position, dice))
        resolve_chance(state, dice)
    assert found


@pytest.mark.parametrize("name", GAMES)
def test_pure_python_gives_the_same_advice(name: str) -> None:
    sent = json.dumps(json.loads(wire(at_turn(name, 15))))
    code = f"""
import json
from dataclasses import asdict
from cosca.bots.win_chances import win_chances
from cosca.bots.consigliere import advise
from cosca.catalog import find
game = find({name!r})
position = game.read_position(json.loads({sent!r}))
print(json.dumps([asdict(advise(game, position, 60)), win_chances(game, position, 20)]))
"""
    game, position = GAMES[name], at_turn(name, 15)
    here = [asdict(advise(game, position, 60)), win_chances(game, position, 20)]
    plain = json.loads(python("-c", code, COSCA_PURE="1").stdout)
    assert plain == json.loads(json.dumps(here))


# --- Why ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("moves", "why", "params"),
    [
        ([counsel(1, 0, 0)], "sure", {}),
        ([counsel(0.5, 0.3, 0.2)], "no_other", {}),
        (
            [counsel(0.5, 0.5, probability=0.6), counsel(0.5, 0.5, probability=0.4)],
            "mixed",
            {"often": 60, "other": 40},
        ),
        (
            [counsel(0.32, 0.3, 0.38, probability=1), counsel(0.3, 0.45, 0.25)],
            "guards",
            {"leader": 1, "now": 30, "before": 45},
        ),
        (
            [
                counsel(0.4, 0.3, 0.3, probability=1),
                counsel(0.3, 0.35, 0.35),
                counsel(0.3, 0.35, 0.35),
            ],
            "ahead",
            {"wins": 40, "more": 10},
        ),
        (
            [
                counsel(0.4, 0.3, 0.3, probability=1),
                counsel(0.4, 0.3, 0.3),
                counsel(0.3, 0.35, 0.35),
            ],
            "close",
            {"wins": 40, "less": 10},
        ),
        (
            [
                counsel(0.4, 0.3, 0.3, probability=1),
                counsel(0.36, 0.32, 0.32, visits=20),
                counsel(0.3, 0.35, 0.35),
            ],
            "above",
            {"wins": 40, "more": 9},
        ),
        (
            [counsel(0.4, 0.3, 0.3, probability=1), counsel(0.399, 0.3, 0.301)],
            "alike",
            {"wins": 40},
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_the_reason_is_the_strongest_argument_for_the_move(
    moves: list[AdvisedMove], why: str, params: dict[str, Any]
) -> None:
    assert reason(moves, 0) == (why, params)


@st.composite
def judged(draw: st.DrawFn) -> list[AdvisedMove]:
    """Draw some moves as a search might have found them."""
    moves = []
    for number in range(draw(st.integers(1, 5))):
        parts = [draw(st.integers(1, 100)) for _ in range(4)]
        shares = tuple(part / sum(parts) for part in parts)
        probability = float(number == 0)
        moves.append(
            AdvisedMove((number,), str(number), draw(st.integers(1, 999)), shares, probability)
        )
    return moves


@given(judged(), st.integers(0, 3))
def test_reasons_are_true(moves: list[AdvisedMove], seat: Seat) -> None:
    why, params = reason(moves, seat)
    best, others = moves[0], moves[1:]
    assert why in WHYS
    mine = best.shares[seat]
    lead = [mine - move.shares[seat] for move in others]
    if why == "sure":
        assert mine >= SURE
    if why == "no_other":
        assert not others
    if why == "ahead":
        assert lead[0] >= ALIKE and params["more"] == percent(lead[0])
    if why == "close":
        assert abs(lead[0]) < ALIKE
        assert 0 < int(params["less"]) <= percent(max(lead[1:]))
    if why == "above":
        assert 0 < int(params["more"]) <= percent(max(lead))
    if why == "guards":
        leader = int(params["leader"])
        assert leader != seat
        assert params["now"] == percent(best.shares[leader])
        assert int(params["now"]) < int(params["before"])
        assert int(params["before"]) <= percent(max(move.shares[leader] for move in others))
    assert why != "mixed" or best.probability < CERTAIN


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_has_a_sentence_in_every_language(language: str) -> None:
    keys = {key.partition(".")[2] for key in sentences(language) if key.startswith("consigliere.")}
    assert keys == WHYS | {"better"}
    params = dict.fromkeys(("wins", "often", "other", "leader", "now", "before", "more", "less"), 1)
    for why in WHYS:
        advice = Advice((counsel(0.5, 0.5), counsel(0.4, 0.6)), (), why, params)
        with speaking(language):
            reason = format_reason(GAMES["vendetta"], advice, lambda move: move.text)
        assert reason.endswith(".") and "{" not in reason


@pytest.mark.parametrize("name", GAMES)
def test_a_move_is_described_by_its_labels(name: str) -> None:
    for steps in STEPS:
        for move in advise(GAMES[name], at_turn(name, steps), 50).moves:
            assert describe_move(move).count(" · ") <= len(move.actions) - 1
