"""Omerta on the drawn table: whole games by touching cards, and a picture that is always true."""

import json
import re
from collections.abc import Callable
from random import Random
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page, WebSocket, expect

from cosca.words import say
from tests.web.browser import DESK, PHONE, violations
from tests.web.guests import Guest, fits, guest
from tests.web.shots import OPEN
from tests.web.test_stage import SHIFTS

MOST_TOUCHES: Final = 600
PATIENT: Final = 25
"""So many touches before Omerta is called."""
READY: Final = "[data-playable]"
SOMETHING: Final = """() => document.querySelector(
    '.picture [data-playable], .bubble.pick button, .stage-foot .primary, .over .result')"""
STATE: Final = """() => ({
    over: document.querySelector('.over .result') !== null,
    whole: document.querySelector('.stage-foot .primary') !== null,
    picks: document.querySelectorAll('.bubble.pick button').length,
    pieces: [...document.querySelectorAll('.picture [data-playable]')]
        .map((one) => one.dataset.piece),
})"""
LEAVE: Final = """() => {
    document.querySelector('.stage-foot .quiet, .stage.imagined .stage-foot button:last-child')
        ?.click();
}"""
SHOWN: Final = """() => {
    const all = (where, what) => [...document.querySelectorAll(where)].map(what);
    const kind = (one) => Number(one.dataset.kind);
    const kinds = (root) => [...root.querySelectorAll('.slot .lies')].map(kind);
    const seat = (one) => Number(one.dataset.seat);
    const players = all('.picture .player', (one) => one).sort((one, two) => seat(one) - seat(two));
    const [pile] = all('.picture .pile', (one) => Number(one.dataset.count));
    const [discarded] = all('.heap', (one) => Number(one.dataset.count));
    return {
        rows: players.map(kinds),
        totals: players.map((one) => Number(one.querySelector('.total').dataset.total)),
        mammas: players.map((one) => one.querySelector(':scope > .mamma') !== null),
        guards: players.map((one) => one.querySelectorAll('.guard').length),
        safe: all('.shelf .lies', (one) => Number(one.dataset.kind)),
        top: all('.heap .uppermost', (one) => Number(one.dataset.kind)),
        held: all('.held, .hand', () => 1).length,
        pile,
        discarded,
    };
}"""

PLAYING_BEFORE_DRAWING: Final = """() => Boolean(
    document.querySelector('.stage[data-playing]')
    && document.querySelector('.picture [data-piece="pile"][data-playable]'))"""
CATCHING: Final = """() => document.querySelector('.picture').getAnimations({ subtree: true })
    .filter((each) => each.effect.getKeyframes().some((frame) => 'translate' in frame))
    .map((each) => getComputedStyle(each.effect.target).pointerEvents !== 'none')"""
"""Of each piece that flies now: whether it would catch a click."""


class Watched:
    """A guest whose line is read along: what the house told last is what is to be drawn."""

    def __init__(self, one: Guest) -> None:
        self.one = one
        self.page = one.page
        self.view: dict[str, Any] = {}
        one.page.on("websocket", self._listen)

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda told: self._hear(json.loads(told)))

    def _hear(self, told: dict[str, Any]) -> None:
        if told["type"] in ("sync", "update") and told.get("view"):
            self.view = told["view"]

    def skip(self) -> None:
        """See no scene to its end, and make no move by halves."""
        self.page.evaluate(LEAVE)

    def is_true(self) -> bool:
        """Whether the picture shows what the house told last, and no card more."""
        return difference(self.page.evaluate(SHOWN), self.view) == ""

    def must_be_true(self) -> None:
        """Wait until nothing is on its way; then the picture is the table."""
        for _ in range(400):
            self.skip()
            if self.is_true():
                return
            self.page.evaluate("() => new Promise(requestAnimationFrame)")
        raise AssertionError(difference(self.page.evaluate(SHOWN), self.view))


def difference(shown: dict[str, Any], view: dict[str, Any]) -> str:
    """What a picture shows otherwise than the position says."""
    at = view["position"]
    told = {
        "totals": at["totals"],
        "mammas": [by >= 0 for by in at["mammas"]],
        "guards": [sum(p[0] == seat for p in at["patrols"]) for seat in range(len(at["rows"]))],
        "top": [at["top"]] if at["discarded"] else [],
        "held": int(at["held"] != -2),
        "pile": at["pile_count"],
        "discarded": at["discarded"],
    }
    wrong = [f"{key}: {shown[key]}, not {told[key]}" for key in told if shown[key] != told[key]]
    seen = {sight["params"]["card"] for sight in view["sights"]} | learnt(at)
    for one, other in zip([*shown["rows"], shown["safe"]], [*at["rows"], at["safe"]], strict=True):
        if len(one) != len(other):
            wrong.append(f"{one} for {other}")
        for kind, true in zip(one, other, strict=False):
            if kind != true and (true >= 0 or kind not in seen):
                wrong.append(f"{one} for {other}")
    return "; ".join(wrong)


