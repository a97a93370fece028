"""Whole games in real browsers: three people and a bot, by clicks and keys, on desk and phone."""

import json
import re

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect

from cosca.catalog import GAMES
from tests.web.browser import DESK, PHONE, violations
from tests.web.guests import (
    Guest,
    fits,
    guest,
    open_table,
    play_on,
    play_to_the_end,
    sit_down,
    wait_for_turn,
    wait_until,
)

SHORT = {
    "vendetta": {"max_rounds": "3"},
    "omerta": {"games": "1", "first_call": "6"},
    "sicilianos": {},
}
"""Options for games that end soon, but not within five turns of everybody."""
CLICKS = 5
"""Clicks of each person, and so the most turns, before one of them reloads the page."""


def labels(house: str, page: Page, game: str) -> dict[str, str]:
    """Return the options of a short game by their labels on the page."""
    games = page.request.get(f"{house}/api/games").json()
    (info,) = [each for each in games if each["name"] == game]
    return {
        option["text"]: SHORT[game][option["key"]]
        for option in info["options"]
        if option["key"] in SHORT[game]
    }


@pytest.mark.parametrize("game", GAMES)
def test_three_browsers_and_a_bot_play_a_whole_game(
    browser: Browser, house: str, game: str
) -> None:
    host, friend, phone = guests = [
        guest(browser, DESK, 1),
        guest(browser, DESK, 2),
        guest(browser, PHONE, 3),
    ]
    code = open_table(host, house, GAMES[game].title, labels(house, host.page, game))
    sit_down(friend, house, code, "Ben")
    sit_down(phone, house, code, "Cleo")
    assert violations(host.page) == []
    assert violations(phone.page) == []
    assert fits(phone.page)
    host.page.get_by_role("button", name="Start the game").click()
    expect(host.page.locator(".move")).to_be_visible()
    play_on(guests, CLICKS)
    assert violations(phone.page) == []
    assert fits(phone.page)
    friend.page.reload()  # and comes back in the middle of it
    expect(friend.page.locator(".move")).to_be_visible()
    play_to_the_end(guests)
    for one in guests:
        expect(one.page.locator(".over .result")).to_contain_text(re.compile("win|share"))
        assert violations(one.page) == []
        assert one.complaints == []
    check_the_deal(phone)
    watch_replay(friend, code)
    play_again(guests)
    for one in guests:
        one.context.close()


def check_the_deal(one: Guest) -> None:
    one.page.get_by_role("button", name="Check the deal").click()
    verdict = one.page.locator(".verdict.good")
    expect(verdict).to_contain_text("The record is valid")
    for sentence in (
        "The seal is the one",
        "The envelopes are the ones",
        "Your random number is part of",
    ):
        expect(verdict).to_contain_text(sentence)
    expect(verdict).to_contain_text("this browser noted during the game are in the record")
    expect(verdict).to_contain_text("this browser saw are in the record")
    expect(verdict).to_contain_text("not even the house and everyone else together")


def watch_replay(one: Guest, code: str) -> None:
    """Use the slider, the choice of viewers, a link to one move, and the playback."""
    page = one.page
    page.get_by_role("link", name="Watch the replay").click()
    slider = page.get_by_role("slider")
    expect(slider).to_be_visible()
    slider.focus()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text(re.compile(r"^Move 1 of \d+"))).to_be_visible()
    page.get_by_label("View").select_option("spectator")
    expect(page).to_have_url(re.compile(rf"/t/{code}/replay#.*move=1.*"))
    here = page.url
    assert violations(page) == []
    page.goto("about:blank")
    page.goto(here)
    expect(page.get_by_text(re.compile(r"^Move 1 of \d+"))).to_be_visible()
    expect(page.get_by_label("View")).to_have_value("spectator")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_text(re.compile(r"^Move 3 of \d+"))).to_be_visible()
    page.get_by_role("button", name="Pause").click()
    page.goto(here.split("/replay")[0])


def play_again(guests: list[Guest]) -> None:
    """Open a rematch: everybody has the same seat at another table."""
    host, *friends = guests
    host.page.get_by_role("button", name="Play again").click()
    expect(host.page.get_by_role("button", name="Start the game")).to_be_visible()
    for one in friends:
        one.page.get_by_role("link", name="Go to the next game").click()
        expect(one.page.get_by_text("Waiting for the host to start the game.")).to_be_visible()


def play_now(somebody: Guest, house: str, game: str) -> str:
    """Begin a game against bots with one click; return the code of the table."""
    page = somebody.page
    page.goto(house)
    page.get_by_role("button", name=f"Play now against bots: {GAMES[game].title}").click()
    page.get_by_role("button", name="Easy").click()
    page.wait_for_url(re.compile(r"/t/\w+$"))
    expect(page.locator(".move")).to_be_visible()
    return page.url.rsplit("/", 1)[1]


