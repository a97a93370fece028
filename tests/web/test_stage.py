"""What all drawn tables have in common: by mouse, touch and keys, light and dark."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.web.browser import DESK, PHONE, violations
from tests.web.drawn import DO_IT, PICK, PLAYABLE, PREVIEW, sit_at_drawn_table
from tests.web.guests import (
    Guest,
    fits,
    guest,
    open_by_api,
    play_on,
    sit_down,
    wait_until,
    wait_until_still,
)
from tests.web.houses import opened
from tests.web.observing import (
    layout_shifts,
    note_layout_shifts,
    note_texts,
    noted_texts,
)

PIECE = "[data-piece]"
PILE = f"{PLAYABLE}[data-piece=pile]"


def seated(one: Guest, house: str, *, bots: int = 3) -> None:
    """Sit down at a drawn table against bots who have moved: a new picture closes bubbles."""
    sit_at_drawn_table(one, house, "vendetta", ["random"] * bots, {}, PLAYABLE)
    wait_until_still(one.page)


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_drawn_table_is_accessible_and_fits(
    browser: Browser, house: str, size: dict[str, Any], theme: str
) -> None:
    one = guest(browser, {**size, "color_scheme": theme})
    seated(one, house)
    assert violations(one.page) == []
    assert fits(one.page)
    one.page.locator(PIECE).first.focus()
    one.page.locator(f"{PIECE}:focus").press("Enter")
    expect(one.page.locator(".bubble")).to_be_visible()
    assert violations(one.page) == []
    assert one.complaints == []
    one.context.close()


def test_a_turn_is_taken_with_the_keyboard_alone(browser: Browser, house: str) -> None:
    one = guest(browser, DESK)
    seated(one, house)
    page = one.page
    page.locator("#main").focus()
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.locator(f"{PLAYABLE}:focus").count():
            break
    first = page.locator(f"{PLAYABLE}:focus").get_attribute("data-piece")
    page.keyboard.press("ArrowRight")
    expect(page.locator(f"{PLAYABLE}:focus")).not_to_have_attribute("data-piece", first or "")
    page.keyboard.press("Enter")
    expect(page.locator(f"{PICK}:focus")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator(PREVIEW)).to_be_visible()
    page.keyboard.press("Escape")  # and taken back
    if page.locator(PREVIEW).count():  # it has closed an explanation that had opened meanwhile
        page.keyboard.press("Escape")
    expect(page.locator(PREVIEW)).to_have_count(0)
    assert one.complaints == []
    one.context.close()


def test_the_text_view_is_one_key_away_and_remembered(browser: Browser, house: str) -> None:
    one = guest(browser, DESK)
    seated(one, house)
    page = one.page
    connections: list[str] = []
    page.on("websocket", lambda socket: connections.append(socket.url))
    page.keyboard.press("t")
    expect(page.locator(".board .grids table").first).to_be_visible()
    assert connections == []  # the page has all it needs
    page.reload()
    expect(page.locator(".board")).to_be_visible()
    page.get_by_role("button", name=re.compile("Show as a picture")).click()
    expect(page.locator(".picture")).to_be_visible()
    one.context.close()


def test_why_not_names_the_rule_and_leads_to_it(browser: Browser, house: str) -> None:
    one = guest(browser, DESK)
    seated(one, house)
    page = one.page
    for district in (12, 0, 1):  # two at most, and the start player one
        page.locator(f"[data-piece=district-{district}]").click()
        expect(page.locator(f".bubble, {PREVIEW}").first).to_be_visible()
        if page.locator(PICK).count():
            page.locator(PICK).first.click()
            expect(page.locator(PREVIEW)).to_be_visible()
            expect(page.locator(PILE)).to_be_visible()  # so the house has answered
    expect(page.locator(".bubble.why")).to_contain_text("Why not?")
    points = page.locator(f".picture.points {PILE.removeprefix('.picture ')}")
    expect(points).to_have_css("outline-style", "solid")  # what can be chosen instead
    page.locator(".bubble.why .link").click()
    expect(page.locator("dialog.rules .marked")).to_be_visible()
    one.context.close()


def test_nothing_on_the_page_moves_while_others_play(browser: Browser, house: str) -> None:
    one = guest(browser, PHONE)
    seated(one, house)
    page = one.page
    where = "() => JSON.stringify(document.querySelector('.picture').getBoundingClientRect())"
    before = page.evaluate(where)
    note_layout_shifts(page)
    play_on([one], 12)
    assert layout_shifts(page) == []
    assert page.evaluate(where) == before
    one.context.close()


def test_with_reduced_motion_no_scenes_are_played(browser: Browser, house: str) -> None:
    one = guest(browser, {**DESK, "reduced_motion": "reduce"})
    seated(one, house)
    one.page.evaluate(
        """() => {
        window.scenes = 0;
        const seen = () => (window.scenes += document.querySelectorAll('[data-scene]').length);
        new MutationObserver(seen).observe(document.body, { attributes: true, subtree: true });
    }"""
    )
    play_on([one], 12)
    assert one.page.evaluate("() => window.scenes") == 0
    one.context.close()


READ_OFFERS = """() => {
    if (document.querySelector('.over')) return { panel: null };
    const all = (where) => [...document.querySelectorAll(where)];
    if (all('.move[aria-busy=true], .stage[data-playing], [data-skip]').length) return null;
    const panel = all('.move [data-choice]').map((each) => Number(each.dataset.choice));
    const actions = all('.picture [data-piece]').map((each) => each.dataset.actions.split(' '));
    const picture = actions.flat().filter(Boolean).map(Number);
    return all('.move.mine').length ? { panel, picture } : null;
}"""
"""What panel and picture offer, once it is one's turn; null in the panel when the game is over."""


