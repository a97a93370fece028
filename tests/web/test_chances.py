"""The consigliere at a drawn table, and the chart of win chances after the game."""

import re
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.browser import DESK, PHONE, violations
from tests.web.guests import Guest, fits, guest, open_by_api, play_to_the_end
from tests.web.shots import SHORT

POINTS: Final = "() => document.querySelector('.chart polyline').getAttribute('points').split(' ')"


def seated(one: Guest, house: str, game: str) -> str:
    """Sit down against bots at a drawn table; return its code."""
    code = open_by_api(one.page, house, game, ["you", "random", "random", "random"], SHORT[game])
    one.page.goto(f"{house}/t/{code}")
    return code


def ask_for_hint(page: Page) -> None:
    """Ask the consigliere for a hint, and preview the best move."""
    page.get_by_role("button", name="Hint").click()
    advice = page.locator(".advice")
    expect(advice.get_by_role("heading", name="The consigliere says")).to_be_visible()
    expect(advice.locator(".choices li").first).to_contain_text(re.compile(r"\d+ %$"))
    expect(advice.locator(".why")).to_have_text(re.compile(r".+\."))
    assert violations(page) == []
    assert fits(page)
    best = advice.locator(".choices button").first
    best.click()
    expect(page.locator(".move .so-far")).to_be_visible()
    page.locator(".decide").get_by_role("button", name="Undo").click()


def look_at_chances(page: Page) -> None:
    """Show the chart of win chances, and check that it is complete."""
    page.get_by_role("button", name="Show win chances").click()
    expect(page.get_by_role("heading", name="What decided it")).to_be_visible()
    expect(page.locator(".chart svg[role=img]")).to_be_visible()
    expect(page.locator(".chart .of-seat")).to_have_count(4)
    page.get_by_text("Show as a table").click()
    rows = page.locator(".chances tbody tr")
    assert len(page.evaluate(POINTS)) == rows.count() > 2
    last: list[Any] = rows.last.locator("td").all_inner_texts()
    assert sum(int(text.split()[0]) for text in last) in range(99, 102), (
        "at the end everything is known"
    )
    assert violations(page) == []
    assert fits(page)


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_a_hint_at_the_drawn_table_and_the_chances_after_the_game(
    browser: Browser, house: str, size: dict[str, Any]
) -> None:
    one = guest(browser, size, 3)
    page = one.page
    code = seated(one, house, "vendetta")
    expect(page.locator(".move.mine")).to_be_visible()
    ask_for_hint(page)
    play_to_the_end([one])
    look_at_chances(page)
    link = page.locator(".turns a").first
    expect(link).to_have_attribute("href", re.compile(rf"/t/{code}/replay#move=\d+&viewer=all"))
    number = link.inner_text().split()[1]
    link.click()
    page.wait_for_url(re.compile(rf"/t/{code}/replay#move={number}&viewer=all"))
    expect(page.locator(".slider")).to_contain_text(f"Move {number} of ")
    look_at_chances(page)
    expect(page.locator(".chart .now")).to_have_count(1)
    assert one.complaints == []
    one.context.close()
