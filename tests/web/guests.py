"""People at a table, each with their own browser, who click on what they may do."""

import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.web.browser import PATIENCE

OVER: Final = ".over .result"
MOST_CLICKS: Final = 6000
POLL: Final = 5
"""Milliseconds between two looks at something that a test waits for."""


@dataclass
class Guest:
    """Somebody with a browser, with the errors and warnings of its console."""

    context: BrowserContext
    page: Page
    rng: Random
    complaints: list[str] = field(default_factory=list)
    clicks: int = 0

    @property
    def is_over(self) -> bool:
        """Whether the game is over for this guest."""
        return self.page.locator(OVER).count() > 0

    def take_step(self, *, hurry: bool) -> bool:
        """Click on a choice or on "Do it"; return whether there was anything to click on."""
        page = self.page
        page.evaluate(UNFOLD_ONE_GROUP)
        offered = page.evaluate(MARK_CHOICES)
        if not offered:
            return False
        wanted = self._pick(offered, hurry)
        # Others play too, so the choice may be gone by now.
        clicked = bool(page.evaluate(CLICK_MARKED, wanted))
        self.clicks += clicked
        return clicked

    def _pick(self, offered: list[dict[str, Any]], hurry: bool) -> str:
        """Pick a choice at random: in a hurry one that ends the game, otherwise another."""
        ends = [each["mark"] for each in offered if "omerta" in each["text"].lower()]
        others = [each["mark"] for each in offered if each["mark"] not in ends]
        return str(self.rng.choice((ends if hurry and ends else others) or ends))


UNFOLD_ONE_GROUP: Final = """() => {
    const open = document.querySelector('[data-group][aria-expanded=true]');
    const groups = [...document.querySelectorAll('[data-group]')];
    if (!open && groups.length) groups[Math.floor(Math.random() * groups.length)].click();
}"""
MARK_CHOICES: Final = """() => {
    const panel = document.querySelector('.move');
    panel?.querySelector('[data-skip]')?.click(); // the picture shows what happened before
    if (!panel || panel.getAttribute('aria-busy') === 'true') return [];
    const seen = [...panel.querySelectorAll('[data-choice], .decide .primary')]
        .filter((button) => button.checkVisibility());
    return seen.map((button, at) => {
        button.dataset.mark = String(at);
        return { mark: String(at), text: button.textContent ?? '' };
    });
}"""
CLICK_MARKED: Final = """(mark) => {
    const button = document.querySelector(`.move [data-mark="${mark}"]`);
    button?.click();
    return Boolean(button);
}"""


def guest(browser: Browser, size: dict[str, Any], seed: int = 0) -> Guest:
    """Return somebody with a new browser of that size."""
    context = browser.new_context(**size)
    context.set_default_timeout(PATIENCE * 1000)
    page = context.new_page()
    somebody = Guest(context, page, Random(seed))
    page.on("console", lambda entry: _note_complaint(somebody, entry.type, entry.text))
    page.on("pageerror", lambda error: somebody.complaints.append(str(error)))
    return somebody


def _note_complaint(somebody: Guest, kind: str, text: str) -> None:
    if kind in ("error", "warning"):
        somebody.complaints.append(text)


def wait_until(page: Page, is_so: Callable[[], object], failure: str | Callable[[], str]) -> None:
    """Wait for something that a page cannot know itself; its events are handled meanwhile."""
    deadline = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < deadline, failure if isinstance(failure, str) else failure()
        page.wait_for_timeout(POLL)


def play_until(guests: Sequence[Guest], is_so: Callable[[], bool], *, hurry: bool = False) -> None:
    """Let everybody click until a condition holds; in a hurry also on what ends a game."""
    clicks = 0
    asked = time.monotonic()
    while not is_so():
        clicked = [one.take_step(hurry=hurry) for one in guests]
        if any(clicked):
            clicks += 1
            asked = time.monotonic()
        else:
            guests[0].page.wait_for_timeout(POLL)  # the house is at work
            is_over = all(one.is_over for one in guests)
            assert not is_over or is_so(), "the game is over too soon"
        assert clicks < MOST_CLICKS, "the game does not end"
        assert time.monotonic() - asked < PATIENCE, "nobody has a choice"


