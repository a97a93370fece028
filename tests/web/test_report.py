"""The report of an arena in a browser: accessible, on desk and phone."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.web.browser import DESK, PHONE, violations

KEPT = Path(__file__).parents[1] / "arena" / "kept"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("device", [DESK, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("name", ["omerta.html", "balance.html"])
def test_a_report_is_accessible(
    browser: Browser, name: str, device: dict[str, object], scheme: str
) -> None:
    with browser.new_context(**device, color_scheme=scheme) as context:  # type: ignore[arg-type]  # as Playwright names them
        page = context.new_page()
        requests: list[str] = []
        page.on("request", lambda request: requests.append(request.url))
        page.goto((KEPT / name).as_uri())
        for link in page.get_by_role("link").all():  # a link opens the part that it leads to
            link.click()
            part = page.locator(f'[id="{str(link.get_attribute("href"))[1:]}"]')
            assert part.is_visible()
        assert violations(page) == []
        wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert page.evaluate(wide) == 0, "it must be scrolled sideways"
        assert [url for url in requests if not url.endswith(name)] == []
