"""A screen with a long text: the rules, or the log of a game."""

from typing import ClassVar

from rich.markdown import Markdown
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import Screen
from textual.widgets import Static

from cosca.words import say


class TextScreen(Screen[None]):
    """A text to scroll through, and a key to go back."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,f1,f4,q,question_mark,enter", "back", show=False)
    ]
    CSS = """
    TextScreen { background: $background; }
    TextScreen VerticalScroll { padding: 0 2; }
    TextScreen #page { width: 100%; max-width: 100; height: auto; padding: 1 0; }
    TextScreen #keys { dock: bottom; height: 1; padding: 0 2; background: $panel; color: $primary; }
    """

    def __init__(self, markdown: str, *, scroll_to_end: bool = False) -> None:
        super().__init__()
        self._markdown = markdown
        self._from_the_end = scroll_to_end

    def compose(self) -> ComposeResult:
        with VerticalScroll():
            # One widget for all of it: one for each paragraph takes seconds to open.
            yield Static(Markdown(self._markdown, hyperlinks=False), id="page")
        yield Static(say("play.reading_keys", {}), id="keys")

    def on_mount(self) -> None:
        page = self.query_one(VerticalScroll)
        page.focus()
        if self._from_the_end:
            page.anchor()

    def action_back(self) -> None:
        self.dismiss()