def play_on(guests: Sequence[Guest], clicks: int) -> None:
    """Let everybody click until one of them has clicked so often, or the game is over."""
    enough = [one.clicks + clicks for one in guests]
    play_until(
        guests,
        lambda: any(
            one.clicks >= most or one.is_over for one, most in zip(guests, enough, strict=True)
        ),
    )


def play_to_the_end(guests: Sequence[Guest]) -> None:
    """Let everybody click until the game is over for all."""
    play_until(guests, lambda: all(one.is_over for one in guests), hurry=True)


def wait_for_turn(somebody: Guest) -> None:
    """Wait until the page asks for a move, after all bots before it have played."""
    somebody.page.wait_for_function(SKIP_AND_IS_ASKED)
    choice = somebody.page.locator(".move [data-choice], .move .primary").first
    choice.wait_for(state="attached", timeout=PATIENCE * 1000)


SKIP_AND_IS_ASKED: Final = """() => {
    document.querySelector('.move [data-skip]')?.click();
    return document.querySelector('.move [data-choice], .move .decide .primary');
}"""
SKIP_AND_IS_STILL: Final = """() => {
    document.querySelector('.stage-foot .quiet')?.click();
    const ends = (each) => each.effect.getComputedTiming().iterations !== Infinity;
    const moves = document.querySelector('.picture').getAnimations({ subtree: true });
    return !document.querySelector('.stage[data-playing]') && !moves.some(ends);
}"""


def wait_until_still(page: Page) -> None:
    """Skip all scenes, and wait until nothing on the picture moves any more."""
    page.wait_for_function(SKIP_AND_IS_STILL)


def fits(page: Page) -> bool:
    """Return whether nothing is wider than the screen."""
    wide = page.evaluate("() => document.documentElement.scrollWidth - window.innerWidth")
    return int(wide) <= 0


OPEN_TABLE: Final = """async ([game, seats, options, start]) => {
    const answer = await fetch("/api/tables", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ game, seats, options, start, name: "Ada" }),
    });
    const body = await answer.json();
    if (!answer.ok) throw new Error(JSON.stringify(body));
    return body.code;
}"""


def open_by_api(
    page: Page,
    house: str,
    game: str,
    seats: Sequence[str],
    options: Mapping[str, str] | None = None,
    *,
    start: bool = True,
) -> str:
    """Open a table as Ada without filling in the form; return its code."""
    page.goto(house)
    return str(page.evaluate(OPEN_TABLE, [game, list(seats), dict(options or {}), start]))


def open_table(host: Guest, house: str, title: str, options: dict[str, str]) -> str:
    """Open a table with two seats for friends and one for a bot; return its code."""
    page = host.page
    page.goto(f"{house}/new")
    page.get_by_label("Your name").fill("Ada")
    page.get_by_text(title, exact=True).click()
    page.get_by_label("Number of seats").select_option("4")
    for seat, who in enumerate(("you", "open", "open", "random")):
        page.locator("label.across select").nth(seat).select_option(who)
    page.locator("details.options summary").click()
    for label, value in options.items():
        field = page.locator("details.options label", has_text=label)
        if field.locator("input").count():
            field.locator("input").fill(value)
        else:
            field.locator("select").select_option(value)
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_url(re.compile(r"/t/\w+$"))
    expect(page.get_by_role("button", name="Start the game")).to_be_visible()
    return page.url.rsplit("/", 1)[1]


def sit_down(friend: Guest, house: str, code: str, name: str) -> None:
    """Follow the link of a table and take the first open seat."""
    page = friend.page
    page.goto(f"{house}/t/{code}")
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name=re.compile("^Sit down as ")).first.click()
    expect(page.get_by_text("Waiting for the host to start the game.")).to_be_visible()
