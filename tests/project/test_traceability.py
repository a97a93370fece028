"""Every rule is cited by code and proved by a test, and every cited rule exists."""

import pytest

from cosca.catalog import GAMES, find
from cosca.testing.traceability import (
    cited_in_code,
    cited_in_tests,
    rules_of,
    rules_of_events,
)


@pytest.mark.parametrize("name", GAMES)
def test_every_rule_is_proved_by_a_test(name: str) -> None:
    assert [rule.id for rule in rules_of(GAMES[name]).values() if not rule.tests] == []


@pytest.mark.parametrize("name", GAMES)
def test_every_rule_is_said_by_some_code(name: str) -> None:
    rules = rules_of(GAMES[name]).values()
    assert [rule.id for rule in rules if "-" in rule.id and not rule.functions] == []


@pytest.mark.parametrize("name", GAMES)
def test_every_id_that_is_cited_is_a_rule(name: str) -> None:
    rules = rules_of(GAMES[name])
    cited = [*cited_in_code(GAMES[name]), *cited_in_tests(GAMES[name])]
    assert [(id, where) for id, where in cited if id not in rules] == []


@pytest.mark.parametrize("name", GAMES)
def test_there_are_rules_to_trace(name: str) -> None:
    assert len(rules_of(GAMES[name])) > 10


@pytest.mark.parametrize("name", GAMES)
def test_events_cite_existing_rules(name: str) -> None:
    rules = rules_of_events(find(name))
    assert any(rules.values())
    assert {id for ids in rules.values() for id in ids} <= set(rules_of(find(name)))


def test_an_event_may_cite_several_rules() -> None:
    assert rules_of_events(find("vendetta"))["turned_up"] == ["V-3", "V-9", "V-12"]
