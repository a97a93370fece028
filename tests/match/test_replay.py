"""Replaying a record: its plies, the state after each, and invalid records."""

import io
from typing import Any

import pytest

from cosca.catalog import find
from cosca.core.dice import Dice
from cosca.core.names import CHANCE, SPECTATOR
from cosca.match.chance import draw_outcome
from cosca.match.replay import OMNISCIENT, Replay, extend_replay, replay_record
from cosca.match.verification import InvalidRecord, Record, read_record
from tests.kuhn.game import GAME as KUHN
from tests.records.making import VENDETTA, honest, lines_of, text_of


def read(text: str) -> Record:
    """Return a record from its text."""
    return read_record(io.BytesIO(text.encode()))


def replayed(text: str) -> Replay:
    """Return the replay of a record."""
    return replay_record(read(text))


def first_lines(text: str, number: int) -> str:
    """Return a record as it was when so many lines were written."""
    return "".join(text.splitlines(keepends=True)[:number])


# --- Moves -------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(8))
def test_a_recorded_game_comes_to_the_same_end(number: int) -> None:
    text = honest(number)
    replay = replayed(text)
    end = lines_of(text)[-1]["result"]
    assert {"reason": replay.reason, "winners": replay.winners} == end
    assert [does for ply in replay.plies for does in (deed.does for deed in ply.steps)] == [
        step["does"] for step in lines_of(text)[1:-1]
    ]


@pytest.mark.parametrize("number", range(8))
def test_a_ply_has_one_seat_one_round_and_one_answer_of_chance(number: int) -> None:
    replay = replayed(honest(number, rounds=2))
    setup, *plies = replay.plies
    assert setup.round == 0 and {deed.seat for deed in setup.steps} == {CHANCE}
    for ply in plies:
        seats = [deed.seat for deed in ply.steps]
        assert seats.count(CHANCE) <= 1 and CHANCE not in seats[:-1]
        assert len(set(seats) - {CHANCE}) <= 1
        assert ply.round == replay.round(ply.number - 1)


def test_a_replay_keeps_the_state_after_each_ply() -> None:
    replay = replayed(honest(1))
    state = VENDETTA.new(replay.settings, replay.seats)
    assert replay.states[0].ints() == state.ints()
    for ply in replay.plies:
        for deed in ply.steps:
            state.apply(deed.seat, deed.action)
        assert replay.states[ply.number].ints() == state.ints()


def test_rounds_are_found_forwards_and_backwards() -> None:
    games = (replayed(honest(number, rounds=3)) for number in range(50))
    replay = next(game for game in games if game.round(len(game.plies)) == 3)
    begins = [number for number in range(len(replay.states)) if replay._begins(number)]
    end = len(replay.plies)
    assert [replay.round(number) for number in begins] == [1, 2, 3]
    assert replay.round_after(0) == begins[0]
    assert [replay.round_after(number) for number in begins] == [*begins[1:], end]
    assert [replay.round_before(number) for number in begins] == [0, *begins[:-1]]
    assert replay.round_before(begins[1] + 1) == begins[1]
    assert (replay.round_before(0), replay.round_after(end)) == (0, end)


# --- As it comes -------------------------------------------------------------------------------


def test_a_game_that_still_goes_on_is_played_as_far_as_it_goes() -> None:
    replay = replayed(first_lines(honest(2), 20))
    assert len(replay.log) == 19 and not replay.reason
    assert not replay.is_over(len(replay.plies))


def test_a_move_that_is_complete_does_not_change_when_more_comes() -> None:
    text = honest(5)
    lines = len(text.splitlines())
    replay = replayed(first_lines(text, 1))
    complete: list[int] = []
    for number in range(2, lines + 1):
        before = [len(ply.steps) for ply in replay.plies[: replay.complete_plies]]
        extend_replay(replay, read(first_lines(text, number)))
        assert [len(ply.steps) for ply in replay.plies[: len(before)]] == before
        complete.append(replay.complete_plies)
    assert complete == sorted(complete)
    assert complete[-1] == len(replay.plies) == len(replayed(text).plies)


# --- Eyes --------------------------------------------------------------------------------------


