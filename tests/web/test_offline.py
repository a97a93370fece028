"""The page without a connection."""

from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.web.browser import DESK
from tests.web.guests import guest
from tests.web.houses import opened

SERVICE_WORKER_CONTROLS = """async () => {
    const { active } = await navigator.serviceWorker.ready;
    while (active.state !== 'activated')
        await new Promise((then) => active.addEventListener('statechange', then, { once: true }));
    return navigator.serviceWorker.controller !== null;
}"""


def test_the_page_opens_again_though_the_house_is_closed(browser: Browser, tmp_path: Path) -> None:
    one = guest(browser, DESK)
    with opened(tmp_path / "tables.db") as house:
        one.page.goto(house)
        one.page.evaluate(SERVICE_WORKER_CONTROLS)
        one.page.reload()
        expect(one.page.get_by_role("heading", level=1)).to_be_visible()
        one.page.wait_for_load_state("networkidle")
    one.page.goto(house)
    expect(one.page.get_by_text("Cannot reach the house.").first).to_be_visible()
    one.context.close()


def test_the_service_worker_does_not_take_over_an_open_page(browser: Browser, house: str) -> None:
    """Preloaded files would be discarded, and the browser would warn of that."""
    one = guest(browser, DESK)
    one.page.goto(house)
    assert not one.page.evaluate(SERVICE_WORKER_CONTROLS)
    one.page.reload()
    assert one.page.evaluate(SERVICE_WORKER_CONTROLS)
    assert one.complaints == []
    one.context.close()
