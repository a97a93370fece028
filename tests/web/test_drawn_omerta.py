"""Omerta on the drawn table: whole games by touching cards, and a picture that is always true."""

import re
from collections.abc import Callable
from random import Random
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, ElementHandle, Page, Position, expect

from cosca.words import say
from tests.web.browser import DESK, PHONE, violations
from tests.web.drawn import (
    DO_IT,
    PICK,
    PLAYABLE,
    PREVIEW,
    ViewRecorder,
    sit_at_drawn_table,
    touch_if_there,
    wait_for_picture,
)
from tests.web.guests import OVER, Guest, fits, guest, play_on, play_until
from tests.web.observing import layout_shifts, note_layout_shifts, note_texts, noted_texts

MOST_TOUCHES: Final = 600
TOUCHES_BEFORE_CALL: Final = 25
"""Touches before Omerta is called, so that a game has some turns."""
ANYTHING_TO_TOUCH: Final = f"""() => {{
    document.querySelector('.stage-foot .quiet')?.click();
    return document.querySelector('{PLAYABLE}, {PICK}, {DO_IT}, {OVER}');
}}"""
READ_CONTROLS: Final = f"""() => ({{
    is_over: document.querySelector('{OVER}') !== null,
    is_whole: document.querySelector('{DO_IT}') !== null,
    picks: document.querySelectorAll('{PICK}').length,
    pieces: [...document.querySelectorAll('{PLAYABLE}')].map((piece) => piece.dataset.piece),
}})"""
SKIP_AND_UNDO: Final = f"""() => {{
    document.querySelector('.stage-foot .quiet, {PREVIEW} .stage-foot button:last-child')?.click();
}}"""
READ_PICTURE: Final = """() => {
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

PLAYING_BEFORE_OWN_TURN: Final = """() => Boolean(
    document.querySelector('.stage[data-playing]')
    && document.querySelector('.move [data-skip].primary') && !document.querySelector('.held'))"""
CATCHING: Final = """() => document.querySelector('.picture').getAnimations({ subtree: true })
    .filter((each) => each.effect.getKeyframes().some((frame) => 'translate' in frame))
    .map((each) => getComputedStyle(each.effect.target).pointerEvents !== 'none')"""
"""Of each piece that flies now: whether it would catch a click."""


def must_be_true(page: Page, recorder: ViewRecorder) -> None:
    """Wait until the picture shows what the house has sent last, and no card more."""

    def wrong() -> str:
        return difference(page.evaluate(READ_PICTURE), recorder.view)

    wait_for_picture(page, wrong, SKIP_AND_UNDO)


def difference(shown: dict[str, Any], view: dict[str, Any]) -> str:
    """Return in what a picture differs from the position."""
    at = view["position"]
    expected = {
        "totals": at["totals"],
        "mammas": [by >= 0 for by in at["mammas"]],
        "guards": [sum(p[0] == seat for p in at["patrols"]) for seat in range(len(at["rows"]))],
        "top": [at["top"]] if at["discarded"] else [],
        "held": int(at["held"] != -2),
        "pile": at["pile_count"],
        "discarded": at["discarded"],
    }
    wrong = [
        f"{key}: {shown[key]}, not {value}"
        for key, value in expected.items()
        if shown[key] != value
    ]
    seen = {sight["params"]["card"] for sight in view["sights"]} | learnt(at)
    for one, other in zip([*shown["rows"], shown["safe"]], [*at["rows"], at["safe"]], strict=True):
        if len(one) != len(other):
            wrong.append(f"{one} for {other}")
        for kind, true in zip(one, other, strict=False):
            if kind != true and (true >= 0 or kind not in seen):
                wrong.append(f"{one} for {other}")
    return "; ".join(wrong)


def learnt(at: dict[str, Any]) -> set[int]:
    """Return the cards that the house remembers for a player, if it does."""
    return {track[1] for track in at["learnt"][3]} if "learnt" in at else set()


def seated(
    one: Guest, house: str, options: dict[str, str], bots: int = 3, *, bot: str = "random"
) -> ViewRecorder:
    """Sit down at a drawn table against bots, and wait until it is one's turn."""
    return sit_at_drawn_table(one, house, "omerta", [bot] * bots, options, PLAYABLE)


