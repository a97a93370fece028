"""A house that cheats is caught by the page, or the page says what people have to compare.

Real browsers play at real houses that cheat (`tests.web.dishonest`) and then check the deal.
"""

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Locator, expect

from cosca.match.verification import InvalidRecord, read_record, verify
from tests.web.browser import DESK
from tests.web.guests import Guest, guest, open_by_api, play_to_the_end
from tests.web.houses import opened

JOIN = """async ([code, name]) => {
    const headers = { 'Content-Type': 'application/json' };
    const body = JSON.stringify({ name });
    await fetch(`/api/tables/${code}/join`, { method: 'POST', headers, body });
}"""


@contextmanager
def cheated(browser: Browser, path: Path, trick: str) -> Iterator[tuple[str, Guest, Guest]]:
    """Ada and Bo at a house that cheats; Bo is the one who is cheated of, where it is one."""
    with opened(path / "tables.db", trick=trick) as house:
        ada, bo = (guest(browser, DESK, seed) for seed in (1, 2))
        yield house, ada, bo
        for one in (ada, bo):
            one.context.close()


def play_a_game(house: str, ada: Guest, bo: Guest) -> str:
    """A whole game of both and a bot; its code."""
    seats, options = ["you", "open", "random"], {"max_rounds": "1"}
    code = open_by_api(ada.page, house, "vendetta", seats, options, start=False)
    bo.page.goto(house)
    bo.page.evaluate(JOIN, [code, "Bo"])
    for one in (bo, ada):
        one.page.goto(f"{house}/t/{code}")
    expect(bo.page.get_by_text("Waiting for the host to start the game.")).to_be_visible()
    ada.page.get_by_role("button", name="Start the game").click()
    for one in (ada, bo):
        one.page.locator(".move").wait_for()
    play_to_the_end([ada, bo])
    return code


def check_of(one: Guest) -> Locator:
    """What the page says when somebody checks the deal."""
    one.page.get_by_role("button", name="Check the deal").click()
    verdict = one.page.locator(".verdict")
    expect(verdict).to_be_visible()
    return verdict


def caught(verdict: Locator, *sentences: str) -> None:
    """The page says that something is wrong, and says what."""
    expect(verdict).not_to_have_class(re.compile(r"\bgood\b"))
    expect(verdict).to_contain_text("Something is wrong with this game")
    for sentence in sentences:
        expect(verdict.locator(".bad", has_text=sentence)).to_be_visible()


def praised(verdict: Locator) -> None:
    """The page finds nothing wrong."""
    expect(verdict).to_have_class(re.compile(r"\bgood\b"))
    expect(verdict.locator(".bad")).to_have_count(0)


def record_of(one: Guest, code: str) -> bytes:
    """The record as somebody is given it."""
    text = one.page.evaluate(
        "async (code) => (await fetch(`/api/tables/${code}/record`)).text()", code
    )
    return str(text).encode()


def is_good_in_itself(record: bytes) -> bool:
    """Whether `cosca verify` finds nothing wrong, who knows nothing but the record."""
    try:
        verify(read_record(io.BytesIO(record)))
    except InvalidRecord:
        return False
    return True


def test_a_seed_that_was_chosen_later_is_caught_by_everybody(
    browser: Browser, tmp_path: Path
) -> None:
    with cheated(browser, tmp_path, "regrind") as (house, ada, bo):
        code = play_a_game(house, ada, bo)
        assert is_good_in_itself(record_of(ada, code)), "who was not there is deceived"
        for one in (ada, bo):
            caught(check_of(one), "The seal is not the one", "The envelopes are not the ones")


def test_a_contribution_that_was_dropped_is_caught_by_whose_it_was(
    browser: Browser, tmp_path: Path
) -> None:
    with cheated(browser, tmp_path, "drop") as (house, ada, bo):
        code = play_a_game(house, ada, bo)
        assert is_good_in_itself(record_of(ada, code))
        caught(check_of(bo), "Your random number is not part of the deal")
        verdict = check_of(ada)  # whose own number is in: nobody chose the deal
        praised(verdict)
        expect(verdict).to_contain_text("Left the envelope closed: Yellow (Bo).")


def test_a_swapped_card_is_caught_by_everybody(browser: Browser, tmp_path: Path) -> None:
    with cheated(browser, tmp_path, "swap") as (house, ada, bo):
        code = play_a_game(house, ada, bo)
        assert not is_good_in_itself(record_of(ada, code))
        for one in (ada, bo):
            caught(check_of(one), "the draw does not follow from the sealed dice")


def test_a_game_shown_otherwise_than_recorded_is_caught(browser: Browser, tmp_path: Path) -> None:
    with cheated(browser, tmp_path, "show another card") as (house, ada, bo):
        code = play_a_game(house, ada, bo)
        assert is_good_in_itself(record_of(ada, code))
        for one in (ada, bo):
            caught(check_of(one), "the record differs from what this browser saw")


def test_a_forked_story_with_one_record_is_caught_by_who_was_told_the_other(
    browser: Browser, tmp_path: Path
) -> None:
    with cheated(browser, tmp_path, "fork") as (house, ada, bo):
        code = play_a_game(house, ada, bo)
        assert is_good_in_itself(record_of(ada, code))
        praised(check_of(ada))
        caught(check_of(bo), "The fingerprint this browser noted after step")


def test_a_forked_story_with_two_records_is_for_people_to_compare(
    browser: Browser, tmp_path: Path
) -> None:
    with cheated(browser, tmp_path, "fork with two records") as (house, ada, bo):
        code = play_a_game(house, ada, bo)
        assert is_good_in_itself(record_of(ada, code)) and is_good_in_itself(record_of(bo, code))
        marks = []
        for one in (ada, bo):
            at_the_table = one.page.locator(".fingerprint code").inner_text()
            expect(one.page.locator(".deal")).to_contain_text(
                "Read it out to a friend at the table."
            )
            verdict = check_of(one)
            praised(verdict)
            expect(verdict).to_contain_text(f"fingerprint with theirs: {at_the_table}")
            marks.append(at_the_table)
        assert marks[0] != marks[1], "by which two friends find it"


def test_the_record_of_an_old_table_is_caught(browser: Browser, tmp_path: Path) -> None:
    with cheated(browser, tmp_path, "replay") as (house, ada, bo):
        play_a_game(house, ada, bo)
        praised(check_of(ada))
        play_a_game(house, ada, bo)
        for one in (ada, bo):
            caught(
                check_of(one), "This record belongs to another table.", "The seal is not the one"
            )


def test_an_honest_house_is_praised(browser: Browser, tmp_path: Path) -> None:
    with cheated(browser, tmp_path, "") as (house, ada, bo):
        play_a_game(house, ada, bo)
        for one in (ada, bo):
            praised(check_of(one))
