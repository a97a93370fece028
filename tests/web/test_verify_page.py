"""The page that checks a record by itself, without help from the house."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.records.making import VENDETTA, dealt_by, honest
from tests.web.browser import DESK, PHONE, violations
from tests.web.guests import Guest, fits, guest

DROP_FILE = """(text) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([text], "dropped.jsonl"));
    window.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, cancelable: true }));
}"""


def visitor(browser: Browser, house: str) -> Guest:
    """Return somebody with the page open who is offline."""
    one = guest(browser, DESK)
    one.page.goto(f"{house}/verify")
    one.page.wait_for_load_state("networkidle")
    one.context.set_offline(True)
    return one


def choose(page: Page, text: str, folder: Path) -> None:
    """Choose a file with that text."""
    file = folder / "game.jsonl"
    file.write_text(text, encoding="utf-8", newline="")
    page.get_by_label("Record (a .jsonl file)").set_input_files(file)


def test_a_record_is_checked_offline(browser: Browser, house: str, tmp_path: Path) -> None:
    one = visitor(browser, house)
    text = dealt_by(VENDETTA, "rwsb")
    choose(one.page, text, tmp_path)
    verdict = one.page.locator(".verdict.good")
    steps = text.count("\n") - 2
    expect(verdict).to_contain_text(f"The record is valid: all {steps} steps follow")
    expect(verdict).to_contain_text("Contributed to the dice: Rosa.")
    expect(verdict).to_contain_text("did not reveal their bytes: Ugo.")
    expect(verdict).to_contain_text("Contributed nothing: Pia.")
    expect(verdict).to_contain_text("Bots (they contribute nothing): Leo.")
    expect(verdict).to_contain_text("nobody could choose the deal")
    assert violations(one.page) == []
    assert one.complaints == []
    one.context.close()


def test_a_dropped_file_is_checked_and_a_bad_one_is_reported(browser: Browser, house: str) -> None:
    one = visitor(browser, house)
    text = dealt_by(VENDETTA, "bbb")
    one.page.evaluate(DROP_FILE, text)
    expect(one.page.locator(".verdict.good")).to_contain_text(
        "Nobody contributed, so the house alone could have chosen the deal."
    )
    one.page.evaluate(DROP_FILE, text.replace('"step":3', '"step":4', 1))
    expect(one.page.locator(".verdict:not(.good)")).to_contain_text("not valid. Line 4")
    one.page.evaluate(DROP_FILE, "a shopping list")
    expect(one.page.locator(".verdict:not(.good)")).to_contain_text("this is not a JSON object")
    assert one.complaints == []
    one.context.close()


def test_an_older_record_is_labelled_with_what_it_proves(browser: Browser, house: str) -> None:
    one = visitor(browser, house)
    one.page.evaluate(DROP_FILE, honest(1, format=1))
    expect(one.page.locator(".verdict.good")).to_contain_text("This record has the older format 1")
    one.context.close()


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_it_fits_the_screen(browser: Browser, house: str, size: dict[str, object]) -> None:
    one = guest(browser, size)
    one.page.goto(f"{house}/verify")
    expect(one.page.get_by_role("heading", level=1)).to_have_text("Check a record")
    assert fits(one.page)
    assert violations(one.page) == []
    one.context.close()
