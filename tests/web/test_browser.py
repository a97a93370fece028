"""The browser of the tests, and axe in it."""

from playwright.sync_api import Browser

from tests.web.browser import PHONE, violations


def test_axe_finds_what_is_wrong(browser: Browser) -> None:
    page = browser.new_page(**PHONE)
    page.set_content("<html lang=en><title>A</title><main><h1>A</h1><p>fine</p></main></html>")
    assert violations(page) == []
    page.set_content("<html lang=en><title>A</title><main><h1>A</h1><img src=x></main></html>")
    assert [text.split(":")[0] for text in violations(page)] == ["image-alt"]
    page.close()


FADING = """<html lang=en><title>A</title><style>
@keyframes fade { from { color: #eee } to { color: #000 } }
@keyframes turn { from { rotate: 0deg } to { rotate: 360deg } }
p { animation: fade 3s linear both } hr { animation: turn 1s linear infinite }
</style><main><h1>A</h1><p>it fades in</p><hr></main></html>"""


def test_axe_runs_when_nothing_fades_any_more(browser: Browser) -> None:
    page = browser.new_page(**PHONE)
    page.set_content(FADING)
    assert violations(page) == []
    page.close()
