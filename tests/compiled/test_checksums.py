"""Interpreted and compiled, the rules play the same games."""

from pathlib import Path

import pytest

from cosca.catalog import GAMES
from tests.compiled.builds import ROOT, checksums, python

GAMES_PLAYED = 2_000
SEED = 1990
TYPED = sorted(ROOT.glob("src/**/*.pxd"))


@pytest.mark.needs_compiler
def test_plain_and_compiled_rules_play_the_same_2000_games() -> None:
    plain = checksums(GAMES_PLAYED, SEED, COSCA_PURE="1")
    compiled = checksums(GAMES_PLAYED, SEED)
    assert (plain["compiled"], compiled["compiled"]) == (False, True)
    assert plain["checksums"] == compiled["checksums"]
    assert set(plain["checksums"]) == set(GAMES)


def test_another_seed_plays_other_games() -> None:
    assert checksums(20, 1)["checksums"] != checksums(20, 2)["checksums"]


@pytest.mark.needs_compiler
@pytest.mark.parametrize("pxd", TYPED, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_module_with_a_pxd_is_compiled_here(pxd: Path) -> None:
    module = ".".join(pxd.relative_to(ROOT / "src").with_suffix("").parts)
    done = python("-c", f"import {module}; print({module}.__file__)")
    file = done.stdout.strip()
    assert file and not file.endswith(".py"), f"{module} is not compiled; ./run does it"


@pytest.mark.parametrize("name", GAMES)
def test_every_game_of_the_catalog_has_c_types(name: str) -> None:
    assert (ROOT / f"src/cosca/games/{name}/rules.pxd").exists()
