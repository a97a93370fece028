"""Notes what a page shows while it shows it, so that a test misses nothing that is soon gone.

note_texts(page, ".clock")
...
wait_for_text(page, ".clock", re.compile("0:0[1-8]"))
"""

import re
from typing import Final

from playwright.sync_api import Page

from tests.web.guests import wait_until

NOTE_TEXTS: Final = """(selector) => {
    const texts = ((window.notedTexts ??= {})[selector] = []);
    const look = () => {
        for (const node of document.querySelectorAll(selector)) {
            const text = node.textContent.trim().replace(/\\s+/g, ' ');
            if (node.checkVisibility() && !texts.includes(text)) texts.push(text);
        }
    };
    look();
    const all = { subtree: true, childList: true, characterData: true, attributes: true };
    new MutationObserver(look).observe(document, all);
}"""
NOTE_LAYOUT_SHIFTS: Final = """async () => {
    const nextFrame = () => new Promise(requestAnimationFrame);
    await nextFrame();
    await nextFrame(); // what has changed by now is laid out, and counts for nothing
    window.layoutShifts = [];
    const note = (shifts) => {
        for (const shift of shifts)
            for (const { node } of shift.sources)
                if (node?.closest?.('.stage') && !node.closest('.picture'))
                    window.layoutShifts.push(node.outerHTML.slice(0, 80));
    };
    const observer = new PerformanceObserver((list) => note(list.getEntries()));
    observer.observe({ type: "layout-shift" });
    window.readLayoutShifts = async () => {
        await nextFrame();
        await nextFrame();
        note(observer.takeRecords());
        return window.layoutShifts;
    };
}"""


def note_texts(page: Page, selector: str) -> None:
    """Note every text that visible elements show from now on, until the page is left."""
    page.evaluate(NOTE_TEXTS, selector)


def noted_texts(page: Page, selector: str) -> list[str]:
    """Return what was noted: each text once, in the order of appearance."""
    return list(page.evaluate("(selector) => window.notedTexts[selector]", selector))


def wait_for_text(page: Page, selector: str, pattern: re.Pattern[str]) -> None:
    """Wait until a text that fits the pattern was shown, even if it is gone by now."""
    wait_until(
        page,
        lambda: any(map(pattern.search, noted_texts(page, selector))),
        lambda: f"{pattern.pattern} is not among {noted_texts(page, selector)}",
    )


def note_layout_shifts(page: Page) -> None:
    """Note from now on what moves around the picture of a drawn table."""
    page.evaluate(NOTE_LAYOUT_SHIFTS)


def layout_shifts(page: Page) -> list[str]:
    """Return the beginnings of the elements that have moved."""
    return list(page.evaluate("() => window.readLayoutShifts()"))
