"""The drawn table of Sicilianos: played by touching it, and true to what the house says."""

import json
import re
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page, WebSocket, expect

from cosca.games.sicilianos import pieces
from cosca.words import say
from tests.web.browser import DESK, PHONE, violations
from tests.web.guests import OVER, Guest, fits, guest, stand_still
from tests.web.shots import OPEN
from tests.web.test_stage import SHIFTS

BOX: Final = Path(__file__).parents[2] / "web/src/drawn/sicilianos/box.ts"
PLAYABLE: Final = ".picture [data-playable]"
PICK: Final = ".bubble.pick button"
DO_IT: Final = ".stage-foot .primary"
MOST: Final = 2000
"""So many touches at most; a game takes a few hundred."""


def seated(one: Guest, house: str, seats: int = 3, **options: str) -> None:
    """Somebody at a drawn table against bots."""
    one.page.goto(house)
    bots = ["capo", "random", "capo", "random", "capo"][: seats - 1]
    code = one.page.evaluate(OPEN, ["sicilianos", ["you", *bots], options, True])
    one.page.goto(f"{house}/t/{code}")
    expect(one.page.locator(".picture [data-piece=stack-5]")).to_be_visible()


AIM: Final = """([places, over, lot]) => {
    if (document.querySelector(over)) return true;
    document.querySelector('[data-aim]')?.removeAttribute('data-aim');
    if (document.querySelector('.stage[data-playing]')) {
        document.querySelector('.stage-foot .quiet')?.click();
        return false;
    }
    if (document.querySelector('.move[aria-busy=true]')) return false;
    const found = places.map((place) => [...document.querySelectorAll(place)]);
    const some = found.find((things) => things.length > 0) ?? [];
    some[Math.floor(lot * some.length)]?.setAttribute('data-aim', '');
    return some.length > 0;
}"""
"""Marks what to touch next: one of several choices, a piece, or "Do it". Skips what is played.
True once there is something, or nothing any more."""


def aims(one: Guest) -> bool:
    """Wait for something to touch, which is marked; gives whether the game goes on."""
    one.page.wait_for_function(AIM, arg=[[PICK, PLAYABLE, DO_IT], OVER, one.lot.random()])
    return not one.is_over


def touch_on(one: Guest, *, by_finger: bool) -> None:
    """Take a step on the picture, as a hand does it, if the game goes on."""
    if not aims(one):
        return
    aim = one.page.locator("[data-aim]")
    if by_finger:
        aim.tap()
    else:
        aim.click()


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_a_whole_game_is_played_on_the_picture(
    browser: Browser, house: str, size: dict[str, Any]
) -> None:
    one = guest(browser, {**size, "locale": "en-GB"}, seed=3)
    page = one.page
    seated(one, house, notes="1")
    assert violations(page) == []
    looked: set[str] = set()
    for step in range(MOST):
        if one.is_over:
            break
        touch_on(one, by_finger=size is PHONE)
        if step == 12:
            page.locator("select.language").select_option("de")
            expect(page.locator("[data-piece=stack-0]")).to_have_accessible_name(
                re.compile(r"^Stapel Rot")
            )
            page.evaluate(SHIFTS)  # from here on; other words are wider
        scenery = page.locator(".table > .centre").get_attribute("class") or ""
        if scenery not in looked:
            looked.add(scenery)
            assert fits(page)
    assert one.is_over
    stand_still(page)
    assert page.evaluate("() => window.shifts") == []
    won = say("sicilianos.drawn.count", {}, "de")
    expect(page.locator(".ledger caption")).to_have_text(won)
    assert page.locator(".ledger tbody tr").count() == 3
    assert violations(page) == []
    assert fits(page)
    page.get_by_role("link", name=say("client.over.replay", {}, "de")).click()
    expect(page.locator(".controls")).to_be_visible()
    expect(page.locator(".picture .table")).to_be_visible()
    assert violations(page) == []
    assert fits(page)
    assert one.complaints == []
    one.context.close()


def test_many_moves_are_made_with_the_keyboard_alone(browser: Browser, house: str) -> None:
    one = guest(browser, DESK, seed=5)
    page = one.page
    seated(one, house, seats=4)
    page.locator("#main").focus()
    told = page.locator(".log li")
    before, made = told.count(), 0
    for _ in range(MOST):
        if made >= 25 or one.is_over:
            break
        if not aims(one) or not reach(page, one):
            continue
        page.keyboard.press("Enter")
        made += 1
    assert made >= 25 or one.is_over
    assert told.count() > before
    assert one.complaints == []
    one.context.close()


