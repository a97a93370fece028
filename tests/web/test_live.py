"""Live play in real browsers: clocks, agreements, shared devices, and whose turn it is."""

import json
import re
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Browser, Page, WebSocket, expect

from tests.web.browser import DESK, PHONE, violations
from tests.web.guests import Guest, fits, guest, play_until, sit_down, wait_until
from tests.web.houses import opened
from tests.web.observing import note_texts, noted_texts, wait_for_text

MY_TURN: Final = ".move.mine"
OWN_CLOCK: Final = ".move .clock"
CLOCK_OF_OTHERS: Final = ".seat-list .acts .clock"
ANNOUNCED: Final = "[aria-live=polite]"
ANNOUNCED_TO_OTHERS: Final = f"body:not(:has({MY_TURN})) {ANNOUNCED}"


def open_with(host: Guest, house: str, game: str, seats: tuple[str, ...], **wish: Any) -> str:
    """Open a table with these seats and clocks by filling in the form; return its code."""
    page = host.page
    page.goto(f"{house}/new")
    page.get_by_label("Your name").fill("Ada")
    page.get_by_text(game, exact=True).click()
    page.get_by_label("Number of seats").select_option(str(len(seats)))
    for seat, who in enumerate(seats):
        page.locator("label.across select").nth(seat).select_option(who)
    if "beside" in seats:
        page.get_by_label(f"Name of the person at seat {seats.index('beside') + 1}").fill("Ben")
    if "seconds" in wish:
        page.get_by_text("Live: a clock for every move").click()
        page.get_by_label("Seconds per move").fill(str(wish["seconds"]))
        page.get_by_label("Seconds of extra time").fill(str(wish.get("bank", 0)))
    assert violations(page) == []
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_url(re.compile(r"/t/\w+$"))
    expect(page.get_by_role("button", name="Start the game")).to_be_visible()
    return page.url.rsplit("/", 1)[1]


def whose_turn(guests: list[Guest]) -> Guest:
    """Wait until it is somebody's turn, and return whose."""
    found: list[Guest] = []

    def look() -> bool:
        found[:] = [one for one in guests if one.page.locator(MY_TURN).count()]
        return bool(found)

    wait_until(guests[0].page, look, "it is nobody's turn")
    return found[0]


def finish_turn(one: Guest) -> None:
    """Click until somebody else has to move."""
    play_until([one], lambda: one.page.locator(MY_TURN).count() == 0)


def move_once(one: Guest) -> None:
    """Make a move, once it is one's turn, and wait until the log has grown."""
    log = one.page.locator(".log li")
    before = log.count()
    play_until([one], lambda: log.count() > before)


def in_lobby(browser: Browser, house: str, game: str, **wish: Any) -> list[Guest]:
    """Two people and a bot at a table that has not begun."""
    host, friend = guest(browser, DESK, 1), guest(browser, PHONE, 2)
    code = open_with(host, house, game, ("you", "open", "random"), **wish)
    sit_down(friend, house, code, "Ben")
    return [host, friend]


def start(guests: list[Guest]) -> None:
    """Start the game, as the first of them may."""
    guests[0].page.get_by_role("button", name="Start the game").click()
    for one in guests:
        expect(one.page.locator(".move")).to_be_visible()


def at_table(browser: Browser, house: str, game: str, **wish: Any) -> list[Guest]:
    """Two people and a bot at a table that has begun."""
    guests = in_lobby(browser, house, game, **wish)
    start(guests)
    return guests


def leave(guests: list[Guest]) -> None:
    for one in guests:
        assert one.complaints == []
        one.context.close()


# --- Clocks ---------------------------------------------------------------------------------------


def test_a_clock_runs_out_and_a_bot_keeps_the_seat_until_it_is_taken_back(
    browser: Browser, house: str
) -> None:
    guests = in_lobby(browser, house, "Vendetta", seconds=8)
    for one in guests:
        note_texts(one.page, OWN_CLOCK)
        note_texts(one.page, CLOCK_OF_OTHERS)
    start(guests)
    slow = whose_turn(guests)
    other = next(one for one in guests if one is not slow)
    assert violations(slow.page) == []
    kept = slow.page.get_by_role("heading", name=re.compile("^random is playing for you"))
    expect(kept).to_be_visible()
    wait_for_text(slow.page, OWN_CLOCK, re.compile(r"^time left 0:0[1-8]$"))
    wait_for_text(other.page, CLOCK_OF_OTHERS, re.compile(r"0:0\d$"))
    expect(other.page.get_by_text("random is playing", exact=False).first).to_be_visible()
    expect(other.page.get_by_text("gets the seat back on returning to the table")).to_be_visible()
    for one in (slow, other):
        move_once(other)  # or the other clock runs out too
        assert violations(one.page) == []
    assert fits(guests[1].page)
    slow.page.get_by_role("button", name="Take my seat back").click()
    expect(kept).to_have_count(0)
    leave(guests)


