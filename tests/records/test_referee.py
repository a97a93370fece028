"""The facts of a record are enough to judge every rule, without a line of our code."""

import ast
import json
from pathlib import Path

import pytest

from cosca.arena.simulation import Simulation, play, record
from cosca.catalog import find
from tests.records.referee import Foul, referee

GAME = find("vendetta")


def written(seed: int, seats: int, edition: str, rounds: int = 3) -> str:
    """The record of a game at random."""
    settings = GAME.settings(edition, {"max_rounds": str(rounds)})
    simulation = Simulation("vendetta", settings, seats, ("random",) * seats, seed)
    return record(simulation, 0, play(simulation, 0))


@pytest.mark.parametrize("edition", list(GAME.editions))
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_a_referee_finds_nothing_in_honest_records(edition: str, seats: int) -> None:
    for seed in range(8):
        referee(written(seed, seats, edition))
    referee(written(99, seats, edition, rounds=200))


@pytest.mark.parametrize("option", ["trustee=2", "setup=only", "control=most", "final_points=no"])
def test_a_referee_follows_house_rules(option: str) -> None:
    key, value = option.split("=")
    settings = GAME.settings("", {"max_rounds": "30", key: value})
    simulation = Simulation("vendetta", settings, 4, ("soldato", *["random"] * 3), 3)
    for number in range(4):
        referee(record(simulation, number, play(simulation, number)))


def test_a_referee_finds_most_changed_numbers_by_the_rules_alone() -> None:
    text = written(4, 4, "original")
    lines = [json.loads(line) for line in text.splitlines()]
    called = changed = 0
    for line in lines[1:-1]:
        for fact in line["facts"]:
            for key in [key for key, value in fact.items() if isinstance(value, int)]:
                changed += 1
                fact[key] += 1
                try:
                    referee("\n".join(map(json.dumps, lines)))
                except (Foul, IndexError, AttributeError):
                    called += 1
                fact[key] -= 1
    # A man more may be placed, another card dealt or turned up, and break no rule by itself: the
    # dice and the chain are what forbids that. Whatever follows by the rules is always found.
    assert called > 0.8 * changed


def test_the_referee_has_no_line_of_our_code() -> None:
    tree = ast.parse((Path(__file__).parent / "referee.py").read_text(encoding="utf-8"))
    names = [
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    ]
    assert names == ["json", "Any"]