def learnt(at: dict[str, Any]) -> set[int]:
    """What the house remembers for a guest, where it does."""
    return {track[1] for track in at["learnt"][3]} if "learnt" in at else set()


def seated(one: Guest, house: str, options: dict[str, str], bots: int = 3) -> Watched:
    """Somebody at a drawn table against bots."""
    watched = Watched(one)
    one.page.goto(house)
    code = one.page.evaluate(OPEN, ["omerta", ["you", *["random"] * bots], options, True])
    one.page.goto(f"{house}/t/{code}")
    expect(one.page.locator(f".picture {READY}").first).to_be_visible()
    return watched


Touch = Callable[[Page, str], None]


def by_mouse(page: Page, where: str) -> None:
    """Where rows are long, only the left edge of a card is to be seen."""
    page.locator(where).click(position={"x": 5, "y": 12})


def by_finger(page: Page, where: str) -> None:
    page.locator(where).tap(position={"x": 5, "y": 12})


def by_keys(page: Page, where: str) -> None:
    """Go there by arrows, as far as they lead; any piece on the way is as good."""
    if not page.locator(".stage :focus").count():
        page.locator(".picture [data-piece][tabindex='0']").focus()
    for key in ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"):
        page.keyboard.press(key)
        if page.locator(f"{where}:focus").count():
            break
    page.keyboard.press("Enter")


def step(page: Page, lot: Random, touch: Touch, *, may_call: bool) -> bool:
    """Touch one thing that can be touched; whether there is more to come."""
    page.wait_for_function(SOMETHING, timeout=30_000)
    state = page.evaluate(STATE)
    if state["over"]:
        return False
    if state["whole"]:
        page.locator(".stage-foot .primary").press("Enter")
        expect(page.locator(".stage-foot .primary")).to_have_count(0)
    elif state["picks"]:
        page.locator(".bubble.pick button").nth(lot.randrange(state["picks"])).press("Enter")
    elif state["pieces"]:  # else somebody was faster
        called = [piece for piece in state["pieces"] if piece == "say-call"]
        others = [piece for piece in state["pieces"] if piece != "say-call"]
        wanted = lot.choice(called if may_call and called else others or called)
        touch(page, f'.picture [data-piece="{wanted}"]')
    return True


@pytest.mark.parametrize(
    ("size", "touch", "bots"), [(DESK, by_mouse, 3), (PHONE, by_finger, 4)], ids=["mouse", "finger"]
)
def test_a_match_is_played_by_touching_cards(
    browser: Browser, house: str, size: dict[str, Any], touch: Touch, bots: int
) -> None:
    one = guest(browser, size)
    watched = seated(one, house, {"games": "2", "reactions": "sealed", "first_call": "3"}, bots)
    page, lot = one.page, Random(5)
    assert violations(page) == []
    must_be_readable_while_busy(page)
    for number in range(MOST_TOUCHES):
        if not step(page, lot, touch, may_call=number % (2 * PATIENT) > PATIENT):
            break
        if number == 10:
            in_another_language(watched)
            page.evaluate(SHIFTS)  # from here on; other words are wider
        if number % 20 == 5:
            assert fits(page)
        if number == 30:
            assert violations(page) == []
    expect(page.locator(".over .result")).to_be_visible()
    watched.must_be_true()
    assert watched.view["position"]["game"] == 2
    look_at_the_end(page, 1 + bots)
    assert page.evaluate("() => window.shifts") == []
    assert violations(page) == []
    assert fits(page)
    assert one.complaints == []
    one.context.close()


def must_be_readable_while_busy(page: Page) -> None:
    """What may be done is dimmed while the house is asked, but not too much."""
    panel = page.locator(".move.mine")
    panel.evaluate("panel => panel.setAttribute('aria-busy', 'true')")
    assert violations(page) == []
    panel.evaluate("panel => panel.setAttribute('aria-busy', 'false')")


def in_another_language(watched: Watched) -> None:
    """All is told anew, and nothing on the table has moved."""
    page = watched.page
    page.locator("select.language").select_option("de")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    safe, title = page.locator('[data-piece="safe"]'), page.locator("#stage-title")
    expect(safe).to_have_attribute("aria-label", say("omerta.drawn.safe", {}, "de"))
    expect(title).to_contain_text(say("omerta.about.round", {}, "de"))  # the house tells it too
    page.locator("select.language").select_option("en")
    expect(title).to_contain_text(re.compile(say("omerta.about.round", {}), re.IGNORECASE))
    expect(safe).to_have_attribute("aria-label", say("omerta.drawn.safe", {}, "en"))


