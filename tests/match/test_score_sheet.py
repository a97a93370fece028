"""Score sheets: one line for each ply, both ways, and redacted to what a seat knew."""

import io
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from cosca.catalog import GAMES
from cosca.core.errors import Refused
from cosca.core.events import Event
from cosca.core.game import Game
from cosca.core.names import CHANCE, Action, Seat
from cosca.match.replay import Replay, replay_record
from cosca.match.score_sheet import format_score_sheet, parse_score_sheet
from cosca.match.verification import read_record
from cosca.testing.walks import seeded_walks, table_setups
from cosca.words import LANGUAGES, speaking
from tests.kuhn.catalog import add_to_catalog
from tests.kuhn.game import GAME as KUHN
from tests.kuhn.position import Position, position
from tests.kuhn.rules import State
from tests.records.making import NAMES, VENDETTA, honest

SETUPS = {
    f"{name}-{setup.name}": setup
    for name, game in GAMES.items()
    for setup in table_setups(game, (), {"max_rounds": "2"})
}


def replayed(number: int) -> Replay:
    """Return the replay of the record with that number."""
    return replay_record(read_record(io.BytesIO(honest(number).encode())))


def kuhn(*bets: Action, cards: Sequence[int] = (3, 1, 2), game: Game[Any, Any] = KUHN) -> Replay:
    """Return a deal of Kuhn poker."""
    replay = Replay(game, game.settings(), ["ann", "bob", "cleo"], "kitchen")
    for card in cards:
        replay.apply(CHANCE, card)
    for bet in bets:
        replay.apply(replay.state.actors()[0], bet)
    return replay


def without_heading(text: str) -> str:
    return text.partition("\n\n")[2]


# --- Both ways ---------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("number", range(3))
def test_a_score_sheet_in_any_language_is_read(number: int, language: str) -> None:
    replay = replayed(number)
    with speaking(language):
        text = format_score_sheet(replay)
    assert parse_score_sheet(text).log == replay.log


def check_both_ways(replay: Replay) -> None:
    text = format_score_sheet(replay)
    again = parse_score_sheet(text)
    assert format_score_sheet(again) == text
    assert (again.game, again.settings, again.seats) == (replay.game, replay.settings, replay.seats)
    assert (again.players, again.table, again.log) == (replay.players, replay.table, replay.log)


@pytest.mark.parametrize("number", range(50))
def test_the_score_of_a_recorded_game_is_read_back(number: int) -> None:
    check_both_ways(replayed(number))


@pytest.mark.parametrize("name", SETUPS)
def test_every_edition_with_every_number_of_seats_is_read_back(name: str) -> None:
    setup = SETUPS[name]
    for walk in seeded_walks(setup, 3):
        replay = Replay(setup.game, setup.settings, NAMES[: setup.seats], name)
        for seat, action in walk.log:
            replay.apply(seat, action)
        check_both_ways(replay)


def test_a_game_that_is_not_over_is_read_back_after_any_move() -> None:
    whole = replayed(7)
    for number in range(len(whole.plies)):
        text = format_score_sheet(whole, until=number)
        assert format_score_sheet(parse_score_sheet(text)) == text
        assert "Result" not in text


def test_a_game_of_another_kind_is_read_back(monkeypatch: pytest.MonkeyPatch) -> None:
    add_to_catalog(monkeypatch)
    for bets in ((), (0,), (0, 0, 0), (1, 0, 0), (0, 1, 1, 0)):
        check_both_ways(kuhn(*bets))


def test_blanks_do_not_matter() -> None:
    text = format_score_sheet(replayed(9))
    heading, _, rest = text.partition("\n\n")
    loose = "\n".join(" ".join(line.split()) for line in rest.splitlines())
    assert format_score_sheet(parse_score_sheet(f"{heading}\n\n{loose}")) == text


def test_a_score_reads_like_that_of_a_game_of_chess() -> None:
    settings = VENDETTA.settings("english", {"max_rounds": "1", "trustee": "2"})
    replay = Replay(VENDETTA, settings, ["Rosa", "", "bad\x1b[2J"], "the usual")
    deals = [f"deal {district}" for district in range(1, 7)]
    for does in [*deals, "3>6", "card 13", "2>1", "-", "card 4"]:
        replay.apply(replay.state.actors()[0], VENDETTA.parse_action(replay.state, does))
    assert format_score_sheet(replay) == (
        "Game      Vendetta, rules 1\n"
        "Edition   english trustee=2 max_rounds=1\n"
        "Table     the usual\n"
        "Red       Rosa\n"
        'Yellow    ""\n'
        'Green     "bad\\u001b[2J"\n'
        "\n"
        "Setup\n"
        "   1. chance                   deal 1  deal 2  deal 3  deal 4  deal 5  deal 6\n"
        "\n"
        "Round 1\n"
        "   2. Yellow  3>6              card 13\n"
        "   3. Green   2>1 -            card 4\n"
    )
    check_both_ways(replay)


def test_no_line_is_wider_than_a_terminal() -> None:
    for number in range(12):
        moves = without_heading(format_score_sheet(replayed(number)))
        assert max(map(len, moves.splitlines())) <= 80


# --- Redacted ----------------------------------------------------------------------------------