Way = Callable[[Page, str], None]
"""How a piece is touched: with a mouse, a finger or keys."""
LEFT_EDGE: Final[Position] = {"x": 5, "y": 12}
"""Where a card can be touched: in a long row the next card covers the rest of it."""


def by_mouse(page: Page, piece: str) -> None:
    touch_if_there(page, piece, lambda found: found.click(position=LEFT_EDGE))


def by_finger(page: Page, piece: str) -> None:
    touch_if_there(page, piece, lambda found: found.tap(position=LEFT_EDGE))


def by_keys(page: Page, piece: str) -> None:
    """Go there by arrows, as far as they lead; any piece on the way is as good."""
    if not page.locator(".stage :focus").count():
        page.locator(".picture [data-piece][tabindex='0']").focus()
    for key in ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"):
        page.keyboard.press(key)
        if page.locator(f"{piece}:focus").count():
            break
    page.keyboard.press("Enter")


def press_enter(found: ElementHandle) -> None:
    found.press("Enter")


def confirm(page: Page) -> None:
    """Make the move that was put together, unless it was an answer, which needs no confirmation."""
    page.wait_for_function(f"() => document.querySelector('{DO_IT}, .stage[data-playing]')")
    touch_if_there(page, DO_IT, press_enter)


def step(page: Page, rng: Random, way: Way, *, may_call: bool) -> bool:
    """Touch something that can be touched; return whether the game goes on."""
    page.wait_for_function(ANYTHING_TO_TOUCH)
    controls = page.evaluate(READ_CONTROLS)
    if controls["is_over"]:
        return False
    if controls["is_whole"]:
        touch_if_there(page, DO_IT, press_enter)
        expect(page.locator(DO_IT)).to_have_count(0)
    elif controls["picks"]:
        number = rng.randrange(controls["picks"])
        touch_if_there(page, f"{PICK} >> nth={number}", press_enter)
    elif controls["pieces"]:  # else somebody was faster
        called = [piece for piece in controls["pieces"] if piece == "say-call"]
        others = [piece for piece in controls["pieces"] if piece != "say-call"]
        wanted = rng.choice(called if may_call and called else others or called)
        way(page, f'.picture [data-piece="{wanted}"]')
    return True


@pytest.mark.parametrize(
    ("size", "way", "bots"), [(DESK, by_mouse, 3), (PHONE, by_finger, 4)], ids=["mouse", "finger"]
)
def test_a_match_is_played_by_touching_cards(
    browser: Browser, house: str, size: dict[str, Any], way: Way, bots: int
) -> None:
    one = guest(browser, size)
    recorder = seated(one, house, {"games": "2", "reactions": "sealed", "first_call": "3"}, bots)
    page, rng = one.page, Random(5)
    assert violations(page) == []
    must_be_readable_while_busy(page)
    for number in range(MOST_TOUCHES):
        may_call = number % (2 * TOUCHES_BEFORE_CALL) > TOUCHES_BEFORE_CALL
        if not step(page, rng, way, may_call=may_call):
            break
        if number == 10:
            in_another_language(page)
            note_layout_shifts(page)  # from here on; other words are wider
        if number % 20 == 5:
            assert fits(page)
        if number == 30:
            assert violations(page) == []
    expect(page.locator(".over .result")).to_be_visible()
    must_be_true(page, recorder)
    assert recorder.view["position"]["game"] == 2
    look_at_the_end(page, 1 + bots)
    assert layout_shifts(page) == []
    assert violations(page) == []
    assert fits(page)
    assert one.complaints == []
    one.context.close()


