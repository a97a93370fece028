"""Private tables in real browsers: who finds them, who reads the chat, who sees spectators."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.browser import DESK, PHONE, violations
from tests.web.guests import fits, guest
from tests.web.houses import opened

LIST = "List this table on the home page, so that anyone can watch"
READ = "Let spectators read the chat"
SIZES = pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])


def open_table(page: Page, house: str) -> str:
    """Open a table of Vendetta against two bots with the form as it is; return its code."""
    for seat, who in enumerate(("you", "random", "random")):
        page.locator("label.across select").nth(seat).select_option(who)
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_url(re.compile(r"/t/\w+$"))
    page.get_by_role("button", name="Start the game").click()
    expect(page.locator(".move")).to_be_visible()
    return page.url.rsplit("/", 1)[1]


def new_table(page: Page, house: str) -> None:
    """Go to the form for new tables, and choose three seats."""
    page.goto(f"{house}/new?game=vendetta")
    page.get_by_label("Number of seats").select_option("3")


def say(page: Page, text: str) -> None:
    page.get_by_label("Message").fill(text)
    page.get_by_role("button", name="Send", exact=True).click()
    expect(page.locator(".chat")).to_contain_text(text)


@SIZES
def test_a_stranger_finds_and_reads_only_what_the_host_allows(
    browser: Browser, tmp_path: Path, size: dict[str, Any]
) -> None:
    with opened(tmp_path / "tables.db") as house:
        host, stranger = guest(browser, size, 1), guest(browser, size, 2)
        new_table(host.page, house)
        expect(host.page.get_by_label(LIST)).not_to_be_checked()
        expect(host.page.get_by_label(READ)).not_to_be_checked()
        assert violations(host.page) == []
        assert fits(host.page)
        code = open_table(host.page, house)
        say(host.page, "among us")

        stranger.page.goto(house)
        expect(stranger.page.get_by_text("There is no table to watch right now.")).to_be_visible()
        host.page.get_by_label(LIST).check()
        expect(host.page.get_by_text("listed on the home page")).to_be_visible()
        stranger.page.reload()
        stranger.page.get_by_role("link", name="Watch Vendetta").click()
        stranger.page.wait_for_url(f"**/t/{code}")
        expect(host.page.locator(".watchers")).to_have_text("1 watching")
        expect(host.page.get_by_text("One person is watching.")).to_be_visible()

        chat = stranger.page.locator(".chat")
        expect(chat).to_contain_text("Only players can read the chat at this table.")
        host.page.get_by_label(READ).check()
        expect(chat).to_contain_text("No messages yet.")
        say(host.page, "to all")
        expect(chat).to_contain_text("to all")
        expect(chat).not_to_contain_text("among us")
        expect(stranger.page.get_by_label(LIST)).to_have_count(0)
        for one in (host, stranger):
            assert violations(one.page) == []
            assert fits(one.page)

        host.page.get_by_label(LIST).uncheck()
        expect(host.page.get_by_text("Private: only people with the link")).to_be_visible()
        stranger.page.goto(house)
        expect(stranger.page.get_by_text("There is no table to watch right now.")).to_be_visible()
        expect(host.page.locator(".watchers")).to_have_text("")
        for one in (host, stranger):
            assert one.complaints == []
            one.context.close()


def test_a_host_may_choose_when_opening_the_table(browser: Browser, tmp_path: Path) -> None:
    with opened(tmp_path / "tables.db") as house:
        host, stranger = guest(browser, DESK, 1), guest(browser, DESK, 2)
        new_table(host.page, house)
        host.page.get_by_label(LIST).check()
        host.page.get_by_label(READ).check()
        open_table(host.page, house)
        say(host.page, "welcome")
        stranger.page.goto(house)
        stranger.page.get_by_role("link", name="Watch Vendetta").click()
        expect(stranger.page.locator(".chat")).to_contain_text("welcome")
        for one in (host, stranger):
            assert one.complaints == []
            one.context.close()
