"""The home page: the games, a table to watch, and a game with one click."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.web.browser import DESK, PHONE, violations
from tests.web.guests import fits, guest
from tests.web.houses import opened


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_bots_play_on_the_home_page_for_all_visitors(
    browser: Browser, tmp_path: Path, size: dict[str, Any]
) -> None:
    with opened(tmp_path / "tables.db", pace=5.0) as house:  # so that they are still playing
        one, other = guest(browser, size, 1), guest(browser, size, 2)
        one.page.goto(house)
        expect(one.page.get_by_text("There is no table to watch right now.")).to_be_visible()
        one.page.get_by_role("button", name="Watch bots play Vendetta").click()
        expect(one.page.locator(".watching [data-piece]").first).to_be_visible()
        other.page.goto(house)
        expect(other.page.locator(".watching [data-piece]").first).to_be_visible()
        for each in (one, other):
            assert violations(each.page) == []
            assert fits(each.page)
            assert each.complaints == []
        other.page.locator(".watching").click()
        expect(other.page.locator(".stage")).to_be_visible()
        for each in (one, other):
            each.context.close()


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_the_rules_open_on_one_page_and_lead_to_the_rulebook(
    browser: Browser, house: str, size: dict[str, Any]
) -> None:
    one = guest(browser, size)
    page = one.page
    page.goto(house)
    page.get_by_role("button", name="Rules of Vendetta").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("heading", name="Vendetta in two minutes")).to_be_visible()
    expect(dialog.locator(".sample svg").first).to_be_visible()
    assert violations(page) == []
    dialog.get_by_role("button", name="V-17").first.click()
    expect(dialog.locator(".marked")).to_contain_text("V-17")
    dialog.get_by_role("button", name="In two minutes").click()
    expect(dialog.locator(".primer")).to_be_visible()
    assert fits(page)
    assert one.complaints == []
    one.context.close()


def test_play_now_asks_once_how_strong_the_bots_are(browser: Browser, house: str) -> None:
    one = guest(browser, DESK)
    page = one.page
    page.goto(house)
    play = page.get_by_role("button", name="Play now against bots: Vendetta")
    play.click()
    dialog = page.get_by_role("dialog", name="Who do you want to play against?")
    expect(dialog).to_contain_text("Beginners who often slip up.")
    assert violations(page) == []
    dialog.get_by_role("button", name="Cancel").click()
    expect(dialog).to_be_hidden()
    play.click()
    dialog.get_by_role("button", name="Normal").click()
    page.wait_for_url(re.compile(r"/t/\w+$"))
    expect(page.get_by_text("agata").first).to_be_visible()
    page.goto(house)
    expect(page.get_by_label("Opponents")).to_have_value("normal")
    page.get_by_label("Opponents").select_option("easy")
    play.click()
    page.wait_for_url(re.compile(r"/t/\w+$"))
    expect(page.get_by_text("lillo").first).to_be_visible()
    assert one.complaints == []
    one.context.close()
