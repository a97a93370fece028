"""The replay of a finished game: it fits the screen, moves by key, and tells what happens."""

import re
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page, expect

from cosca.words import say
from tests.web.browser import DESK, PHONE, violations
from tests.web.guests import fits, guest, open_by_api, play_to_the_end

SMALL_DESK: Final = {"viewport": {"width": 1024, "height": 768}}
SHORT: Final = {"vendetta": {"max_rounds": "1"}, "omerta": {"games": "1"}}


def bottom(page: Page, what: str) -> float:
    box = page.locator(what).first.bounding_box()
    assert box is not None
    return box["y"] + box["height"]


def shows_move(page: Page, number: int) -> None:
    expect(page.get_by_text(re.compile(rf"^Move {number} of \d+"))).to_be_visible()


@pytest.mark.parametrize("game", SHORT)
def test_a_replay_fits_moves_by_key_and_says_what_happens(
    browser: Browser, house: str, game: str
) -> None:
    one = guest(browser, {**DESK, "reduced_motion": "reduce"})
    page = one.page
    code = open_by_api(page, house, game, ["you", "random", "random"], SHORT[game])
    page.goto(f"{house}/t/{code}")
    play_to_the_end([one])
    page.goto(f"{house}/t/{code}/replay#move=2&viewer=all")
    shows_move(page, 2)
    sizes: list[dict[str, Any]] = [DESK, SMALL_DESK, PHONE]
    for size in sizes:
        page.set_viewport_size(size["viewport"])
        height = size["viewport"]["height"]
        assert fits(page)
        assert bottom(page, ".picture") <= height
        assert bottom(page, ".controls") <= height
    page.set_viewport_size(DESK["viewport"])
    page.locator("h1").click()
    page.keyboard.press("ArrowRight")
    shows_move(page, 3)
    page.keyboard.press("ArrowLeft")
    shows_move(page, 2)
    page.keyboard.press("Home")
    expect(page.locator("#moment-title")).to_have_text(say("client.replay.start", {}))
    page.keyboard.press("End")
    expect(page.locator(".replay .ranking")).to_be_visible()
    page.keyboard.press("Home")
    page.keyboard.press(" ")
    shows_move(page, 1)
    page.keyboard.press(" ")
    expect(page.locator("#moment-title")).to_have_text(re.compile(r"\w+.*\.$"))
    assert violations(page) == []
    assert one.complaints == []
    one.context.close()
