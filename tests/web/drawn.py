"""Drawn tables: people who touch pieces, and pictures that are compared with the position."""

import json
from collections.abc import Callable, Sequence
from typing import Any, Final

from playwright.sync_api import ElementHandle, Error, Page, WebSocket, expect

from tests.web.guests import Guest, open_by_api, wait_until

PLAYABLE: Final = ".picture [data-playable]"
PICK: Final = ".bubble.pick button"
DO_IT: Final = ".stage-foot .primary"
PREVIEW: Final = ".stage.preview"
SKIP_SCENES: Final = "() => document.querySelector('.stage-foot .quiet')?.click()"

Touch = Callable[[ElementHandle], None]


class ViewRecorder:
    """Keeps the latest view that the house has sent to a page, to compare the picture with it."""

    def __init__(self, page: Page) -> None:
        self.view: dict[str, Any] = {}
        page.on("websocket", self._record)

    def _record(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: self._receive(json.loads(frame)))

    def _receive(self, message: dict[str, Any]) -> None:
        if message["type"] in ("sync", "update") and message.get("view"):
            self.view = message["view"]

    @property
    def position(self) -> dict[str, Any]:
        return dict(self.view["position"])


def sit_at_drawn_table(
    one: Guest, house: str, game: str, bots: Sequence[str], options: dict[str, str], first: str
) -> ViewRecorder:
    """Begin a game against bots, and wait until the first piece that fits `first` is drawn."""
    recorder = ViewRecorder(one.page)
    code = open_by_api(one.page, house, game, ["you", *bots], options)
    one.page.goto(f"{house}/t/{code}")
    expect(one.page.locator(first).first).to_be_visible()
    return recorder


def leave_pieces(page: Page) -> None:
    """Move the mouse off the pieces: an explanation of one may cover another."""
    page.mouse.move(0, 0)


def touch_if_there(page: Page, selector: str, touch: Touch) -> None:
    """Touch a piece, unless it is gone before that, because others play too."""
    piece = page.query_selector(selector)
    if piece is None:
        return
    leave_pieces(page)
    try:
        touch(piece)
    except Error:
        if piece.evaluate("node => node.isConnected"):
            raise


def wait_for_picture(page: Page, difference: Callable[[], str], skip: str = SKIP_SCENES) -> None:
    """Skip scenes until there is no difference between the picture and the position."""

    def is_same() -> bool:
        page.evaluate(skip)
        return difference() == ""

    wait_until(page, is_same, difference)
