"""The page where the line is down."""

from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.web.browser import DESK
from tests.web.guests import guest
from tests.web.houses import opened

STANDS_BY = """async () => {
    const { active } = await navigator.serviceWorker.ready;
    while (active.state !== 'activated')
        await new Promise((then) => active.addEventListener('statechange', then, { once: true }));
    return navigator.serviceWorker.controller !== null;
}"""


def test_whoever_comes_again_finds_the_page_though_the_house_is_closed(
    browser: Browser, tmp_path: Path
) -> None:
    one = guest(browser, DESK)
    with opened(tmp_path / "tables.db") as house:
        one.page.goto(house)
        one.page.evaluate(STANDS_BY)
        one.page.reload()
        expect(one.page.get_by_role("heading", level=1)).to_be_visible()
        one.page.wait_for_load_state("networkidle")
    one.page.goto(house)
    expect(one.page.get_by_text("Cannot reach the house.").first).to_be_visible()
    one.context.close()


def test_a_page_that_is_open_is_not_taken_over(browser: Browser, house: str) -> None:
    """What it has asked for ahead would be thrown away: the browser complains of that."""
    one = guest(browser, DESK)
    one.page.goto(house)
    assert not one.page.evaluate(STANDS_BY)
    one.page.reload()
    assert one.page.evaluate(STANDS_BY)
    assert one.complaints == []
    one.context.close()