def must_be_readable_while_busy(page: Page) -> None:
    """While a request is pending, the choices are dimmed, but not too much."""
    panel = page.locator(".move.mine")
    panel.evaluate("panel => panel.setAttribute('aria-busy', 'true')")
    assert violations(page) == []
    panel.evaluate("panel => panel.setAttribute('aria-busy', 'false')")


def in_another_language(page: Page) -> None:
    """Switch the language and back: everything is translated, also what the house writes."""
    page.locator("select.language").select_option("de")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    safe, title = page.locator('[data-piece="safe"]'), page.locator("#stage-title")
    expect(safe).to_have_attribute("aria-label", say("omerta.drawn.safe", {}, "de"))
    expect(title).to_contain_text(say("omerta.about.round", {}, "de"))
    page.locator("select.language").select_option("en")
    expect(title).to_contain_text(re.compile(say("omerta.about.round", {}), re.IGNORECASE))
    expect(safe).to_have_attribute("aria-label", say("omerta.drawn.safe", {}, "en"))


def look_at_the_end(page: Page, seats: int) -> None:
    """The result of the last game can be opened after its scene is over."""
    page.locator(".ledger").press("Enter")
    ending = page.get_by_label(say("omerta.drawn.lastGame", {})).locator("li")
    expect(ending).to_have_count(seats)
    assert violations(page) == []
    page.get_by_role("button", name=say("omerta.drawn.close", {})).press("Enter")
    expect(ending).to_have_count(0)


def test_a_game_is_played_with_keys_alone(browser: Browser, house: str) -> None:
    one = guest(browser, DESK)
    recorder = seated(one, house, {"games": "1", "reactions": "sealed"}, bots=2)
    page, rng = one.page, Random(2)
    for number in range(MOST_TOUCHES):
        if not step(page, rng, by_keys, may_call=number > TOUCHES_BEFORE_CALL):
            break
    expect(page.locator(".over .result")).to_be_visible()
    must_be_true(page, recorder)
    assert one.complaints == []
    one.context.close()


@pytest.mark.parametrize("reactions", ["live", "sealed"])
def test_the_picture_is_the_table_after_every_move(
    browser: Browser, house: str, reactions: str
) -> None:
    """Also when scenes are skipped, and while a player is looking at cards."""
    one = guest(browser, DESK)
    recorder = seated(one, house, {"games": "1", "reactions": reactions, "first_call": "9"})
    page, rng = one.page, Random(4)
    for _ in range(25):
        play_on([one], 1)
        if rng.random() < 0.4:
            must_be_true(page, recorder)
    must_be_true(page, recorder)
    assert one.complaints == []
    one.context.close()


COUNTDOWN: Final = ".discards .ring ~ .count"


EXPERIENCED: Final = """
localStorage.setItem("cosca.untimed", "-");
localStorage.setItem("cosca.windows", "3");
"""
"""Makes a browser one whose player has seen reaction windows before."""


def test_the_first_game_has_no_clock_unless_it_is_asked_for(browser: Browser, house: str) -> None:
    one = guest(browser, {**DESK, "reduced_motion": "reduce"})
    seated(one, house, {"games": "1", "reactions": "live", "first_call": "9"}, bots=2)
    page = one.page
    waits = page.get_by_text(say("client.move.raceUntimed", {}))
    play_until([one], lambda: waits.count() > 0)
    expect(waits).to_be_visible()
    expect(page.locator(COUNTDOWN)).to_have_count(0)
    costs = [say(f"omerta.meaning.{window}", {}) for window in ("snap", "assassin")]
    assert any(cost in page.locator(".meaning").inner_text() for cost in costs)
    page.get_by_role("button", name=say("client.move.raceUseClock", {})).click()
    expect(page.locator(COUNTDOWN)).to_be_visible()
    start = page.get_by_role("button", name=say("client.move.raceStart", {}))
    play_until([one], lambda: start.count() > 0)  # later windows wait until the player is ready
    expect(page.locator(COUNTDOWN)).to_have_count(0)
    start.click()
    expect(page.locator(COUNTDOWN)).to_be_visible()
    assert one.complaints == []
    one.context.close()


