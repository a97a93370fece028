"""The games that measure the strength of the bots: each counted once, stored and reported."""

import math
from pathlib import Path

import pytest

from bench.strength import Book, Pairing, main, pairings_of, report, share
from cosca.bots.characters import CHARACTERS, LEVELS
from cosca.catalog import GAMES

QUICK = Pairing("vendetta", "soldato", "random")


def test_a_pairing_has_its_deals_in_every_round_and_none_twice() -> None:
    for pace in (0.5, 1.0, 3.0):
        pairing = Pairing("vendetta", "boss", "random", pace)
        deals = [deal for number in range(10) for deal in pairing.deals(number)]
        assert deals == list(range(math.ceil(10 * pace)))


@pytest.mark.parametrize("name", GAMES)
def test_every_level_is_played_against_the_one_below(name: str) -> None:
    levels = [
        tuple(CHARACTERS[bot].level for bot in (pairing.one, pairing.others))
        for pairing in pairings_of(GAMES[name])
        if pairing.one in CHARACTERS
    ]
    assert levels == [(level, level - 1) for level in LEVELS if level > 1]


def test_games_are_stored_and_reported(tmp_path: Path) -> None:
    book = Book(tmp_path)
    assert not book.has(QUICK, 0)
    for deal in range(3):
        book.enter(QUICK, deal, [share(QUICK, deal, at) for at in range(2)])
    boss = Pairing("vendetta", "boss@0.25s", "soldato")
    book.enter(boss, 0, [1.0, 0.5, 0.0, 0.0])
    again = Book(tmp_path)
    assert again.wins == book.wins
    assert again.has(QUICK, 2) and not again.has(QUICK, 3)
    longer = Pairing("vendetta", "boss@0.5s", "soldato")
    again.enter(longer, 0, [1.0, 1.0, 1.0, 0.0])
    again.enter(longer, 1, [0.0, 0.0, 0.0, 0.0])
    report(again, [QUICK, boss, longer, Pairing("omerta", "boss@0.5s", "picciotto")], tmp_path)
    page = (tmp_path / "strength.md").read_text(encoding="utf-8")
    assert "| vendetta | `boss@0.25s` | `soldato` | 4 | 38% (" in page
    assert "omerta" not in page, "games that were not played are not reported"
    gain = "| vendetta | `boss@0.25s` | `boss@0.5s` | 1 | +38% ("
    assert gain in page, "more time is compared where the deals are the same"
    drawn = (tmp_path / "strength.svg").read_text(encoding="utf-8")
    assert drawn.count("<circle") == 2, "the curve is of the boss"


def test_a_line_that_was_cut_off_is_played_again(tmp_path: Path) -> None:
    book = Book(tmp_path)
    book.enter(QUICK, 0, [1.0, 0.0])
    with book.file.open("a", encoding="utf-8") as file:
        file.write('["vendetta: soldato agai')
    again = Book(tmp_path)
    assert again.wins == book.wins
    again.enter(QUICK, 1, [0.0, 0.0])
    assert Book(tmp_path).wins == again.wins


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["vendetta", "boss"], "GAME ONE OTHERS belong together"),
        (["vendetta", "boss", "nobody"], "'nobody' is not one of"),
        (["vendetta", "boss@soon", "random"], "'soon' is no budget"),
        (["vendetta", "boss@0s", "random"], "seconds"),
        (["poker", "boss", "random"], "invalid choice"),
    ],
)
def test_an_invalid_request_is_refused_in_one_sentence(
    words: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        main(words)
    assert left.value.code == 2
    error = capsys.readouterr().err
    assert says in error and error.count("\n") == 1


def test_a_folder_with_something_else_in_it_is_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "deals.jsonl").write_text("a shopping list\n", encoding="utf-8")
    with pytest.raises(SystemExit) as left:
        main(["--out", str(tmp_path)])
    assert left.value.code == 2
    assert "is no folder for this" in capsys.readouterr().err
    assert (tmp_path / "deals.jsonl").read_text(encoding="utf-8") == "a shopping list\n"