@pytest.mark.parametrize("game", ["vendetta", "omerta", "sicilianos"])
def test_panel_and_picture_offer_the_same(browser: Browser, house: str, game: str) -> None:
    """Also in the middle of a move; there Vendetta's picture lets one change what is placed."""
    one = guest(browser, {**DESK, "reduced_motion": "reduce"}, seed=7)
    options = {"reactions": "sealed"} if game == "omerta" else {}
    recorder = sit_at_drawn_table(one, house, game, ["random"] * 2, options, PIECE)
    for _ in range(60):
        offers = one.page.wait_for_function(READ_OFFERS).json_value()
        if offers["panel"] is None:
            break
        panel, picture = set(offers["panel"]), set(offers["picture"])
        if game == "vendetta":
            district = {each["action"]: each["group"] for each in recorder.view["choices"]}
            picture -= {action for action in picture - panel if not district[action]}  # as “Do it”
            placed = {district[action] for action in picture - panel}
            assert len(placed) <= 2 or not panel  # after “nobody” one may still place men
            assert not {district.get(action) for action in panel} & placed
            picture = {action for action in picture if district.get(action) not in placed}
        assert picture == panel, picture ^ panel
        one.take_step(hurry=False)
    assert one.complaints == []
    one.context.close()


def test_a_bubble_closes_and_makes_way_for_the_next(browser: Browser, house: str) -> None:
    one = guest(browser, {**DESK, "reduced_motion": "reduce"})
    seated(one, house)
    page, bubble = one.page, one.page.locator(".bubble")
    page.locator("[data-piece=district-0]").hover()
    expect(bubble).to_be_visible()
    page.locator("[data-piece=raid]").hover()
    expect(bubble).to_have_attribute("aria-label", re.compile("raid", re.IGNORECASE))
    bubble.hover()  # it stays open to be read, and closes when the pointer has left it
    page.mouse.move(0, 0)
    expect(bubble).to_have_count(0)
    closings: list[Callable[[], None]] = [
        lambda: page.keyboard.press("Escape"),
        lambda: page.locator("h1").click(),
    ]
    for close in closings:
        page.locator("[data-piece=hand]").hover()
        expect(bubble).to_be_visible()
        close()
        expect(bubble).to_have_count(0)
        page.mouse.move(0, 0)
    one.context.close()


