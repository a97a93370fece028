"""Sealed dice: uniform, fixed beforehand, and chosen by nobody."""

import re
from collections import Counter
from importlib import import_module
from typing import Any

import pytest

from cosca.catalog import GAMES
from cosca.match.record import canonical_json, chain_link
from cosca.match.sealed import SealedDice, commit, dealing_key, draw_number, pack, seal
from tests.records.vectors import RECORDS, read_vectors

SEED = bytes(range(32))
DOCS = RECORDS.read_text(encoding="utf-8")
VECTORS = read_vectors()
TABLE, ENTROPY = "example", {0: b"\xaa" * 16, 2: bytes(range(16))}
KEY = dealing_key(TABLE, SEED, ENTROPY)


def pieces_of(game: str) -> Any:
    """Return the pieces of a game."""
    return import_module(f"cosca.games.{game}.pieces")


def chi_square(counts: Counter[int], sides: int, rolls: int) -> float:
    """Return how far counts are from even, in standard deviations."""
    expected = rolls / sides
    distance = sum((counts[side] - expected) ** 2 / expected for side in range(sides))
    return float((distance - (sides - 1)) / (2 * (sides - 1)) ** 0.5)


@pytest.mark.parametrize("purpose", ["trustee", "deal", "card", "die"])
@pytest.mark.parametrize("sides", [2, 3, 5, 6, 7, 13, 60])
def test_every_outcome_of_every_kind_of_draw_is_as_likely(purpose: str, sides: int) -> None:
    rolls = 6_000
    counts = Counter(draw_number(KEY, purpose, index, sides) for index in range(rolls))
    assert set(counts) == set(range(sides))
    assert -4 < chi_square(counts, sides, rolls) < 4


@pytest.mark.parametrize("sides", [3 << 30, 5 << 29, (1 << 31) + 1])
def test_awkward_sizes_have_no_modulo_bias(sides: int) -> None:
    """With a modulo instead of rejection, low outcomes would occur twice as often."""
    rolls = 4_000
    low = sum(draw_number(KEY, "awkward", index, sides) < sides // 2 for index in range(rolls))
    assert abs(low - rolls / 2) < 4 * (rolls / 4) ** 0.5


def test_neighbouring_draws_are_independent() -> None:
    pairs = Counter(
        6 * draw_number(KEY, "die", index, 6) + draw_number(KEY, "die", index + 1, 6)
        for index in range(0, 14_000, 2)
    )
    assert -4 < chi_square(pairs, 36, 7_000) < 4


def test_a_draw_depends_on_seed_entropy_table_purpose_and_number() -> None:
    def draws(
        table: str = TABLE,
        seed: bytes = SEED,
        entropy: dict[int, bytes] = ENTROPY,
        purpose: str = "card",
        first: int = 0,
    ) -> list[int]:
        key = dealing_key(table, seed, entropy)
        return [draw_number(key, purpose, first + index, 1 << 20) for index in range(4)]

    others = [
        draws(table="another"),
        draws(seed=bytes(32)),
        draws(entropy={0: ENTROPY[0]}),
        draws(entropy={1: ENTROPY[0], 2: ENTROPY[2]}),
        draws(purpose="deal"),
        draws(first=4),
    ]
    assert draws() == draws()
    assert all(other != draws() for other in others)


def test_the_vectors_of_the_docs_are_right() -> None:
    second, first = VECTORS
    sealed = seal(TABLE, SEED)
    assert sealed == second.hash_of("seal")
    for seat, added in ENTROPY.items():
        assert commit(TABLE, sealed, seat, added) == second.hash_of(f"commitment of seat {seat}")
    assert KEY.hex() == second.hash_of("key")
    assert dealing_key(TABLE, SEED, {}).hex() == second.hash_of("key if nobody adds")
    assert seal(TABLE, SEED, 1) == first.hash_of("commitment")
    assert dealing_key(TABLE, SEED, ENTROPY, 1).hex() == first.hash_of("key")
    assert dealing_key(TABLE, SEED, {}, 1).hex() == first.hash_of("the key is")
    for format, vectors in ((1, first), (2, second)):
        key = dealing_key(TABLE, SEED, ENTROPY, format)
        assert len(vectors.draws) == 8
        for purpose, index, among, drawn in vectors.draws:
            assert draw_number(key, purpose, index, among, format) == drawn


def test_the_links_of_the_docs_are_right() -> None:
    header = {"cosca": "record", "format": 2, "table": "example"}
    public, secret = (
        {"fact": "draws", "seat": 0},
        {"fact": "drew", "seat": 0, "card": 7, "for": [0]},
    )
    step = {"step": 1, "by": 0, "does": "7", "facts": [secret, public]}
    assert canonical_json(header) in DOCS
    assert canonical_json(step) in DOCS
    links = [chain_link("", header, KEY, 2)]
    links.append(chain_link(links[0], step, KEY, 2))
    assert links == [VECTORS[0].hash_of("link 0"), VECTORS[0].hash_of("link 1")]


def test_the_purposes_of_the_docs_are_those_of_the_games() -> None:
    documented = dict(re.findall(r"^\| (\w+) \| (`\w+`(?:, `\w+`)+) \|$", DOCS, re.MULTILINE))
    games = {
        game.title: ", ".join(f"`{word}`" for word in pieces_of(name).PURPOSES.values())
        for name, game in GAMES.items()
    }
    assert documented == games


def test_a_seal_hides_the_seed_and_fits_no_other() -> None:
    assert SEED.hex() not in seal(TABLE, SEED)
    assert seal(TABLE, SEED) != seal(TABLE, SEED[::-1])
    assert seal(TABLE, SEED) != seal("another", SEED)


def test_a_commitment_fits_one_table_one_seal_one_seat_and_one_contribution() -> None:
    sealed, revealed = seal(TABLE, SEED), ENTROPY[0]
    others = [
        commit("another", sealed, 0, revealed),
        commit(TABLE, seal(TABLE, SEED[::-1]), 0, revealed),
        commit(TABLE, sealed, 1, revealed),
        commit(TABLE, sealed, 0, ENTROPY[2]),
    ]
    assert len({commit(TABLE, sealed, 0, revealed), *others}) == 5


def test_the_formats_share_no_hash() -> None:
    assert seal(TABLE, SEED, 1) != seal(TABLE, SEED, 2)
    keys = {dealing_key(TABLE, SEED, ENTROPY, format) for format in (1, 2)}
    assert len(keys) == 2
    ones = [draw_number(KEY, "card", index, 1 << 20, 1) for index in range(4)]
    assert ones != [draw_number(KEY, "card", index, 1 << 20, 2) for index in range(4)]


def test_similar_lists_are_packed_differently() -> None:
    assert pack("ab", "c") != pack("a", "bc")
    assert pack("a") != pack("a", "")


def test_resumed_dice_continue_where_they_were() -> None:
    dice = SealedDice(TABLE, SEED, ENTROPY)
    rolls = [dice.draw("card", 13) for _ in range(10)]
    again = SealedDice(TABLE, SEED, ENTROPY, draws=6)
    assert [again.draw("card", 13) for _ in range(4)] == rolls[6:]


@pytest.mark.parametrize("among", [0, -1, (1 << 32) + 1])
def test_a_draw_among_nothing_or_too_much_is_an_error(among: int) -> None:
    with pytest.raises(ValueError, match="among"):
        draw_number(KEY, "card", 0, among)
