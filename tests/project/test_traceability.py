"""Every rule is said by some code and proved by some test, and nobody cites a rule there is not."""

import pytest

from cosca.catalog import GAMES
from cosca.testing.traceability import cited_in_code, cited_in_tests, rules_of


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
