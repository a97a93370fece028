"""The home page: the games, a table to watch, and a game with one click."""

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
