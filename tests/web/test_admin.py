"""The admin page in a real browser: the host closes a table and bans an address."""

import re

from playwright.sync_api import Browser, expect

from tests.web.browser import DESK, PHONE, violations
from tests.web.guests import fits, guest
from tests.web.houses import ADMIN


def test_the_host_of_a_house_closes_a_table_and_bans_an_address(
    browser: Browser, house: str
) -> None:
    player, host = guest(browser, DESK, 1), guest(browser, PHONE, 2)
    player.page.goto(house)
    player.page.get_by_role("button", name=re.compile("Play now")).first.click()
    player.page.get_by_role("button", name="Easy").click()
    player.page.wait_for_url(re.compile(r"/t/\w+$"))
    code = player.page.url.rsplit("/", 1)[1]
    page = host.page
    page.goto(f"{house}/admin")
    assert violations(page) == []
    page.get_by_label("Admin token").fill("a-wrong-one-that-is-long-enough")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_be_visible()
    page.get_by_label("Admin token").fill(ADMIN)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Tables", exact=True)).to_be_visible()
    assert code not in page.content()
    assert fits(page) and violations(page) == []
    page.get_by_label("Table code").fill(code)
    page.get_by_role("button", name="Close the table with this code").click()
    assert violations(page) == []
    page.get_by_role("button", name="Yes, delete it").click()
    expect(page.get_by_role("status")).to_be_visible()
    expect(player.page.get_by_text("closed")).to_be_visible()
    page.get_by_label("Address to ban").fill("192.0.2.7")
    page.get_by_role("button", name="Ban this address").click()
    expect(page.get_by_text("192.0.2.7").first).to_be_visible()
    assert fits(page) and violations(page) == []
    assert player.complaints == []
    assert len(host.complaints) == 1  # about the wrong token
    for one in (player, host):
        one.context.close()
