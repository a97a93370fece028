"""The facts of a record suffice to check every rule, without any code of Cosca."""

import ast
import itertools
import json
from pathlib import Path
from typing import Any

import pytest

from cosca.arena.simulation import Simulation, play, record
from cosca.catalog import find
from cosca.games.omerta.pieces import PASS
from tests.games.omerta.test_facts import SKIP_AFTER_NOTHING
from tests.records import omerta_referee, sicilianos_referee
from tests.records.making import lines_of, text_of
from tests.records.referee import Foul, referee

GAME = find("vendetta")
OMERTA = find("omerta")


def written(seed: int, seats: int, edition: str, rounds: int = 3) -> str:
    """Return the record of a random game."""
    settings = GAME.settings(edition, {"max_rounds": str(rounds)})
    simulation = Simulation("vendetta", settings, seats, ("random",) * seats, seed)
    return record(simulation, 0, play(simulation, 0))


@pytest.mark.parametrize("edition", list(GAME.editions))
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_a_referee_finds_nothing_in_honest_records(edition: str, seats: int) -> None:
    for seed in range(8):
        referee(written(seed, seats, edition))
    referee(written(99, seats, edition, rounds=200))


@pytest.mark.parametrize(
    "option", ["trustee=2", "setup=only", "control=most", "final_points=no", "goal=exceed"]
)
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


@pytest.mark.parametrize(("fact", "key"), [("controls", "district"), ("holds", "hand")])
def test_a_referee_counts_hands_boxes_and_districts_after_each_round(fact: str, key: str) -> None:
    lines = lines_of(written(4, 4, "original"))
    ends = [line["unspoken"] for line in lines if "unspoken" in line]
    assert len(ends) == 3
    next(each for each in ends[1] if each["fact"] == fact)[key] += 1
    with pytest.raises(Foul, match="V-15"):
        referee(text_of(lines))


# --- Omerta ---------------------------------------------------------------------------------------

PATROL = Path(__file__).parent / "kept" / "0.1.0" / "omerta-patrol.jsonl"
"""A record of format 1 in which a row with a patrol is shuffled."""


def simulated(game: str, seats: int, bot: str, number: int, **options: str) -> str:
    """Return the record of a game among such bots."""
    settings = find(game).settings("", {**find(game).random_play_options, **options})
    simulation = Simulation(game, settings, seats, (bot,) * seats, seats)
    return record(simulation, number, play(simulation, number))


@pytest.mark.parametrize(
    ("seats", "bot", "options"),
    [(3, "novice", {"copies": "pairs"}), (4, "novice", {}), (5, "random", {"copies": "pairs"})],
)
def test_a_referee_finds_nothing_in_honest_records_of_omerta(
    seats: int, bot: str, options: dict[str, str]
) -> None:
    texts = [simulated("omerta", seats, bot, number, **options) for number in range(6)]
    for text in texts:
        omerta_referee.referee(text)
    for fact in ("shuffled_in", "mamma_lifted", "patrol_lifted", "skipped"):
        assert any(f'"fact":"{fact}"' in text for text in texts), fact


def test_a_referee_finds_slots_that_do_not_count_the_row() -> None:
    with pytest.raises(omerta_referee.Foul, match="O-13"):
        omerta_referee.referee(PATROL.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("events", "is_fair"), [(OMERTA.events, True), (OMERTA.format_1_events, False)]
)
def test_a_referee_finds_what_is_lifted_out_of_turn(events: Any, is_fair: bool) -> None:
    """Seats 1 and 2 have laid a mamma on each other, and seat 0 has nothing to take."""
    state = OMERTA.parse_state(SKIP_AFTER_NOTHING)
    watching = omerta_referee.Referee({"seats": 3})
    watching.mammas = [-1, 2, 1]
    facts = [
        {"fact": event.key.partition(".")[2], **event.params} for event in events(state, 0, PASS)
    ]
    if is_fair:
        watching.see(facts)
        assert watching.mammas == [-1, 2, -1]
    else:
        with pytest.raises(omerta_referee.Foul, match="O-19t"):
            watching.see(facts)


# --- Sicilianos -----------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_a_referee_finds_nothing_in_honest_records_of_sicilianos(seats: int) -> None:
    texts = [simulated("sicilianos", seats, "random", number) for number in range(6)]
    for text in texts:
        sicilianos_referee.referee(text)
    for fact in ("fought", "returned", "bomb", "nobody_wins", "wins"):
        assert any(f'"fact":"{fact}"' in text for text in texts), fact


@pytest.mark.parametrize(("fact", "key"), [("fought", "strength"), ("returned", "place")])
def test_a_referee_finds_other_strengths_and_places(fact: str, key: str) -> None:
    lines = lines_of(simulated("sicilianos", 4, "random", 1))
    found = [each for line in lines for each in line.get("unspoken", ()) if each["fact"] == fact]
    found[len(found) // 2][key] += 1
    with pytest.raises(sicilianos_referee.Foul, match="S-16"):
        sicilianos_referee.referee(text_of(lines))


def test_a_referee_finds_a_card_drawn_that_lay_elsewhere() -> None:
    """Two cards under one stack are swapped: drawing the first one is found."""
    for number in range(20):
        lines = lines_of(simulated("sicilianos", 4, "random", number))
        for line in lines:
            under = [each for each in line.get("unspoken", ()) if each["fact"] == "returned"]
            for one, other in itertools.pairwise(under):
                if one["card"] // 11 == other["card"] // 11:
                    one["card"], other["card"] = other["card"], one["card"]
                    with pytest.raises(sicilianos_referee.Foul, match="S-21"):
                        sicilianos_referee.referee(text_of(lines))
                    return
    raise AssertionError("no two cards of a colour ever went under a stack")


@pytest.mark.parametrize("name", ["referee", "omerta_referee", "sicilianos_referee"])
def test_the_referees_import_nothing_of_cosca(name: str) -> None:
    tree = ast.parse((Path(__file__).parent / f"{name}.py").read_text(encoding="utf-8"))
    names = [
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    ]
    assert names == ["json", "Any"]