def test_step_by_step_the_page_waits_for_the_player(browser: Browser, house: str) -> None:
    """And the panel shows nothing that the picture has not shown yet."""
    one = guest(browser, DESK)
    seated(one, house)
    page = one.page
    page.locator("select.speed").select_option("step")
    page.locator("[data-piece=pile]").click()
    page.locator(DO_IT).click()
    next_step = page.get_by_role("button", name="Next", exact=True)
    expect(next_step).to_be_visible()
    expect(page.locator(".stage-ask")).to_have_text("Happening now")
    expect(page.locator("#move-title")).to_have_text("Happening now")
    assert page.locator(".move [data-choice]").count() == 0
    told = page.locator(".log li").last.inner_text()
    assert told and told in page.locator(".stage-foot .so-far").inner_text()
    shown = page.locator(".log li").count()
    page.keyboard.press("ArrowRight")
    wait_until(page, lambda: page.locator(".log li").count() > shown, "no next step was shown")
    page.locator("[data-skip]").click()
    expect(next_step).to_have_count(0)
    page.reload()
    expect(page.locator("select.speed")).to_have_value("step")
    assert one.complaints == []
    one.context.close()


def test_leaving_asks_a_whole_question(browser: Browser, house: str) -> None:
    one = guest(browser, DESK)
    seated(one, house)
    page, leave = one.page, one.page.get_by_role("button", name="Leave the table")
    leave.click()
    question = page.get_by_role("dialog")
    expect(question).to_contain_text("A bot will play for you.")
    assert violations(page) == []
    question.get_by_role("button", name="Stay").click()
    expect(question).to_have_count(0)
    leave.click()
    question.get_by_role("button", name="Leave", exact=True).click()
    page.wait_for_url(f"{house}/")
    one.context.close()


def test_holding_a_finger_is_announced_once(browser: Browser, house: str) -> None:
    one = guest(browser, {**PHONE, "reduced_motion": "reduce"})
    seated(one, house)
    note = one.page.get_by_text("Press and hold a piece")
    expect(note).to_be_visible()
    one.page.get_by_role("button", name="Got it").tap()
    expect(note).to_have_count(0)
    one.page.reload()
    expect(one.page.locator(PLAYABLE).first).to_be_visible()
    expect(note).to_have_count(0)
    one.context.close()


def test_a_gesture_is_seen_at_the_seat(browser: Browser, house: str) -> None:
    host, friend = guest(browser, DESK), guest(browser, PHONE)
    code = open_by_api(host.page, house, "vendetta", ["you", "open", "random"], start=False)
    host.page.goto(f"{house}/t/{code}")
    sit_down(friend, house, code, "Ben")
    host.page.get_by_role("button", name="Start the game").click()
    expect(friend.page.locator(".picture .seat-badge")).to_have_count(3)
    gesture = "[data-travels=seat-0] .emote-bubble"
    note_texts(friend.page, gesture)  # it is soon gone
    host.page.get_by_role("button", name="Gestures").click()
    host.page.get_by_role("button", name="raises a glass").click()
    wait_until(friend.page, lambda: noted_texts(friend.page, gesture), "no gesture was shown")
    expect(friend.page.locator(".chat")).to_contain_text("raises a glass")
    for one in (host, friend):
        assert one.complaints == []
        one.context.close()


def test_the_theme_is_remembered(browser: Browser, house: str) -> None:
    one = guest(browser, {**DESK, "color_scheme": "light"})
    one.page.goto(house)
    ink = "() => getComputedStyle(document.body).color"
    light = one.page.evaluate(ink)
    switch = one.page.get_by_role("button", name=re.compile("^Theme: "))
    switch.click()
    switch.click()
    expect(switch).to_have_accessible_name("Theme: Dark")
    dark = one.page.evaluate(ink)
    assert dark != light
    one.page.reload()
    assert one.page.evaluate(ink) == dark
    one.context.close()


def test_the_page_opens_offline_and_keeps_no_data_of_the_house(
    browser: Browser, tmp_path: Path
) -> None:
    with opened(tmp_path / "tables.db") as address:
        one = guest(browser, DESK)
        page = one.page
        page.goto(address)
        page.evaluate("() => navigator.serviceWorker.ready.then(() => null)")
        page.reload()  # through the service worker, which then keeps the files
        expect(page.get_by_role("button", name=re.compile("^Play")).first).to_be_visible()
        kept = page.evaluate(
            "async () => (await (await caches.open('cosca-shell')).keys()).map((one) => one.url)"
        )
    assert kept and not [url for url in kept if "/api/" in url or "/ws/" in url]
    page.reload()  # the house is closed
    expect(page.get_by_text("Cannot reach the house").first).to_be_visible()
    one.context.close()
