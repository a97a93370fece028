"""The case of every game of the catalog; a game without one fails the tests."""

from importlib import import_module

from cosca.catalog import GAMES
from cosca.testing.case import Case
from cosca.testing.walks import TableSetup


def case_of(name: str) -> Case:
    """The case of a game of the catalog, from the file of its name beside this one."""
    case: Case = import_module(f"tests.laws.{name}").CASE
    return case


CASES = {name: case_of(name) for name in GAMES}
SETUPS: dict[str, tuple[Case, TableSetup]] = {
    setup.name: (case, setup) for case in CASES.values() for setup in case.table_setups()
}
