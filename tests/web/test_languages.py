"""The client in every language: the browser's own, or one that is chosen, even during a game."""

import json
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect

from cosca.words import LANGUAGE, LANGUAGES, say, sentences
from tests.web.browser import DESK, PHONE, violations
from tests.web.guests import Guest, fits, guest

OTHERS = [language for language in LANGUAGES if language != LANGUAGE]


def text(key: str, language: str, **params: Any) -> str:
    return say(f"client.{key}", params, language)


def choose(page: Page, language: str) -> None:
    page.locator("select.language").select_option(language)
    expect(page.locator("html")).to_have_attribute("lang", language)


def play_now(one: Guest, house: str, language: str) -> None:
    """Begin a game against bots in a language."""
    one.page.goto(house)
    choose(one.page, language)
    name = text("start.playNowLong", language, title="Vendetta")
    one.page.get_by_role("button", name=name).click()
    one.page.get_by_role("button", name=say("strength.easy.name", {}, language)).click()
    expect(one.page.locator(".move [data-group]").first).to_be_visible()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_browser_gets_its_own_language(browser: Browser, house: str, language: str) -> None:
    one = guest(browser, {**PHONE, "locale": f"{language}-CH"})
    page = one.page
    for path, title in (("/", "start.title"), ("/new", "create.title"), ("/join", "join.title")):
        page.goto(f"{house}{path}")
        expect(page.locator("html")).to_have_attribute("lang", language)
        expect(page.locator("h1")).to_have_text(text(title, language))
        page.wait_for_load_state("networkidle")
        assert violations(page) == []
        assert fits(page)
    page.goto(house)
    expect(page.get_by_text(say("vendetta.about.tagline", {}, language))).to_be_visible()
    rules = text("start.rulesLong", language, title="Omerta")
    page.get_by_role("button", name=rules).click()
    expect(page.get_by_text(say("omerta.primer.worth", {}, language))).to_be_visible()
    assert violations(page) == []
    page.get_by_role("button", name=text("rules.whole", language)).click()
    heading = sentences(language)["omerta.rules"].split("\n## ")[1].split("\n")[0]
    expect(page.get_by_role("heading", name=heading, exact=True)).to_be_visible()
    assert violations(page) == []
    assert one.complaints == []
    one.context.close()


def test_only_the_language_in_use_is_loaded(browser: Browser, house: str) -> None:
    one = guest(browser, {**DESK, "locale": "de-DE"})
    asked: list[str] = []
    one.page.on("request", lambda request: asked.append(request.url.rsplit("/", 1)[-1]))
    one.page.goto(house)
    expect(one.page.locator("h1")).to_have_text(text("start.title", "de"))
    loaded = {name[:2] for name in asked if name.endswith(".js") and name[2] == "-"}
    assert loaded == {"de"}
    one.context.close()


def pass_until_two(page: Page) -> None:
    """Pass while only one district is allowed: then the first click is a whole move."""
    ask = page.locator(".move .ask")
    expect(ask).to_be_visible()
    while ask.inner_text() != say("vendetta.question.two", {}, "en"):
        logged = page.locator(".log li").count()
        page.get_by_role("button", name=say("vendetta.choice.pass", {}, "en")).click()
        page.locator(".decide .primary").click()
        expect(page.locator(".log li").nth(logged)).to_be_attached()
        expect(page.locator("[data-group]").first).to_be_visible()


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_switching_the_language_during_a_game_loses_nothing(
    browser: Browser, house: str, size: dict[str, Any]
) -> None:
    one = guest(browser, {**size, "locale": "en-GB"}, 5)
    page = one.page
    play_now(one, house, "en")
    page.keyboard.press("t")  # the text view, which says more
    pass_until_two(page)
    page.get_by_label(text("chat.label", "en")).fill("not sent yet")
    page.locator("details.typed summary").click()
    page.locator("details.typed input").fill("1 into 6 and")
    page.locator("[data-group]").first.click()
    choose(page, "de")
    expect(page.locator(".group [data-choice]:visible").first).to_be_visible()  # still unfolded
    choose(page, "en")
    page.locator(".group [data-choice]:visible").first.click()
    expect(page.locator(".so-far strong")).to_be_visible()
    district, men = page.locator(".so-far strong").inner_text().split(": ")
    number = int(men.split()[0])
    logged = page.locator(".log li").count()
    for language in [*OTHERS, "en"]:
        choose(page, language)
        expect(page.locator("#log-title")).to_have_text(text("log.title", language))
        expect(page.locator(".move h2")).to_have_text(text("table.yourTurn", language))
        asked = say("vendetta.question.more", {}, language)
        expect(page.locator(".move .ask")).to_have_text(asked)
        men = say("vendetta.choice.men", {"number": number}, language)
        expect(page.locator(".so-far strong")).to_have_text(f"{district}: {men}")
        caption = say("vendetta.layout.districts", {}, language)
        expect(page.locator("caption, figcaption").filter(has_text=caption).first).to_be_visible()
        assert page.locator(".log li").count() == logged
        rounds = [say("vendetta.round", {"seat": s, "round": 1}, language) for s in range(5)]
        assert any(each in page.locator(".log").inner_text() for each in rounds)
        expect(page.get_by_label(text("chat.label", language), exact=True)).to_have_value(
            "not sent yet"
        )
        expect(page.locator("details.typed input")).to_have_value("1 into 6 and")
        assert violations(page) == []
        assert fits(page)
    page.get_by_role("button", name=say("vendetta.choice.done", {}, "en")).click()
    page.locator(".decide .primary").click()
    expect(page.locator(".log li").nth(logged)).to_be_attached()
    choose(page, "de")
    page.reload()  # and the device remembers it
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.locator("#log-title")).to_have_text(text("log.title", "de"))
    assert one.complaints == []
    one.context.close()


def test_a_pending_move_is_made_once_though_the_language_is_switched(
    browser: Browser, house: str
) -> None:
    one = guest(browser, {**DESK, "locale": "en-GB"})
    page = one.page
    lost: list[str] = []
    sent: list[str] = []
    is_switched = False

    def pass_on(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def pass_message_on(message: str | bytes) -> None:
            command = json.loads(message)
            if command["do"] == "move":
                (sent if is_switched else lost).append(command["id"])
            if command["do"] != "move" or is_switched:
                server.send(message)

        socket.on_message(pass_message_on)

    page.route_web_socket("**/ws/**", pass_on)
    play_now(one, house, "en")
    logged = page.locator(".log li").count()
    page.locator("[data-choice]:visible").last.click()
    do_it, moving = page.locator(".decide .primary"), page.get_by_text(text("move.moving", "en"))
    expect(do_it.or_(moving).first).to_be_visible()
    if do_it.count():
        do_it.click()
    expect(moving.first).to_be_visible()
    assert len(set(lost)) == 1
    is_switched = True
    choose(page, "de")
    expect(page.locator(".log li").nth(logged)).to_be_attached()
    expect(page.locator("#log-title")).to_have_text(text("log.title", "de"))
    assert sent[0] == lost[0]
    assert one.complaints == []
    one.context.close()
