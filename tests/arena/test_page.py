"""The report: it matches the stored one, is one file, and escapes the names of bots."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from cosca.arena.arena import play_contest
from cosca.arena.contest import Contest
from cosca.arena.figures import Json, report
from cosca.arena.page import arena_page, balance_page
from cosca.arena.plots import histogram, interval_plot, scale
from cosca.catalog import find
from cosca.testing.traceability import rules_of_events
from cosca.words import speaking
from tests.arena.contests import contest, no_time

KEPT = Path(__file__).parent / "kept"
CONTESTS = {
    "vendetta": contest("vendetta", "random", "soldato"),
    "omerta": contest("omerta", "random", "novice", "smemorato", "picciotto"),
}


def figures_of(whole: Contest, deals: int = 4) -> Json:
    """Return the figures of a small arena in which no time passes."""
    return report(whole, list(play_contest(whole, range(deals), 1, None, no_time)))


def pages() -> Mapping[str, str]:
    """Return all stored reports, made again."""
    made = {
        f"{game}.html": arena_page(figures_of(whole), rules_of_events(find(game)))
        for game, whole in CONTESTS.items()
    }
    mirror = ["random"] * 3
    house = contest("vendetta", *mirror)
    other = {**house.settings, "control": "most"}
    rules = find("vendetta")
    reports = {
        "original": figures_of(house),
        "control=most": figures_of(Contest.of(rules, other, 3, tuple(mirror), 5)),
    }
    return made | {"balance.html": balance_page(reports, rules_of_events(rules))}


@pytest.fixture(scope="module")
def made() -> Mapping[str, str]:
    """Return the reports as they are made now."""
    return pages()


@pytest.mark.parametrize("name", ["vendetta.html", "omerta.html", "balance.html"])
def test_a_tiny_report_matches_the_stored_one(made: Mapping[str, str], name: str) -> None:
    assert made[name] == (KEPT / name).read_text(encoding="utf-8")


def test_a_report_is_one_file_without_external_resources(made: Mapping[str, str]) -> None:
    for page in made.values():
        assert not re.search(r"<(script|link|img|iframe)|url\(|@import|src=", page)
        assert re.findall(r'href="(?!#)', page) == []
        assert set(re.findall(r'href="#([^"]*)"', page)) <= set(re.findall(r'id="([^"]*)"', page))


def test_a_report_is_translated_but_results_are_not() -> None:
    with speaking("de"):
        figures = figures_of(CONTESTS["omerta"])
        page = arena_page(figures, {})
    assert figures == figures_of(CONTESTS["omerta"])
    assert '<html lang="de">' in page and "Direkter Vergleich" in page


def test_names_are_escaped() -> None:
    figures = figures_of(CONTESTS["vendetta"])
    evil = "run:<script>alert('x')</script>"
    for bot in figures["bots"]:
        bot["name"] = evil
    figures["time"]["seconds_per_move"] = {evil: 0.0}
    assert "<script" not in arena_page(figures, {})


def test_plots_stay_within_their_axis() -> None:
    intervals = [
        {"value": -3.0, "low": -9.0, "high": 2.0},
        {"value": 40.0, "low": 40.0, "high": 40.0},
    ]
    on = scale(intervals, 25.0)
    places = [
        float(x)
        for one in intervals
        for x in re.findall(r'="([\d.]+)%"', interval_plot(one, on, 25.0))
    ]
    assert places and all(0 <= place <= 100 for place in places)
    assert interval_plot(intervals[0], scale(intervals[1:]), None)  # no width to divide by
    assert histogram([[1, 1, 5]], "equal") == ""
    assert histogram([[1, 2, 0], [3, 4, 9]], "two").count("<rect") == 2


if __name__ == "__main__":
    for file, page in pages().items():
        (KEPT / file).write_text(page, encoding="utf-8", newline="\n")
