"""The drawn table of Vendetta: games by mouse, touch and keys, and a picture of the position."""

import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from cosca.words import say
from tests.web.browser import DESK, PHONE, violations
from tests.web.drawn import (
    PICK,
    PLAYABLE,
    PREVIEW,
    ViewRecorder,
    leave_pieces,
    sit_at_drawn_table,
    wait_for_picture,
)
from tests.web.guests import OVER, Guest, fits, guest, wait_until_still

DISTRICTS = f"{PLAYABLE}[data-piece^=district-]"
PILE = f"{PLAYABLE}[data-piece=pile]"
MOST_TURNS = 60

Touch = Callable[[Locator], None]


def seated(
    one: Guest, house: str, seats: int = 4, *, bot: str = "random", **options: str
) -> ViewRecorder:
    """Sit down at a drawn table against bots, and wait until it is one's turn."""
    bots = [bot] * (seats - 1)
    return sit_at_drawn_table(one, house, "vendetta", bots, options, DISTRICTS)


def click(piece: Locator) -> None:
    leave_pieces(piece.page)
    piece.click()


def wait_for_own_turn(page: Page) -> None:
    """Wait for one's own turn or the end of the game, without scenes."""
    expect(page.locator(f"{PILE}, {OVER}").first).to_be_visible()
    page.keyboard.press("Escape")
    wait_until_still(page)


def place(one: Guest, touch: Touch) -> None:
    """Place some men in a district, if there is one that takes them."""
    offered = one.page.locator(DISTRICTS)
    if offered.count() == 0:
        return
    touch(offered.nth(one.rng.randrange(offered.count())))
    expect(one.page.locator(f"{PICK}, {PREVIEW}").first).to_be_visible()
    numbers = one.page.locator(PICK)
    if numbers.count():
        touch(numbers.nth(min(one.rng.randrange(3), numbers.count() - 1)))
    expect(one.page.locator(PICK)).to_have_count(0)
    expect(one.page.locator(PREVIEW)).to_be_visible()
    expect(one.page.locator(PILE)).to_be_visible()  # so the house has answered


def turn_up(one: Guest, touch: Touch) -> None:
    """Turn up a card; without having placed men, the pile has to be touched twice."""
    if one.page.locator(PREVIEW).count() == 0:
        touch(one.page.locator(PILE))
        expect(one.page.locator(PREVIEW)).to_be_visible()
    touch(one.page.locator(PILE))
    expect(one.page.locator(PREVIEW)).to_have_count(0)


def play(one: Guest, touch: Touch, each: Callable[[int], None]) -> None:
    """Play a game to its end by touching pieces; call `each` before every turn."""
    for turn in range(MOST_TURNS):
        wait_for_own_turn(one.page)
        if one.is_over:
            return
        each(turn)
        for _ in range(turn % 3):
            place(one, touch)
        turn_up(one, touch)
    raise AssertionError("the game does not end")


def drawn(page: Page) -> dict[str, Any]:
    """Count what the picture shows."""
    return dict(page.evaluate(READ_PICTURE))


READ_PICTURE = """() => {
    const all = (css, root = document) => [...root.querySelectorAll(css)];
    const texts = (css) => all(css).map((node) => node.textContent.trim());
    const seats = all('.picture .seat-badge').map((_, seat) => seat);
    const districts = all('[data-piece^=district-]').map((node) => node.nextElementSibling);
    const count = (district, seat) => district.querySelector(`[data-count="${seat}"]`)?.textContent;
    const men = (district, seat) => all(`use[data-man="${seat}"]`, district).length;
    const byDistrict = (number) =>
        districts.map((each) => seats.map((seat) => Number(number(each, seat) ?? 0)));
    return {
        men: byDistrict(men),
        counts: byDistrict(count),
        turned_up: districts.flatMap((each, at) => (each.querySelector('.card') ? [at] : [])),
        flags: districts.map((each) => each.querySelector('.flag .sign')?.getAttribute('d') ?? ''),
        points: texts('[data-points]').map(Number),
        hands: texts('[data-hand]'),
        mine: all('.hand .man').length,
        left: Number(document.querySelector('[data-left]').textContent),
    };
}"""


def must_be_true(page: Page, recorder: ViewRecorder, *, secret: bool = False) -> None:
    """Wait until the picture shows what the house has sent last; hands may be secret."""

    def difference() -> str:
        seen, expected = drawn(page), expected_picture(recorder.view, secret=secret)
        seen["flags"] = [bool(sign) for sign in seen["flags"]]
        wrong = {key: seen[key] for key, value in expected.items() if seen[key] != value}
        return "; ".join(f"{key}: {shown}, not {expected[key]}" for key, shown in wrong.items())

    wait_for_picture(page, difference)