def test_a_ring_runs_down_while_the_fastest_reaction_counts(browser: Browser, house: str) -> None:
    one = guest(browser, {**DESK, "reduced_motion": "reduce"})
    one.context.add_init_script(EXPERIENCED)
    options = {"games": "1", "reactions": "live", "first_call": "9"}
    seated(one, house, options, bots=2, bot="smemorato")  # who does not snap at everything
    page = one.page
    note_texts(page, COUNTDOWN)

    def has_run_down() -> bool:
        """Leave a window open until it has counted, or somebody else has ended it."""
        page.wait_for_function(
            f"() => !document.querySelector('{COUNTDOWN}') || window.notedTexts['{COUNTDOWN}'][1]"
        )
        return len(noted_texts(page, COUNTDOWN)) > 1

    play_until([one], has_run_down)
    seconds = [int(text) for text in noted_texts(page, COUNTDOWN)]
    assert seconds == sorted(seconds, reverse=True)
    assert 1 <= seconds[1] < seconds[0] <= 8
    assert one.complaints == []
    one.context.close()


def test_a_click_that_skips_a_scene_makes_its_move_too(browser: Browser, house: str) -> None:
    """Cards that fly over the pile meanwhile do not catch the click."""
    one = guest(browser, DESK)
    options = {"games": "1", "reactions": "sealed", "first_call": "9"}
    recorder = seated(one, house, options, bots=2)
    page, rng = one.page, Random(3)
    flying: list[bool] = []

    def may_draw_while_scenes_play() -> bool:
        is_playing = page.evaluate(PLAYING_BEFORE_OWN_TURN)
        page.wait_for_timeout(0)  # so that the recorder has heard all that the page has
        return is_playing and any(each["name"] == "draw" for each in recorder.view["choices"])

    while len(flying) < 3:
        if not may_draw_while_scenes_play():
            assert step(page, rng, by_mouse, may_call=False)
            continue
        page.locator('[data-piece="pile"]').hover()
        page.mouse.down()
        flying += page.evaluate(CATCHING)
        page.mouse.up()
        expect(page.locator(PREVIEW)).to_be_visible()
    assert not any(flying)
    one.context.close()


@pytest.mark.parametrize("memory", ["own", "aided"])
def test_what_was_seen_is_shown_again_only_where_the_house_remembers(
    browser: Browser, house: str, memory: str
) -> None:
    one = guest(browser, DESK)
    options = {"games": "1", "reactions": "sealed", "memory": memory, "first_call": "9"}
    recorder = seated(one, house, options, bots=2)
    page = one.page
    for slot in (0, 3):
        by_mouse(page, f'[data-piece="card-0-{slot}"]')
    confirm(page)
    faces = page.locator(".picture .near .lies:not([data-kind='-1'])")
    expect(faces).to_have_count(2)
    page.wait_for_function(ANYTHING_TO_TOUCH)
    while recorder.view["position"]["phase"] != "turn" or not recorder.view["choices"]:
        page.wait_for_function(ANYTHING_TO_TOUCH)
        passed = page.locator(
            ".picture [data-piece^='say-no'], .picture [data-piece='say-decline']"
        )
        if passed.count():
            passed.first.press("Enter")
        page.evaluate(SKIP_AND_UNDO)
    pile = page.locator('[data-piece="pile"][data-playable]')
    pile.click(position=LEFT_EDGE)  # the own next move, and the sight is over
    confirm(page)
    expect(page.locator(".held")).to_be_visible()
    expect(faces).to_have_count(2 if memory == "aided" else 0)
    assert page.locator(".picture .near .memory").count() == (2 if memory == "aided" else 0)
    one.context.close()