def test_only_ones_own_clock_is_read_out(browser: Browser, house: str) -> None:
    guests = in_lobby(browser, house, "Vendetta", seconds=11)
    for one in guests:
        note_texts(one.page, ANNOUNCED)
        note_texts(one.page, ANNOUNCED_TO_OTHERS)
    start(guests)
    slow = whose_turn(guests)
    other = next(one for one in guests if one is not slow)
    wait_for_text(slow.page, ANNOUNCED, re.compile(r"You have 10 seconds left\."))
    announced = noted_texts(other.page, ANNOUNCED_TO_OTHERS)
    assert [text for text in announced if "seconds left" in text] == []
    leave(guests)


# --- Agreements -----------------------------------------------------------------------------------


def test_a_pause_is_agreed_and_ended(browser: Browser, house: str) -> None:
    host, friend = guests = at_table(browser, house, "Vendetta", seconds=600)
    whose_turn(guests)  # a move of the bot would end the proposal
    host.page.get_by_role("button", name="Propose a pause").click()
    expect(host.page.get_by_text("Waiting for: Ben.")).to_be_visible()
    expect(friend.page.get_by_text("Ada proposes a pause.")).to_be_visible()
    assert violations(friend.page) == []
    friend.page.get_by_role("button", name="Decline").click()
    expect(host.page.get_by_text("You proposed")).to_have_count(0)
    friend.page.get_by_role("button", name="Propose a pause").click()
    host.page.get_by_role("button", name="Agree").click()
    for one in guests:
        expect(one.page.get_by_role("heading", name="The game is paused")).to_be_visible()
        expect(one.page.locator("[role=timer]")).to_have_count(0)
        expect(one.page.locator("[data-choice]")).to_have_count(0)
        assert violations(one.page) == []
    friend.page.get_by_role("button", name="Resume").click()
    for one in guests:
        expect(one.page.get_by_role("heading", name="The game is paused")).to_have_count(0)
    expect(whose_turn(guests).page.locator("[role=timer]").first).to_be_visible()
    leave(guests)


def test_no_move_is_taken_back_after_somebody_has_seen_something(
    browser: Browser, house: str
) -> None:
    guests = at_table(browser, house, "Omerta")
    mover = whose_turn(guests)
    ask = "Ask to take back my move"
    mover.page.get_by_role("button", name=ask).click()
    expect(mover.page.get_by_role("alert")).to_contain_text("no move to take back")
    finish_turn(mover)  # two cards are looked at, which only their owner has seen
    mover.page.get_by_role("button", name=ask).click()
    expect(mover.page.get_by_role("alert")).to_contain_text("cannot take this move back")
    assert violations(mover.page) == []
    leave(guests)


def test_a_move_is_taken_back_when_all_agree(browser: Browser, house: str) -> None:
    guests = at_table(browser, house, "Sicilianos")
    for _ in range(60):
        mover = whose_turn(guests)
        other = next(one for one in guests if one is not mover)
        finish_turn(mover)
        # While the other has to move, no bot does, which would end the proposal.
        if whose_turn(guests) is other and asks_to_take_back(mover):
            break
    else:
        raise AssertionError("no move could be taken back")
    log = mover.page.locator(".log li")
    before = log.all_inner_texts()
    for one in guests:
        note_texts(one.page, ANNOUNCED)
    expect(other.page.get_by_text("Ada asks" if mover is guests[0] else "Ben asks")).to_be_visible()
    other.page.get_by_role("button", name="Agree").click()
    for one in guests:
        wait_for_text(one.page, ANNOUNCED, re.compile(r"A move was taken back\."))
    expect(mover.page.locator(MY_TURN)).to_be_visible()
    expect(log.nth(len(before) - 1)).to_have_count(0)
    left = log.all_inner_texts()
    assert left == before[: len(left)]
    leave(guests)


def asks_to_take_back(one: Guest) -> bool:
    """Ask the others to take back one's last move; return whether the house allows to ask."""
    one.page.get_by_role("button", name="Ask to take back my move").click()
    asked = one.page.get_by_text("You asked to take back your move.")
    refused = one.page.get_by_role("alert")
    expect(asked.or_(refused).first).to_be_visible()
    return asked.count() > 0


# --- Several people at one device -----------------------------------------------------------------


Received = dict[str, set[str]]
"""The sentences of the events that each local player of a device has received."""


def receive_sentences(page: Page) -> Received:
    """Record the sentences of events as a page receives them, by local player."""
    received: Received = {}

    def listen(socket: WebSocket) -> None:
        (player,) = parse_qs(urlsplit(socket.url).query)["local_player"]
        sentences = received.setdefault(player, set())
        socket.on("framereceived", lambda frame: sentences.update(_sentences(frame)))

    page.on("websocket", listen)
    return received


def _sentences(frame: str | bytes) -> set[str]:
    return {event["text"] for event in json.loads(frame).get("events", [])}


