"""At every size of screen, in every phase of every game, nothing is cut off or covered."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page

from tests.web.drawn import PLAYABLE, ViewRecorder, sit_at_drawn_table
from tests.web.guests import Guest, guest, wait_until, wait_until_still

SIZES: Final = {
    "desk": (1440, 900),
    "small desk": (1024, 768),
    "between": (1100, 800),
    "tablet": (820, 1180),
    "phone": (390, 844),
    "phone sideways": (844, 390),
    "large": (1920, 1080),
    "very large": (2560, 1440),
    "zoomed to 200 %": (720, 450),
}
WITHOUT_SCROLLING: Final = [name for name in SIZES if name != "tablet"]
"""Sizes at which question, picture and buttons are on the screen together."""
FANNED: Final = {"vendetta": ":not(*)", "omerta": ".lies", "sicilianos": ".hand .leaf"}
"""Pieces that may cover one another but for a strip: cards in a row or in a hand."""
GAMES: Final = {
    "vendetta": {"max_rounds": "1"},
    "omerta": {"games": "1", "memory": "aided"},
    "sicilianos": {},
}
STEPS: Final = 45
FAULTS: Final = (Path(__file__).parent / "picture_faults.js").read_text(encoding="utf-8")
SETTLED: Final = """() => new Promise((done) =>
    requestAnimationFrame(() => requestAnimationFrame(done)))"""
OFF_SCREEN: Final = """(parts) => parts.filter((part) => {
    const { top, left, bottom, right } = document.querySelector(part).getBoundingClientRect();
    return top < -1 || left < -1 || bottom > innerHeight + 1 || right > innerWidth + 1;
})"""
SIDEWAYS: Final = "() => document.documentElement.scrollWidth - innerWidth"
MY_TURN: Final = """() =>
    Boolean(document.querySelector('.move [data-choice], .move .decide .primary, .over'))"""
PARTS: Final = [".stage-ask", ".picture", ".stage-foot", ".stage-top .goal"]


def faults(page: Page, game: str, sizes: list[str]) -> Iterator[str]:
    """Yield what is wrong with the picture at each size."""
    for name in sizes:
        width, height = SIZES[name]
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(SETTLED)
        yield from (f"{name}: {fault}" for fault in page.evaluate(FAULTS, FANNED[game]))
        if name in WITHOUT_SCROLLING:
            yield from (f"{name}: {part} off screen" for part in page.evaluate(OFF_SCREEN, PARTS))
        if page.evaluate(SIDEWAYS) > 0:
            yield f"{name}: the page is wider than the screen"


def phases(one: Guest, recorder: ViewRecorder) -> Iterator[str]:
    """Play a game, and yield each phase the first time that it asks for a move, and the end."""
    met = set()
    for _ in range(STEPS):
        wait_until(one.page, lambda: one.page.evaluate(MY_TURN), "nobody has a choice")
        wait_until_still(one.page)
        phase = phase_of(recorder.position)
        if phase not in met:
            met.add(phase)
            yield phase
        if one.is_over:
            return
        one.take_step(hurry=False)


def phase_of(position: dict[str, Any]) -> str:
    return "-".join(filter(None, (position["phase"], position.get("window"))))


def look(one: Guest, house: str, game: str, sizes: list[str]) -> None:
    recorder = sit_at_drawn_table(one, house, game, ["random"] * 3, GAMES[game], PLAYABLE)
    found = {phase: list(faults(one.page, game, sizes)) for phase in phases(one, recorder)}
    assert len(found) > 1
    assert {phase: each for phase, each in found.items() if each} == {}
    assert one.complaints == []
    one.context.close()


@pytest.mark.parametrize("game", GAMES)
def test_nothing_is_cut_off_or_covered(browser: Browser, house: str, game: str) -> None:
    one = guest(browser, {"reduced_motion": "reduce"}, seed=7)
    look(one, house, game, list(SIZES))