def expected_picture(view: dict[str, Any], *, secret: bool) -> dict[str, Any]:
    """Return what has to be on the picture of a view."""
    position = view["position"]
    hands = [str(hand) for hand in position["hands"]]
    controlled = [row[-2][0] for row in view["grids"][0]["rows"]]
    return {
        "men": position["men"],
        "counts": position["men"],
        "turned_up": position["turned_up"],
        "points": position["points"],
        "hands": [hands[0], *["?"] * (len(hands) - 1)] if secret else hands,
        "mine": position["hands"][0],
        "left": 0 if position["phase"] == "over" else 11 - len(position["turned_up"]),
        "flags": [bool(re.search(r"\w", family)) for family in controlled],
    }


@pytest.mark.parametrize(
    ("size", "seats", "options"),
    [
        (DESK, 4, {"max_rounds": "2"}),
        (PHONE, 5, {"max_rounds": "1", "control": "most", "limit": "every", "hands": "hidden"}),
        (PHONE, 3, {"max_rounds": "1", "setup": "only", "control": "most"}),
    ],
    ids=["mouse", "touch-hidden", "touch-french"],
)
def test_a_whole_game_on_the_picture(
    browser: Browser, house: str, size: dict[str, Any], seats: int, options: dict[str, str]
) -> None:
    one = guest(browser, size, seed=3)
    recorder = seated(one, house, seats, **options)
    page = one.page
    by_finger = size is PHONE

    def look(turn: int) -> None:
        must_be_true(page, recorder, secret=options.get("hands") == "hidden")
        if turn == 1:
            assert violations(page) == []
            page.locator("select.language").select_option("de")
            asked = [say(f"vendetta.question.{key}", {}, "de") for key in ("one", "two")]
            expect(page.locator(".stage-ask")).to_have_text(re.compile("|".join(asked)))
            expect(page.locator(PILE)).to_have_attribute("aria-label", re.compile("^Karte auf"))
        assert fits(page)

    play(one, Locator.tap if by_finger else click, look)
    must_be_true(page, recorder, secret=options.get("hands") == "hidden")
    expect(page.locator(".players .lead-crown")).to_have_count(len(recorder.position["winners"]))
    assert violations(page) == []
    assert fits(page)
    assert one.complaints == []
    one.context.close()


def test_a_whole_game_with_the_keyboard(browser: Browser, house: str) -> None:
    one = guest(browser, DESK, seed=5)
    recorder = seated(one, house, 3, max_rounds="1")
    page = one.page
    keys = page.keyboard

    def press(piece: Locator) -> None:
        """Go to a piece by arrows, and press Enter."""
        if piece.evaluate("node => !node.dataset.piece"):  # a number in a bubble has the focus
            keys.press("Enter")
            return
        wanted = piece.get_attribute("data-piece")
        page.locator(f"{PLAYABLE}[tabindex='0']").focus()
        keys.press("End" if wanted == "pile" else "Home")
        for _ in range(30):
            if page.evaluate("() => document.activeElement.dataset.piece") == wanted:
                break
            keys.press("ArrowDown" if wanted == "pile" else one.rng.choice(ARROWS))
        keys.press("Enter")  # there, or on any other that can be played

    play(one, press, lambda turn: must_be_true(page, recorder))
    must_be_true(page, recorder)
    assert one.complaints == []
    one.context.close()


ARROWS = ["ArrowDown", "ArrowRight", "ArrowLeft", "ArrowUp"]


def men_in(page: Page, district: int) -> int:
    """Return how many of one's own men are drawn in a district."""
    return int(drawn(page)["men"][district][0])


def middle(node: Locator) -> tuple[float, float]:
    """Return where to touch an element."""
    box = node.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, man: Locator, district: int, *, by_finger: bool = False) -> Callable[[], None]:
    """Drag a man, and all behind him, over a district; return a function that drops them."""
    start, end = middle(man), middle(page.locator(f"[data-piece=district-{district}]"))
    if not by_finger:
        page.mouse.move(*start)
        page.mouse.down()
        page.mouse.move(*end, steps=4)
        return page.mouse.up
    session = page.context.new_cdp_session(page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        session.send(
            "Input.dispatchTouchEvent",
            {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]},
        )

    touch("touchStart", start)
    touch("touchMove", ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2))
    touch("touchMove", end)
    return lambda: touch("touchEnd")