def test_a_seats_score_sheet_hides_the_cards_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    add_to_catalog(monkeypatch)
    replay = kuhn(0, 1, 1, 0)
    assert format_score_sheet(replay, 1) == (
        "Game      Kuhn poker, rules 1\n"
        "Edition   casino\n"
        "Table     kitchen\n"
        "Redacted  to what Bob knew at the time\n"
        "Ann       ann\n"
        "Bob       bob\n"
        "Cleo      cleo\n"
        "\n"
        "Round 1\n"
        "   1. chance                   ?  card 1  ?\n"
        "   2. Ann     pass\n"
        "   3. Bob     bet\n"
        "   4. Cleo    bet\n"
        "   5. Ann     pass\n"
        "\n"
        "Result    showdown: Cleo\n"
    )
    assert "?  ?  card 2" in format_score_sheet(replay, 2)


def test_hidden_information_does_not_change_a_seats_score_sheet(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    add_to_catalog(monkeypatch)
    one, other = kuhn(0, 1, 0, 0), kuhn(0, 1, 0, 0, cards=(2, 1, 0))
    assert format_score_sheet(one, 1) == format_score_sheet(other, 1)
    assert format_score_sheet(one) != format_score_sheet(other)


@pytest.mark.parametrize("number", range(10))
def test_where_nothing_is_hidden_every_seat_has_the_whole_score(number: int) -> None:
    replay = replayed(number)
    whole = format_score_sheet(replay)
    for seat in range(replay.seats):
        redacted = format_score_sheet(replay, seat).splitlines()
        assert redacted.pop(3).startswith("Redacted  to what ")
        assert redacted == whole.splitlines()


def in_secret(state: State, seat: Seat, action: Action) -> list[Event]:
    """Return events that only the acting seat sees."""
    return [Event("kuhn.passes", {"seat": seat}, frozenset([seat]))]


def any_may_act(state: State, seat: Seat) -> Position:
    """Return the position of a seat while all may react."""
    return replace(position(state, seat), actors=(0, 1, 2))


def test_a_step_nobody_saw_shows_who_acted_but_not_what(monkeypatch: pytest.MonkeyPatch) -> None:
    add_to_catalog(monkeypatch)
    game = replace(KUHN, events=in_secret)
    assert "   2. Ann     ?\n" in format_score_sheet(kuhn(1, game=game), 1)
    assert "   2. Ann     bet\n" in format_score_sheet(kuhn(1, game=game), 0)


def test_where_several_may_act_unseen_the_mover_is_hidden_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    add_to_catalog(monkeypatch)
    game = replace(KUHN, events=in_secret, position=any_may_act)
    assert "   2. ?       ?\n" in format_score_sheet(kuhn(1, game=game), 1)
    assert "   2. Ann     bet\n" in format_score_sheet(kuhn(1, game=game), 0)


def test_an_action_without_events_stays_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    add_to_catalog(monkeypatch)
    game = replace(KUHN, events=lambda state, seat, action: [])
    assert "   2. Ann     ?\n" in format_score_sheet(kuhn(1, game=game), 1)


# --- What is no score --------------------------------------------------------------------------


def test_a_redacted_score_cannot_be_read_back() -> None:
    with pytest.raises(Refused, match="redacted_score"):
        parse_score_sheet(format_score_sheet(replayed(0), 0))


def changed(old: str, new: str) -> str:
    text = format_score_sheet(replayed(11))
    assert old in text
    return text.replace(old, new, 1)


FIRST = len(format_score_sheet(replayed(11)).partition("\n\n")[0].splitlines()) + 3
"""The line of the first ply."""


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", 1),
        ("\n\n\n", 1),
        ("noise", 2),
        (changed("Vendetta", "Poker"), 1),
        (changed("rules 1", "rules 2"), 1),
        (changed("Edition", "Addition"), 2),
        (changed("Yellow", "Purple"), 5),
        (changed("Setup\n", ""), FIRST - 1),
        (changed("   1. chance", "   1. nobody"), FIRST),
        (changed("   1. chance", "   7. chance"), FIRST),
        (changed("   1. chance", ""), FIRST),
        (changed("deal ", "meal "), FIRST),
        (changed("deal ", "deal deal "), FIRST),
    ],
)
def test_invalid_score_sheets_are_refused_with_the_line(text: str, line: int) -> None:
    with pytest.raises(Refused) as refused:
        parse_score_sheet(text)
    assert (refused.value.key, refused.value.params) == ("replay.bad_score", {"line": line})


@pytest.mark.parametrize("change", [("Result", "Result x"), ("max_rounds: ", "points: ")])
def test_a_result_that_does_not_follow_is_refused(change: tuple[str, str]) -> None:
    with pytest.raises(Refused, match="bad_score"):
        parse_score_sheet(changed(*change))


@pytest.mark.parametrize(
    ("change", "key"),
    [(("max_rounds=1", "max_rounds=x"), "bad_value"), (("max_rounds=1", "mood=1"), "bad_option")],
)
def test_an_unknown_option_is_named(change: tuple[str, str], key: str) -> None:
    with pytest.raises(Refused, match=key):
        parse_score_sheet(changed(*change))