def dealt() -> Replay:
    """Return Kuhn poker after the deal and one bet."""
    replay = Replay(KUHN, KUHN.settings(), ["a", "b", "c"])
    for card in (3, 1, 2):
        replay.apply(CHANCE, card)
    replay.apply(0, 1)
    return replay


def test_a_seat_sees_its_own_card_and_what_is_public() -> None:
    replay = dealt()
    wire = {seat: replay.position(1, seat).to_wire() for seat in (0, 1, 2, SPECTATOR)}
    assert [wire[seat]["cards"] for seat in wire] == [
        *((3, -1, -1), (-1, 1, -1), (-1, -1, 2)),
        (-1, -1, -1),
    ]
    deal = replay.plies[0]
    assert len(deal.events_for(OMNISCIENT)) == 6
    assert [event.key for event in deal.events_for(1)].count("kuhn.card") == 1
    assert "kuhn.card" not in [event.key for event in deal.events_for(SPECTATOR)]
    assert [deed.is_known_to(1) for deed in deal.steps] == [False, True, False]


def test_all_that_is_dealt_at_the_start_of_a_round_is_one_move() -> None:
    game = find("omerta")
    replay = Replay(game, game.settings(), ["Rosa", "Ugo", "Ada"])
    dice = Dice(1)
    while replay.state.actors() == (CHANCE,):
        replay.apply(CHANCE, draw_outcome(game, replay.state, dice))
    assert [len(ply.steps) for ply in replay.plies] == [1, 16]


def test_an_omniscient_viewer_sees_every_card() -> None:
    replay = dealt()
    cards = [replay.position(1, seat).to_wire()["cards"][seat] for seat in range(3)]
    assert list(replay.reveal(1).to_wire()["cards"]) == cards
    assert replay.position(1, SPECTATOR).to_wire()["cards"] == (-1, -1, -1)


# --- What is no game ---------------------------------------------------------------------------


def changed(line: int, **parts: Any) -> str:
    """Return a record with one line changed."""
    lines = lines_of(honest(4))
    lines[line] = {**lines[line], **parts}
    return text_of(lines)


@pytest.mark.parametrize(
    ("line", "parts", "key"),
    [
        (0, {"seats": 9}, "bad_header"),
        (0, {"seats": 3.5}, "bad_header"),
        (0, {"players": ["a"]}, "bad_header"),
        (0, {"players": "abcd"}, "bad_header"),
        (0, {"players": [1, 2, 3, 4]}, "bad_header"),
        (0, {"players": None}, "bad_header"),
        (0, {"table": 7}, "bad_header"),
        (0, {"options": {}}, "bad_header"),
        (0, {"options": {"max_rounds": "many"}}, "bad_header"),
        (0, {"options": []}, "bad_header"),
        (0, {"edition": "dutch"}, "bad_header"),
        (1, {"step": 2}, "bad_step"),
        (1, {"by": 0}, "bad_by"),
        (1, {"by": -1}, "bad_by"),
        (1, {"by": True}, "bad_by"),
        (1, {"by": []}, "bad_by"),
        (1, {"does": "deal"}, "bad_does"),
        (1, {"does": 4}, "bad_does"),
        (1, {"does": None}, "bad_does"),
        (1, {"does": "deal 99"}, "illegal"),
        (-1, {"result": {"reason": "points", "winners": [9]}}, "bad_result"),
        (-1, {"result": []}, "bad_result"),
    ],
)
def test_invalid_lines_are_reported_with_their_number(
    line: int, parts: dict[str, Any], key: str
) -> None:
    text = changed(line, **parts)
    with pytest.raises(InvalidRecord) as broken:
        replayed(text)
    assert broken.value.key == f"record.{key}"
    assert broken.value.line == range(1, len(text.splitlines()) + 1)[line]


def test_a_result_that_comes_too_early_or_twice_is_reported() -> None:
    lines = lines_of(honest(4))
    with pytest.raises(InvalidRecord, match="ends_early"):
        replayed(text_of([*lines[:5], lines[-1]]))
    with pytest.raises(InvalidRecord, match="after_the_end"):
        replayed(text_of([*lines, lines[-1]]))