def test_a_whole_game_by_keyboard_alone(browser: Browser, house: str) -> None:
    somebody = guest(browser, DESK)
    page = somebody.page
    play_now(somebody, house, "sicilianos")
    page.evaluate("() => document.activeElement?.blur()")
    for _ in range(1500):
        page.wait_for_function(ANYTHING_TO_DO)  # the bots may have to play first
        if somebody.is_over:
            break
        tab_to_something(page)
    expect(page.locator(".over .result")).to_be_visible()
    assert somebody.complaints == []
    somebody.context.close()


def tab_to_something(page: Page) -> None:
    """Press Tab until a choice or "Do it" has the focus, and press Enter."""
    for _ in range(80):
        page.keyboard.press("Tab")
        if page.evaluate(AT_SOMETHING):
            page.keyboard.press("Enter")
            return
        group = "() => document.activeElement?.getAttribute('aria-expanded') === 'false'"
        if page.evaluate(group) and not page.evaluate(ANY_OPEN):
            page.keyboard.press("Enter")


AT_SOMETHING = """() => Boolean(
    document.activeElement?.matches('[data-choice], .decide .primary, [data-skip]'))"""
ANYTHING_TO_DO = "() => document.querySelector('.move [data-choice], .move .primary, .over')"
ANY_OPEN = "() => Boolean(document.querySelector('[data-group][aria-expanded=true]'))"


def test_a_lost_connection_comes_back_and_loses_nothing(browser: Browser, house: str) -> None:
    somebody = guest(browser, DESK, 5)
    page = somebody.page
    connections: list[WebSocketRoute] = []
    lost: list[str | bytes] = []
    is_cut = False

    def pass_on(route: WebSocketRoute) -> None:
        server = route.connect_to_server()
        connections.append(route)
        route.on_message(lambda frame: lost.append(frame) if is_cut else server.send(frame))

    page.route_web_socket(re.compile(r"/ws/"), pass_on)
    play_now(somebody, house, "sicilianos")
    play_on([somebody], 10)
    before = len(connections)
    is_cut = True
    page.locator(".chat input").first.fill("still there?")
    page.get_by_role("button", name="Send").click()
    wait_until(page, lambda: any("still there?" in str(frame) for frame in lost), "nothing is sent")
    connections[-1].close()
    is_cut = False
    expect(page.get_by_text("still there?")).to_be_visible()
    assert len(connections) > before
    wait_for_turn(somebody)  # and the game goes on
    somebody.context.close()


def test_a_seat_is_taken_over_on_a_second_device(browser: Browser, house: str) -> None:
    desk, phone = guest(browser, DESK, 6), guest(browser, PHONE, 7)
    code = play_now(desk, house, "vendetta")
    desk.page.get_by_text("Continue on another device").first.click()
    phone.page.goto(desk.page.locator(".own-link input").input_value())
    phone.page.wait_for_url(re.compile(rf"/t/{code}$"))
    expect(phone.page.get_by_text("you, here")).to_be_visible()
    desk.context.close()
    play_on([phone], 4)
    expect(phone.page.locator(".move")).to_be_visible()
    assert phone.complaints == []
    phone.context.close()


def test_spectators_see_what_everybody_may_see_and_no_more(browser: Browser, house: str) -> None:
    player, watcher = guest(browser, DESK, 8), guest(browser, PHONE, 9)
    frames: list[str] = []
    watcher.page.on(
        "websocket", lambda ws: ws.on("framereceived", lambda frame: frames.append(str(frame)))
    )
    play_now(player, house, "sicilianos")
    play_on([player], 12)
    watcher.page.goto(player.page.url)  # by the link: private tables are not listed
    expect(watcher.page.get_by_text("You are watching.")).to_be_visible()
    expect(watcher.page.get_by_text("Your hand")).to_have_count(0)
    assert watcher.page.locator("[data-choice]").count() == 0
    views = [json.loads(frame)["view"] for frame in frames if '"sync"' in frame]
    assert views
    assert all(view["choices"] == [] and view["sights"] == [] for view in views)
    assert violations(watcher.page) == []
    for one in (player, watcher):
        assert one.complaints == []
        one.context.close()


def test_an_unknown_table_is_explained_in_a_sentence(browser: Browser, house: str) -> None:
    somebody = guest(browser, DESK)
    somebody.page.goto(f"{house}/t/zzzzzzzz")
    expect(somebody.page.get_by_text("There is no table “zzzzzzzz” here")).to_be_visible()
    somebody.context.close()