def test_two_people_share_a_device_with_a_curtain_between(browser: Browser, house: str) -> None:
    shared = guest(browser, PHONE, 3)
    page = shared.page
    received = receive_sentences(page)
    code = open_with(shared, house, "Sicilianos", ("you", "beside", "random"))
    expect(page.locator(".seat-list").get_by_text("Ben", exact=True)).to_be_visible()
    page.get_by_role("button", name="Start the game").click()
    wait_for_contributions(page, code)
    curtain = page.locator(".curtain")
    opened_by: list[str] = []
    secrets: set[str] = set()

    def step() -> bool:
        """Open the curtain if there is one, or click or put away what there is."""
        if not curtain.count():
            return shared.take_step(hurry=False) or put_away(page)
        assert_nothing_to_read(page, received)
        if len(opened_by) < 2:
            assert violations(page) == []
            assert fits(page)
        opened_by.append(open_curtain(page))
        secrets.update(assert_only_own(page, received, "0" if opened_by[-1] == "Ada" else "1"))
        return True

    while not shared.is_over and len(opened_by) < 8:
        wait_until(page, lambda: shared.is_over or step(), "nobody is asked for anything")
    assert {"Ada", "Ben"} <= set(opened_by)
    assert secrets  # or there was nothing to hide
    page.reload()
    expect(curtain.get_by_role("button").first).to_be_visible()
    assert_nothing_to_read(page, received)
    leave([shared])


def wait_for_contributions(page: Page, code: str) -> None:
    """Wait until the house has accepted what both have contributed to the deal."""
    page.wait_for_function(
        """(code) => ['', '.1'].every((player) => {
            const notes = localStorage.getItem(`cosca.deal.${code}${player}`);
            return JSON.parse(notes ?? '{}').acknowledged;
        })""",
        arg=code,
    )


def open_curtain(page: Page) -> str:
    """Open the curtain; return the name of the player who may see the table now."""
    button = page.locator(".curtain button").first
    expect(button).to_be_visible()
    name = re.search("I am (.*):", button.inner_text())
    assert name
    button.click()
    expect(page.locator(".move")).to_be_visible()
    expect(page.locator(".seat-list .mine")).to_contain_text(name[1])
    return name[1]


def put_away(page: Page) -> bool:
    """Put away what only one person may see, to pass the device on; whether there was anything."""
    return bool(
        page.evaluate(
            """() => {
            const button = document.querySelector('.kept .primary, .sights button');
            button?.click();
            return button !== null;
        }"""
        )
    )


def assert_nothing_to_read(page: Page, received: Received) -> None:
    """Behind the curtain there is nothing of anybody's view."""
    expect(page.locator(".curtain")).to_be_visible()
    expect(page.locator(".board, .stage, .move, .log, .sights, .chat")).to_have_count(0)
    content = page.content()
    sentences = set().union(*received.values())
    assert [text for text in sentences if text in content] == []


def assert_only_own(page: Page, received: Received, player: str) -> set[str]:
    """What only the other player has received is not in the page; return what that was."""
    expect(page.locator(".log li").first).to_be_attached()
    content = page.content()  # first: what is in it was received before
    secrets = received.get({"0": "1", "1": "0"}[player], set()) - received[player]
    assert [text for text in secrets if text in content] == []
    return secrets


# --- Whose turn it is -----------------------------------------------------------------------------


def test_the_title_the_icon_and_the_list_say_whose_turn_it_is(browser: Browser, house: str) -> None:
    guests = at_table(browser, house, "Vendetta")
    mover = whose_turn(guests)
    other = next(one for one in guests if one is not mover)
    expect(mover.page).to_have_title("Your turn: Vendetta")
    expect(mover.page.locator("link[rel=icon]")).to_have_attribute("href", "/icon-turn.svg")
    expect(other.page.locator("link[rel=icon]")).to_have_attribute("href", "/icon.svg")
    mover.page.get_by_label("Play a sound").check()
    mover.page.goto(house)
    expect(mover.page).to_have_title("(1) Cosca")
    expect(mover.page.locator(".tables .card").first).to_contain_text("Your turn")
    assert violations(mover.page) == []
    mover.page.go_back()
    expect(mover.page.get_by_label("Play a sound")).to_be_checked()
    leave(guests)


def test_everybody_sees_everybodys_round_trip(browser: Browser, house: str) -> None:
    guests = at_table(browser, house, "Omerta")
    for one in guests:
        expect(one.page.locator(".trip")).to_have_count(2)
        expect(one.page.locator(".trip").first).to_have_text(re.compile(r"\d+ ms"))
        assert violations(one.page) == []
    page = guests[0].page
    page.get_by_role("button", name="How this is decided").click()
    expect(page.get_by_role("dialog", name="Fair reactions")).to_contain_text("350 ms")
    assert violations(page) == []
    leave(guests)


def test_a_page_reconnects_to_a_house_that_is_restarted(browser: Browser, tmp_path: Path) -> None:
    store = tmp_path / "tables.db"
    somebody = guest(browser, DESK, 4)
    page = somebody.page
    with opened(store) as house:
        open_with(somebody, house, "Vendetta", ("you", "random", "random"))
    expect(page.get_by_text("The house is closing or restarting.")).to_be_visible()
    with opened(store, int(house.rsplit(":", 1)[1])):
        expect(page.get_by_text("The house is closing")).to_have_count(0)
        page.get_by_role("button", name="Start the game").click()
        expect(page.locator(".move")).to_be_visible()
    somebody.context.close()
