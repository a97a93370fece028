"""The drawn table of Sicilianos: it is played by touching it, and shows the position."""

import json
import re
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, ElementHandle, Page, expect

from cosca.games.sicilianos import pieces
from cosca.words import say
from tests.web.browser import DESK, PHONE, violations
from tests.web.drawn import (
    DO_IT,
    PICK,
    PLAYABLE,
    PREVIEW,
    Touch,
    ViewRecorder,
    sit_at_drawn_table,
    touch_if_there,
    wait_for_picture,
)
from tests.web.guests import OVER, Guest, fits, guest, wait_until_still
from tests.web.observing import layout_shifts, note_layout_shifts

BOX: Final = Path(__file__).parents[2] / "web/src/drawn/sicilianos/box.ts"
MOST_TOUCHES: Final = 2000
"""More than any game needs: a few hundred."""


def seated(one: Guest, house: str, seats: int = 3, **options: str) -> ViewRecorder:
    """Sit down at a drawn table against bots."""
    bots = ["capo", "random", "capo", "random", "capo"][: seats - 1]
    piece = ".picture [data-piece=stack-5]"
    return sit_at_drawn_table(one, house, "sicilianos", bots, options, piece)


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
"""Skips scenes, and marks what to touch next: one of several choices, a piece, or "Do it".
True once something is marked, or the game is over."""


def aim(one: Guest) -> bool:
    """Wait for something to touch, and mark it; return whether the game goes on."""
    one.page.wait_for_function(AIM, arg=[[PICK, PLAYABLE, DO_IT], OVER, one.rng.random()])
    return not one.is_over


def aim_and_touch(one: Guest, touch: Touch = ElementHandle.click) -> None:
    """Take a step on the picture, if the game goes on."""
    if aim(one):
        touch_if_there(one.page, "[data-aim]", touch)


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_a_whole_game_is_played_on_the_picture(
    browser: Browser, house: str, size: dict[str, Any]
) -> None:
    one = guest(browser, {**size, "locale": "en-GB"}, seed=3)
    page = one.page
    seated(one, house, notes="1")
    assert violations(page) == []
    looked: set[str] = set()
    for step in range(MOST_TOUCHES):
        if one.is_over:
            break
        aim_and_touch(one, ElementHandle.tap if size is PHONE else ElementHandle.click)
        if step == 12:
            page.locator("select.language").select_option("de")
            expect(page.locator("[data-piece=stack-0]")).to_have_accessible_name(
                re.compile(r"^Stapel Rot")
            )
            round_ = say("sicilianos.about.round", {}, "de")  # the house writes it
            expect(page.locator("#stage-title")).to_contain_text(round_)
            note_layout_shifts(page)  # from here on; other words are wider
        scenery = page.locator(".table > .centre").get_attribute("class") or ""
        if scenery not in looked:
            looked.add(scenery)
            assert fits(page)
    assert one.is_over
    wait_until_still(page)
    assert layout_shifts(page) == []
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
    log = page.locator(".log li")
    before, made = log.count(), 0
    for _ in range(MOST_TOUCHES):
        if made >= 25 or one.is_over:
            break
        if not aim(one) or not reach(page, one):
            continue
        page.keyboard.press("Enter")
        made += 1
    assert made >= 25 or one.is_over
    expect(log.nth(before)).to_be_attached()
    assert one.complaints == []
    one.context.close()


def reach(page: Page, one: Guest) -> bool:
    """Go by Tab into the picture or to "Do it", then by Home and arrows to a piece.

    Return whether something that can be played has the focus.
    """
    if page.locator(f"{PICK}:focus").count():
        return True
    in_picture = page.locator(PLAYABLE).count() > 0
    here = ".picture [data-piece]:focus" if in_picture else f"{DO_IT}:focus"
    for _ in range(60):
        if page.locator(here).count():
            break
        page.keyboard.press("Tab")
    if in_picture:
        arrows = [one.rng.choice(["Left", "Right", "Up", "Down"]) for _ in range(3)]
        for key in ("Home", *(f"Arrow{way}" for way in arrows)):
            page.keyboard.press(key)
        return page.locator(f"{PLAYABLE}:focus").count() > 0
    return page.locator(here).count() > 0


# --- The picture and the position ----------------------------------------------------------------

READ_PICTURE: Final = """() => {
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


def expected_picture(position: dict[str, Any], you: int) -> dict[str, Any]:
    """Return what has to be on the picture of a position."""
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
    recorder = seated(one, house, seats=4)
    compared = wars = 0
    for _ in range(MOST_TOUCHES):
        if (compared >= 20 and wars >= 3) or not aim(one):
            break
        if page.locator(PREVIEW).count() == 0:
            must_be_true(page, recorder)
            wars += any(family >= 0 for family in recorder.position["family"])
            compared += 1
        aim_and_touch(one)  # aimed at again: what was drawn meanwhile may be new
    assert compared >= 20 or one.is_over
    assert wars
    assert one.complaints == []
    one.context.close()


def must_be_true(page: Page, recorder: ViewRecorder) -> None:
    """Wait until the picture shows what the house has sent last."""

    def difference() -> str:
        drawn, expected = page.evaluate(READ_PICTURE), expected_picture(recorder.position, 0)
        return "" if drawn == expected else f"{drawn} is drawn for {expected}"

    wait_for_picture(page, difference)


def test_the_cards_show_the_values_of_the_rules() -> None:
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