def reach(page: Page, one: Guest) -> bool:
    """With Tab into the picture or to "Do it", then with Home and the arrows to a piece."""
    if page.locator(f"{PICK}:focus").count():
        return True
    in_picture = page.locator(PLAYABLE).count() > 0
    here = ".picture [data-piece]:focus" if in_picture else f"{DO_IT}:focus"
    for _ in range(60):
        if page.locator(here).count():
            break
        page.keyboard.press("Tab")
    if in_picture:
        arrows = [one.lot.choice(["Left", "Right", "Up", "Down"]) for _ in range(3)]
        for key in ("Home", *(f"Arrow{way}" for way in arrows)):
            page.keyboard.press(key)
        return page.locator(f"{PLAYABLE}:focus").count() > 0
    return page.locator(here).count() > 0


# --- The picture and the position ----------------------------------------------------------------

DRAWN: Final = """() => {
    const all = (what) => [...document.querySelectorAll(what)];
    const seats = all('.picture .seat-badge').map((_, seat) => seat);
    const tally = (what) => seats.map((seat) => all(`[${what}="${seat}"]`).length);
    const black = (seat) =>
        Number((document.querySelector(`[data-place="${seat}"]`) ??
                document.querySelector('.purse')).dataset.black);
    const digits = (text) => Number(text.replace(/\\D/g, ''));
    return {
        hands: tally("data-hand"),
        war: tally("data-war"),
        shops: tally("data-shop"),
        black: seats.map(black),
        sizes: all('[data-size]').map((stack) => Number(stack.dataset.size)),
        mine: all('.hand [data-value]').map((card) => Number(card.dataset.value)).toSorted(),
        open: seats.map((seat) => all(`[data-war="${seat}"]`).map((c) => Number(c.dataset.value))),
        purse: all('.purse [data-number]').map((pile) => Number(pile.dataset.number)),
        clean: seats.map((seat) =>
            digits(document.querySelector(`[data-travels=clean-${seat}]`).textContent)),
    };
}"""


def told(position: dict[str, Any], you: int) -> dict[str, Any]:
    """What has to be on the picture of a position."""
    seats = range(len(position["hands"]))
    black = [
        sum(n * worth for n, worth in zip(position["notes"][seat], pieces.NOTE_WORTH, strict=True))
        for seat in seats
    ]
    clean = position["laundered"]
    down = position["face_down"]
    mine = [v + 1 for held in position["mine"] for v in range(pieces.VALUES) if held >> v & 1]
    return {
        "hands": [sum(hand) for hand in position["hands"]],
        "war": [len(position["laid"][seat]) + down[seat] for seat in seats],
        "shops": [sum(owners.count(seat) for owners in position["owners"]) for seat in seats],
        "black": black,
        "sizes": position["sizes"],
        "mine": sorted(mine, key=str),
        "open": [[*position["laid"][seat], *([0] * down[seat])] for seat in seats],
        "purse": position["notes"][you],
        "clean": [n * 1000 if seat == you else n for seat, n in enumerate(clean)],
    }


def test_after_all_scenes_the_picture_is_the_position(browser: Browser, house: str) -> None:
    one = guest(browser, DESK, seed=9)
    page = one.page
    heard: list[dict[str, Any]] = []

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", lambda message: heard.append(json.loads(message)))

    page.on("websocket", listen)
    seated(one, house, seats=4)
    compared = wars = 0
    for _ in range(MOST):
        if (compared >= 20 and wars >= 3) or not aims(one):
            break
        if page.locator(".stage:not(.imagined)").count():
            wars += any(family >= 0 for family in expect_picture(page, heard)["family"])
            compared += 1
        touch_on(one, by_finger=False)  # aimed at again: what was drawn meanwhile may be new
    assert compared >= 20 or one.is_over
    assert wars
    assert one.complaints == []
    one.context.close()


def latest(heard: list[dict[str, Any]]) -> dict[str, Any]:
    """The position that the house has told of last."""
    news = ("sync", "update")
    views = [each["view"] for each in heard if each["type"] in news and each.get("view")]
    position: dict[str, Any] = views[-1]["position"]
    return position


def expect_picture(page: Page, heard: list[dict[str, Any]]) -> dict[str, Any]:
    """What is drawn is what was told, which is given; a new view takes a moment to be drawn."""
    for _ in range(400):
        position = latest(heard)
        drawn, wanted = page.evaluate(DRAWN), told(position, 0)
        if drawn == wanted:
            return position
        page.evaluate("() => new Promise(requestAnimationFrame)")
    raise AssertionError(f"{drawn} is drawn for {wanted}")


def test_the_cards_show_what_the_rules_know() -> None:
    text = BOX.read_text(encoding="utf-8")
    second, hits = (
        json.loads(
            re.sub(
                r",(\s*\])",
                r"\1",
                text.split(f"export const {name}")[1].split("= ")[1].split(";")[0],
            )
        )
        for name in ("SECOND", "HITS")
    )
    assert second == pieces.SECOND
    assert [
        [sum(1 << colour for colour in each) for each in table] for table in hits
    ] == pieces.HITS