def test_men_are_dragged_and_two_districts_chosen_in_any_order(
    browser: Browser, house: str
) -> None:
    one = guest(browser, DESK)
    recorder = seated(one, house, 3, trustee="2")  # so that both districts are free
    page = one.page
    wait_for_own_turn(page)
    before, least = drawn(page), recorder.position["minimums"]
    high, low = [d for d in range(12, -1, -1) if least[d] <= 2][:2]

    drop = drag(page, page.locator(".hand .man").nth(-2), high)  # it and the one behind
    expect(page.locator(".dragged .load")).to_be_visible()
    drop()
    expect(page.locator(".dragged")).to_have_count(0)
    expect(page.locator(PREVIEW)).to_be_visible()
    expect(page.locator(".hand .man")).to_have_count(before["mine"] - 2)
    assert men_in(page, high) == before["men"][high][0] + 2

    page.locator(f"[data-piece=district-{low}]").click()
    page.locator(PICK).first.click()
    expect(page.locator(".stage-foot .so-far")).to_have_text(
        re.compile(rf"^{low + 1} .* · {high + 1} .*: 2 mafiosi$")
    )
    page.locator(f"[data-piece=district-{high}]").click()  # and choose another number
    page.locator(PICK).nth(3 - least[high]).click()
    expect(page.locator(".stage-foot .so-far")).to_have_text(
        re.compile(rf"^{low + 1} .* · {high + 1} .*: 3 mafiosi$")
    )

    page.locator(f"[data-piece=district-{0 if low else 5}]").click()  # a third one
    expect(page.locator(".bubble.why")).to_be_visible()
    page.keyboard.press("Escape")
    for _ in range(2):
        page.get_by_role("button", name="Undo").first.click()
        expect(page.locator(f"{PILE}")).to_be_visible()
    expect(page.locator(PREVIEW)).to_have_count(0)
    must_be_true(page, recorder)
    assert drawn(page) == before
    assert one.complaints == []
    one.context.close()


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["mouse", "touch"])
def test_where_too_few_men_are_dropped_the_minimum_is_placed(
    browser: Browser, house: str, size: dict[str, Any]
) -> None:
    one = guest(browser, size)
    recorder = seated(one, house, 3, setup="only", trustee="2", bot="soldato")
    page = one.page
    wait_for_own_turn(page)
    position = recorder.position
    wanted = [d for d, least in enumerate(position["minimums"]) if 1 < least <= 9]
    assert wanted, "two men of somebody stand alone in most districts of this setup"
    district = wanted[0]
    expect(page.locator(f"[data-piece=district-{district}] + .seen .minimum")).to_contain_text(
        f"≥{position['minimums'][district]}"
    )
    page.locator(".picture").scroll_into_view_if_needed()
    drop = drag(page, page.locator(".hand .man").last, district, by_finger=size is PHONE)
    expect(page.locator(".dragged b")).to_have_text(str(position["minimums"][district]))
    drop()
    expect(page.locator(PREVIEW)).to_be_visible()
    assert men_in(page, district) == position["minimums"][district]
    one.context.close()


NOTE_OWN_MEN = """() => {
    window.ownMen = [];
    const count = (piece) =>
        piece.nextElementSibling.querySelectorAll('use[data-man="0"]').length;
    const look = () => {
        const now = [...document.querySelectorAll('[data-piece^=district-]')].map(count);
        if (String(now) !== String(ownMen.at(-1))) ownMen.push(now);
    };
    look();
    new MutationObserver(look).observe(document.querySelector('.picture'),
        { subtree: true, childList: true });
}"""


def test_men_stay_where_they_were_placed_through_the_scenes_that_follow(
    browser: Browser, house: str
) -> None:
    """They may be lost, but they never go back to the hand to appear a second time."""
    one = guest(browser, DESK, seed=4)
    seated(one, house, 3)
    page = one.page
    wait_for_own_turn(page)
    place(one, click)
    page.evaluate(NOTE_OWN_MEN)
    turn_up(one, click)
    page.locator(".stage[data-playing]").wait_for()
    page.locator(".stage:not([data-playing])").wait_for()
    noted = page.evaluate("() => ownMen")
    assert sum(noted[0]) > 0
    for before, after in pairwise(noted):
        assert all(now <= then for then, now in zip(before, after, strict=True)), noted


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_the_log_says_why_and_leads_to_the_rule(
    browser: Browser, house: str, size: dict[str, Any]
) -> None:
    one = guest(browser, size, seed=8)
    page = one.page
    seated(one, house)
    reason = page.locator(".log .reason", has_text="The trustee starts the first round.")
    expect(reason).to_have_count(1)
    reason.get_by_role("button", name="Rule V-S1").click()
    expect(page.locator("dialog .marked")).to_contain_text("One player is the trustee")
    assert fits(page)
    one.context.close()
