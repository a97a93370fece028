"""A house that cheats is caught by the page, or the page says what players have to compare.

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
def dishonest_house(browser: Browser, path: Path, trick: str) -> Iterator[tuple[str, Guest, Guest]]:
    """Yield a house that cheats, with Ada and Bo; if it cheats one player, that is Bo."""
    with opened(path / "tables.db", trick=trick) as house:
        ada, bo = (guest(browser, DESK, seed) for seed in (1, 2))
        yield house, ada, bo
        for one in (ada, bo):
            one.context.close()


def play_a_game(house: str, ada: Guest, bo: Guest) -> str:
    """Play a whole game with a bot; return the code of the table."""
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


def verdict_for(one: Guest) -> Locator:
    """Check the deal on somebody's page; return the verdict."""
    one.page.get_by_role("button", name="Check the deal").click()
    verdict = one.page.locator(".verdict")
    expect(verdict).to_be_visible()
    return verdict


def expect_bad(verdict: Locator, *sentences: str) -> None:
    """Expect the page to say that something is wrong, and what."""
    expect(verdict).not_to_have_class(re.compile(r"\bgood\b"))
    expect(verdict).to_contain_text("Something is wrong with this game")
    for sentence in sentences:
        expect(verdict.locator(".bad", has_text=sentence)).to_be_visible()


def expect_good(verdict: Locator) -> None:
    """Expect the page to find nothing wrong."""
    expect(verdict).to_have_class(re.compile(r"\bgood\b"))
    expect(verdict.locator(".bad")).to_have_count(0)


def record_of(one: Guest, code: str) -> bytes:
    """Return the record that somebody downloads."""
    text = one.page.evaluate(
        "async (code) => (await fetch(`/api/tables/${code}/record`)).text()", code
    )
    return str(text).encode()


def is_valid(record: bytes) -> bool:
    """Return whether `cosca verify`, which knows only the record, finds nothing wrong."""
    try:
        verify(read_record(io.BytesIO(record)))
    except InvalidRecord:
        return False
    return True


def test_a_seed_that_was_chosen_later_is_caught_by_everybody(
    browser: Browser, tmp_path: Path
) -> None:
    with dishonest_house(browser, tmp_path, "regrind") as (house, ada, bo):
        code = play_a_game(house, ada, bo)
        assert is_valid(record_of(ada, code)), "those who were not there are deceived"
        for one in (ada, bo):
            expect_bad(
                verdict_for(one), "The seal is not the one", "The envelopes are not the ones"
            )


def test_a_contribution_that_was_dropped_is_caught_by_its_player(
    browser: Browser, tmp_path: Path
) -> None:
    with dishonest_house(browser, tmp_path, "drop") as (house, ada, bo):
        code = play_a_game(house, ada, bo)
        assert is_valid(record_of(ada, code))
        expect_bad(verdict_for(bo), "Your random number is not part of the deal")
        verdict = verdict_for(ada)  # whose number is part of it, so nobody chose the deal
        expect_good(verdict)
        expect(verdict).to_contain_text("Left the envelope closed: Yellow (Bo).")


def test_a_swapped_card_is_caught_by_everybody(browser: Browser, tmp_path: Path) -> None:
    with dishonest_house(browser, tmp_path, "swap") as (house, ada, bo):
        code = play_a_game(house, ada, bo)
        assert not is_valid(record_of(ada, code))
        for one in (ada, bo):
            expect_bad(verdict_for(one), "the draw does not follow from the sealed dice")


def test_a_record_that_differs_from_the_game_shown_is_caught(
    browser: Browser, tmp_path: Path
) -> None:
    with dishonest_house(browser, tmp_path, "show another card") as (house, ada, bo):
        code = play_a_game(house, ada, bo)
        assert is_valid(record_of(ada, code))
        for one in (ada, bo):
            expect_bad(verdict_for(one), "the record differs from what this browser saw")


def test_two_games_with_one_record_are_caught_by_the_deceived_player(
    browser: Browser, tmp_path: Path
) -> None:
    with dishonest_house(browser, tmp_path, "fork") as (house, ada, bo):
        code = play_a_game(house, ada, bo)
        assert is_valid(record_of(ada, code))
        expect_good(verdict_for(ada))
        expect_bad(verdict_for(bo), "The fingerprint this browser noted after step")


def test_two_games_with_two_records_are_for_people_to_compare(
    browser: Browser, tmp_path: Path
) -> None:
    with dishonest_house(browser, tmp_path, "fork with two records") as (house, ada, bo):
        code = play_a_game(house, ada, bo)
        assert is_valid(record_of(ada, code)) and is_valid(record_of(bo, code))
        marks = []
        for one in (ada, bo):
            at_the_table = one.page.locator(".fingerprint code").inner_text()
            expect(one.page.locator(".deal")).to_contain_text(
                "Read it out to a friend at the table."
            )
            verdict = verdict_for(one)
            expect_good(verdict)
            expect(verdict).to_contain_text(f"fingerprint with theirs: {at_the_table}")
            marks.append(at_the_table)
        assert marks[0] != marks[1], "so two friends who compare them notice"


def test_the_record_of_an_old_table_is_caught(browser: Browser, tmp_path: Path) -> None:
    with dishonest_house(browser, tmp_path, "replay") as (house, ada, bo):
        play_a_game(house, ada, bo)
        expect_good(verdict_for(ada))
        play_a_game(house, ada, bo)
        for one in (ada, bo):
            expect_bad(
                verdict_for(one), "This record belongs to another table.", "The seal is not the one"
            )


def test_an_honest_house_gets_a_good_verdict(browser: Browser, tmp_path: Path) -> None:
    with dishonest_house(browser, tmp_path, "") as (house, ada, bo):
        play_a_game(house, ada, bo)
        for one in (ada, bo):
            expect_good(verdict_for(one))