def look_at_the_end(page: Page, seats: int) -> None:
    """How it ended can be looked at when the scene is long over."""
    page.locator(".ledger").press("Enter")
    ending = page.get_by_label(say("omerta.drawn.lastGame", {})).locator("li")
    expect(ending).to_have_count(seats)
    assert violations(page) == []
    page.get_by_role("button", name=say("omerta.drawn.close", {})).press("Enter")
    expect(ending).to_have_count(0)


def test_a_game_is_played_with_keys_alone(browser: Browser, house: str) -> None:
    one = guest(browser, DESK)
    watched = seated(one, house, {"games": "1", "reactions": "sealed"}, bots=2)
    lot = Random(2)
    for number in range(MOST_TOUCHES):
        if not step(one.page, lot, by_keys, may_call=number > PATIENT):
            break
    expect(one.page.locator(".over .result")).to_be_visible()
    watched.must_be_true()
    assert one.complaints == []
    one.context.close()


@pytest.mark.parametrize("reactions", ["live", "sealed"])
def test_the_picture_is_the_table_after_every_move(
    browser: Browser, house: str, reactions: str
) -> None:
    """Also in the middle of scenes that are skipped, and under eyes that see cards now."""
    one = guest(browser, DESK)
    watched = seated(one, house, {"games": "1", "reactions": reactions, "first_call": "9"})
    lot = Random(4)
    for _ in range(60):
        one.click_on(hurry=False)
        if lot.random() < 0.4:
            watched.must_be_true()
    watched.must_be_true()
    assert one.complaints == []
    one.context.close()


def test_a_ring_runs_down_while_the_fastest_hand_counts(browser: Browser, house: str) -> None:
    one = guest(browser, {**DESK, "reduced_motion": "reduce"})
    seated(one, house, {"games": "1", "reactions": "live", "first_call": "9"}, bots=2)
    page, lot = one.page, Random(1)
    for _ in range(MOST_TOUCHES):
        if page.locator(".discards .ring").count():
            break
        assert step(page, lot, by_mouse, may_call=False)
    expect(page.locator(".discards .count")).to_have_text(re.compile("[1-8]"))
    assert one.complaints == []
    one.context.close()


def test_a_click_that_skips_a_scene_makes_its_move_too(browser: Browser, house: str) -> None:
    """Cards that fly over the pile meanwhile do not catch the click."""
    one = guest(browser, DESK)
    seated(one, house, {"games": "1", "reactions": "sealed", "first_call": "9"}, bots=2)
    page, lot = one.page, Random(3)
    flying: list[bool] = []
    while len(flying) < 3:
        page.wait_for_function(SOMETHING)
        if not page.evaluate(PLAYING_BEFORE_DRAWING):
            assert step(page, lot, by_mouse, may_call=False)
            continue
        page.locator('[data-piece="pile"]').hover()
        page.mouse.down()
        flying += page.evaluate(CATCHING)
        page.mouse.up()
        expect(page.locator(".held")).to_be_visible()
    assert not any(flying)
    one.context.close()


@pytest.mark.parametrize("memory", ["own", "aided"])
def test_what_was_seen_is_shown_again_only_where_the_house_remembers(
    browser: Browser, house: str, memory: str
) -> None:
    one = guest(browser, DESK)
    options = {"games": "1", "reactions": "sealed", "memory": memory, "first_call": "9"}
    watched = seated(one, house, options, bots=2)
    page = one.page
    for slot in (0, 3):
        by_mouse(page, f'[data-piece="card-0-{slot}"]')
    faces = page.locator(".picture .near .lies:not([data-kind='-1'])")
    expect(faces).to_have_count(2)
    page.wait_for_function(SOMETHING)
    while watched.view["position"]["phase"] != "turn" or not watched.view["choices"]:
        page.wait_for_function(SOMETHING)
        passed = page.locator(
            ".picture [data-piece^='say-no'], .picture [data-piece='say-decline']"
        )
        if passed.count():
            passed.first.press("Enter")
        watched.skip()
    by_mouse(page, f'[data-piece="pile"]{READY}')  # the own next move, and the sight is over
    expect(page.locator(".held")).to_be_visible()
    expect(faces).to_have_count(2 if memory == "aided" else 0)
    assert page.locator(".picture .near .memory").count() == (2 if memory == "aided" else 0)
    one.context.close()
