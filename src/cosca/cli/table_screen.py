"""The full-screen game: the table, recent events, and a line to type moves in."""

from collections.abc import Callable
from typing import Any, ClassVar

from rich.table import Table
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Grid, Horizontal, VerticalScroll
from textual.message import Message
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import Footer, Input, OptionList, Static
from textual.widgets.option_list import Option

from cosca.cli import rulebook
from cosca.cli import session as kinds
from cosca.cli.palette import highlight_names, paint, style
from cosca.cli.saved_game import SavedGame
from cosca.cli.session import Session
from cosca.cli.text_screen import TextScreen
from cosca.core.drawing import Drawing, Line
from cosca.core.errors import Refused
from cosca.match.typed_moves import list_examples
from cosca.words import say

PACES = (0.0, 0.5, 1.2, 2.5)
"""Seconds between the turns of two bots at each pace; the first pace is instant."""
DEFAULT_PACE = 2
WIDE_COLUMNS = 124
"""From this width on, events are shown beside the board, not below it."""
TITLE_AND_INPUT = 2
"""Lines of the screen besides the table, the message and the keys."""
FEWEST_PLAYER_LINES = 3
"""Lines that the players keep where not everything fits."""
SHORT_HELP_LINES = 9
"""Lines of the short help."""
GLIMPSE_SECONDS = 6.0
"""Seconds for which a card stays visible to a player who looks at it."""
TICK = 0.1
BAR_WIDTH = 20
"""Length of the bar that shows the time left to react."""
OLD_NEWS_LINES = 40
"""Number of older event lines to show; the log has them all."""
LATEST_MARK = "▸"


class MoveInput(Input):
    """The input line for moves. While it is empty, a few keys act at once."""

    class Pressed(Message):
        """A key was pressed that is a command by itself."""

        def __init__(self, command: str) -> None:
            super().__init__()
            self.command = command

    def on_key(self, event: events.Key) -> None:
        screen = self.screen
        if isinstance(screen, TableScreen) and screen.skip_wait():
            if event.key in ("space", "enter"):
                self._consume(event)
        elif isinstance(screen, TableScreen) and screen.handle_reaction_key(self.value, event):
            self._consume(event)
            self.clear()
        elif not self.value and event.character == "?":
            self._consume(event)
            self.post_message(self.Pressed(kinds.RULES))
        elif not self.value and event.key == "u" and _has_pending_move(screen):
            self._consume(event)
            self.post_message(self.Pressed(kinds.UNDO))

    def _consume(self, event: events.Key) -> None:
        """Keep the key out of the input line and away from a screen that opens now."""
        event.stop()
        event.prevent_default()


def _has_pending_move(screen: Screen[Any]) -> bool:
    """Return whether a move is previewed but not made yet."""
    return isinstance(screen, TableScreen) and screen.session.pending is not None


def _width(lines: list[Line]) -> int:
    return max(sum(len(piece.text) for piece in line) for line in lines)


def _alarm(refused: Refused) -> Text:
    return Text(say(refused.key, refused.params), style("alarm"))


class MoveMenu(OptionList):
    """A list of suggested moves. Typing closes it: what is typed is a move, as without a menu."""

    def on_key(self, event: events.Key) -> None:
        screen = self.screen
        if isinstance(screen, TableScreen) and event.character and event.is_printable:
            if event.character != " ":
                event.stop()
                event.prevent_default()
                screen.type_instead(event.character)


class TableScreen(Screen[str]):
    """A game in progress."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1", "rules", say("play.key_rules", {})),
        Binding("f2", "menu", say("play.key_menu", {})),
        Binding("f3", "hint", say("play.key_hint", {})),
        Binding("f4", "log", say("play.key_log", {})),
        Binding("f6", "pace", say("play.key_pace", {})),
        Binding("escape", "undo", say("play.key_undo", {})),
        Binding("pageup", "scroll_table(-1)", show=False),
        Binding("pagedown", "scroll_table(1)", show=False),
    ]
    CSS = """
    TableScreen { background: $background; layers: base; }
    #title { height: 1; background: $panel; padding: 0 1; }
    #title .left { width: 1fr; color: $foreground; text-style: bold; }
    #title .right { width: auto; }
    #table { height: 1fr; grid-size: 2 3; grid-columns: 1fr 44; grid-gutter: 0 1; padding: 0 1; }
    #table > VerticalScroll { scrollbar-size-vertical: 1; }
    #board-view { column-span: 2; }
    #board { content-align: center top; width: 100%; }
    #news, #menu { row-span: 2; height: 100%; border: none; border-top: solid $secondary;
        border-title-color: $primary; border-title-align: left;
        background: $background; padding: 0; scrollbar-size-vertical: 1; }
    #menu { display: none; }
    #menu:focus { background-tint: $background 0%; }
    #news Static { width: 100%; height: auto; }
    #board, #players { text-wrap: nowrap; }
    #card { display: none; color: $text-muted; border-top: solid $secondary; height: auto; }
    #table.wide { grid-columns: 78 1fr; grid-gutter: 0 3; padding: 1 2 0 2; }
    #table.wide #board-view { column-span: 1; }
    #table.wide #board { content-align: left top; }
    #table.wide #news, #table.wide #menu { row-span: 3; }
    #table.roomy #card { display: block; }
    #table.choosing #news { display: none; }
    #table.choosing #menu { display: block; }
    #ask { height: auto; min-height: 1; padding: 0 1; background: $panel; }
    #line { height: 1; background: $panel; padding: 0 1; }
    #line .mark { width: 2; color: $primary; text-style: bold; }
    #line Input { width: 1fr; background: $panel; border: none; padding: 0; height: 1; }
    Footer { background: $panel; }
    TableScreen.tight Footer { display: none; }
    """

    def __init__(self, session: Session, saved: SavedGame, pace: int) -> None:
        super().__init__()
        self.session = session
        self.saved = saved
        self.pace = pace
        self._timer: Timer | None = None
        self._reaction_timer: Timer | None = None
        self._fits = True
        """Whether the whole table is in sight."""
        self._warning: Text | None = None
        """Shown instead of the question until the player types something."""

    def compose(self) -> ComposeResult:
        with Horizontal(id="title"):
            yield Static(classes="left")
            yield Static(classes="right")
        with Grid(id="table"):
            with VerticalScroll(id="board-view", can_focus=False):
                yield Static(id="board")
            with VerticalScroll(id="news", can_focus=False):
                yield Static()
            yield MoveMenu(id="menu")
            with VerticalScroll(id="players-view", can_focus=False):
                yield Static(id="players")
            yield Static(say("play.quick_help", {}).strip(), id="card")
        yield Static(id="ask")
        with Horizontal(id="line"):
            yield Static("▸", classes="mark")
            yield MoveInput(compact=True, select_on_focus=False)
        yield Footer(show_command_palette=False, compact=True)

    def on_mount(self) -> None:
        self.query_one("#news").border_title = say("play.events", {})
        self.query_one(MoveMenu).border_title = say("play.moves", {})
        self.query_one("#news", VerticalScroll).anchor()
        self.query_one(MoveInput).focus()
        self._continue()

    def on_resize(self, event: events.Resize) -> None:
        self.show()

    def _arrange(self, drawing: Drawing, message: Text) -> None:
        """Give the board and the players the lines they need now; the rest shares what is left.

        Where lines are missing, the keys make room first. Where even that is not enough, the table
        scrolls, and its end stays in sight: there stands the question.
        """
        width, height = self.size
        wide = width >= WIDE_COLUMNS
        board, players = len(drawing.board), len(drawing.players)
        asked = len(message.wrap(self.app.console, max(1, width - 2)))
        needed = board + players + 3 * wide
        free = height - TITLE_AND_INPUT - asked
        tight = needed > free - 1
        self.set_class(tight, "tight")
        free -= not tight
        table = self.query_one("#table", Grid)
        table.set_class(wide, "wide")
        table.set_class(free - needed >= SHORT_HELP_LINES, "roomy")
        least = min(players, FEWEST_PLAYER_LINES) if board + players > free else players
        shown = max(1, min(board, free - 3 * wide - least))
        table.styles.grid_rows = f"{shown + wide} {players + wide} 1fr"
        if shown < board:
            self.query_one("#board-view", VerticalScroll).scroll_end(animate=False)
        self._fits = needed <= free and _width(drawing.board) <= width - 2

    def action_scroll_table(self, pages: int) -> None:
        """Scroll what does not fit."""
        for part in ("#board-view", "#players-view", "#news"):
            view = self.query_one(part, VerticalScroll)
            view.scroll_relative(y=pages * max(1, view.size.height - 1), animate=False)

    # --- Display --------------------------------------------------------------------------------

    def show(self, message: Text | None = None) -> None:
        """Update everything on the screen."""
        session = self.session
        drawing = session.drawing()
        preview = session.preview()
        text = message or self._warning or self._question()
        self._arrange(preview, text)
        if not (self._fits or message or self._warning or session.pending or session.is_over):
            text = self._question()
        self.query_one("#board", Static).update(paint(preview.board, drawing.board))
        self.query_one("#players", Static).update(paint(preview.players, drawing.players))
        self.query_one("#news Static", Static).update(self._news())
        title = {"title": session.game.title, "edition": session.edition()}
        self.query_one("#title .left", Static).update(say("play.title", title))
        self.query_one("#title .right", Static).update(self._whose_turn())
        self.query_one("#ask", Static).update(text)
        self.query_one(MoveInput).placeholder = self._example()

    def _whose_turn(self) -> Text:
        session = self.session
        if session.is_over:
            return Text(say("play.round_over", {}), style("accent"))
        seat = session.actor
        key = "play.round_mine" if seat == session.seat else "play.round_theirs"
        what = say(f"{session.game.name}.about.round", {})
        text = say(key, {"what": what, "round": session.table.round, "name": session.name(seat)})
        return Text(text, style(f"seat.{seat} strong"))

    def _question(self) -> Text:
        """Return the question or message above the input line."""
        session = self.session
        if session.is_over:
            return Text(say("play.another", {"result": session.result()}), style("accent"))
        if session.pending:
            question = say(f"{session.game.name}.play.confirm", {})
            params = {"move": session.pending_text(), "question": question}
            looking = Text(say("play.preview", params) + "  ", style("title"))
            keys = "play.moves_keys" if self._is_menu_open() else "play.preview_keys"
            return looking.append(say(keys, {}), style("accent"))
        if self._reaction_timer is not None:
            bar = "▮" * round(session.time_left() / kinds.REACTION_SECONDS * BAR_WIDTH)
            return Text(say("play.racing", {"bar": bar}), style("accent"))
        if self._timer is not None and session.glimpses():
            return Text(say("play.look_closely", {}), style("accent"))
        if not self._fits:
            return Text(say("play.too_small", {}), style("alarm"))
        name = {"name": session.name(session.actor)}
        if session.is_my_turn:
            return Text(say("play.your_move", name), style(f"seat.{session.seat} strong"))
        return Text(say("play.moving", name), style("dim"))

    def _example(self) -> str:
        """Return an example move, if the player is to move."""
        wanted = self.session.is_my_turn and not self.session.pending
        return list_examples(self.session.game) if wanted else ""

    def _news(self) -> Table:
        """Return the events: older ones, those since the player's last move, and the last turn."""
        session = self.session
        before = [session.seal(), *session.event_lines(0, session.news_start)]
        last_turn = [*session.event_lines(session.last_turn_start), *session.glimpses()]
        parts = [
            (before[-OLD_NEWS_LINES:], "dim", ""),
            (session.event_lines(session.news_start, session.last_turn_start), "", ""),
            (last_turn, "strong", LATEST_MARK),
            (session.ranking(), "strong", ""),
        ]
        names = [session.name(seat) for seat in range(session.table.seats)]
        news = Table.grid(padding=(0, 1, 0, 0))  # a grid, so that long lines wrap beside their mark
        for lines, look, mark in parts:
            for line in lines:
                news.add_row(Text(mark or " ", style("accent")), highlight_names(line, look, names))
        return news

    def show_error(self, refused: Refused) -> None:
        """Show why the input was refused; the refused move is no longer previewed."""
        self.show(_alarm(refused))

    # --- Bots -----------------------------------------------------------------------------------

    def _continue(self) -> None:
        """Let the bots move, one after another, until it is the player's turn."""
        self._timer = None
        if not PACES[self.pace] and not self._play_bots():
            return
        if self._bots_to_move():
            wait = GLIMPSE_SECONDS if self.session.glimpses() else PACES[self.pace]
            self._timer = self.set_timer(wait, self._next_turn)
        elif self.session.is_reaction_window:
            self.session.start_reaction_clock()
            self._reaction_timer = self.set_interval(TICK, self._tick)
        self.show()

    def _tick(self) -> None:
        """Update the bar of a reaction window; when the time is up, the player passes."""
        if self.session.time_left():
            self.query_one("#ask", Static).update(self._question())
        else:
            self._react("")

    def handle_reaction_key(self, typed: str, event: events.Key) -> bool:
        """React if this key completes an answer in a reaction window; return whether it did."""
        if self._reaction_timer is None:
            return False
        text = typed + (event.character or "").strip()
        if event.key in ("enter", "space") or self.session.is_unambiguous(text):
            return self._react(text)
        return False

    def _react(self, text: str) -> bool:
        """Handle an answer in a reaction window. A refused one does not stop the clock."""
        try:
            answer = self.session.handle_input(text)
        except Refused as refused:
            self.show_error(refused)
            return True
        if answer.kind not in (kinds.REACTED, kinds.LATE):
            self._dispatch(answer.kind)
            return True
        self._stop_reaction_timer()
        self._save()
        self._continue()
        if answer.kind == kinds.LATE:
            self.show(Text(say("play.late", {"move": answer.text}), style("alarm")))
        return True

    def _stop_reaction_timer(self) -> None:
        if self._reaction_timer is not None:
            self._reaction_timer.stop()
            self._reaction_timer = None

    def _next_turn(self) -> None:
        if self._advance():
            self._continue()

    def _advance(self) -> bool:
        """Let a bot move and save the game; quit and return False if a bot program fails."""
        try:
            self.session.advance()
        except Refused as refused:
            self.app.exit(say(refused.key, refused.params), return_code=2)
            return False
        self._save()
        return True

    def _bots_to_move(self) -> bool:
        return not self.session.is_over and not self.session.is_my_turn

    def _play_bots(self) -> bool:
        """Let the bots move at once, but stop at cards shown to the player. False on failure."""
        while self._bots_to_move():
            if not self._advance():
                return False
            if self.session.glimpses():
                break
        return True

    def skip_wait(self) -> bool:
        """Stop waiting for the bots; return whether there was a wait."""
        if self._timer is None:
            return False
        self._timer.stop()
        self._timer = None
        if not self._play_bots():
            return True
        self._continue()
        return True

    def _save(self) -> None:
        """Save the game. If that fails, warn once and play on."""
        if refused := self.saved.keep(self.session):
            self._warning = _alarm(refused)

    # --- Input ----------------------------------------------------------------------------------

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Handle a typed line. A refused one stays in the input, to be corrected."""
        self._warning = None
        if self.session.is_over and not event.value.strip():
            self.dismiss("another")
            return
        if self._reaction_timer is not None:
            self._react(event.value)
            event.input.clear()
            return
        try:
            answer = self.session.handle_input(event.value)
            self._dispatch(answer.kind)
            event.input.clear()
        except Refused as refused:
            self.show_error(refused)

    def on_move_input_pressed(self, event: MoveInput.Pressed) -> None:
        self._run_command(event.command)

    def _run_command(self, command: str) -> None:
        try:
            self._dispatch(command)
        except Refused as refused:
            self.show_error(refused)

    def _dispatch(self, command: str) -> None:
        handlers: dict[str, Callable[[], object]] = {
            kinds.PREVIEW: self.show,
            kinds.EMPTY: self.show,
            kinds.MAP: self.show,
            kinds.CONFIRM: self._confirm,
            kinds.UNDO: self._undo,
            kinds.MENU: self._open_menu,
            kinds.RULES: self._read_rules,
            kinds.HINT: self._hint,
            kinds.LOG: self._read_log,
            kinds.LIST: self._read_list,
            kinds.QUIT: self.leave,
        }
        handlers[command]()

    def _confirm(self) -> None:
        self._close_menu()
        self.session.confirm()
        self._save()
        self._continue()

    def _undo(self) -> None:
        self.session.undo()
        self.show()

    def _hint(self) -> None:
        self.show(Text(self.session.hint()[0], style("accent")))  # there is room for two lines

    def _read_rules(self) -> None:
        game = self.session.game
        self.app.push_screen(
            TextScreen(f"{rulebook.controls(game)}\n\n---\n\n{self.session.rules()}")
        )

    def _read_log(self) -> None:
        lines = self.session.event_lines()
        self.app.push_screen(
            TextScreen("\n".join(f"- {line}" for line in lines), scroll_to_end=True)
        )

    def _read_list(self) -> None:
        lines = self.session.preview().sentences
        self.app.push_screen(TextScreen("\n".join(f"- {line}" for line in lines)))

    # --- Menu -----------------------------------------------------------------------------------

    def _open_menu(self) -> None:
        moves = self.session.open_menu()
        menu = self.query_one(MoveMenu)
        menu.clear_options()
        for number, move in enumerate(moves, start=1):
            label = f"{kinds.MENU_MARK + str(number):>3}  {self.session.format_move(move)}"
            menu.add_option(Option(label))
        self.query_one("#table").add_class("choosing")
        menu.focus()
        menu.highlighted = 0

    def _is_menu_open(self) -> bool:
        return self.query_one("#table").has_class("choosing")

    def _close_menu(self) -> None:
        self.query_one("#table").remove_class("choosing")
        self.query_one(MoveInput).focus()

    def type_instead(self, character: str) -> None:
        """Close the menu, drop its preview, and begin to type a move."""
        self._close_menu()
        self.session.pending = None
        self.show()
        line = self.query_one(MoveInput)
        line.value = character
        line.cursor_position = len(character)

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Preview the highlighted move on the board."""
        if self._is_menu_open():
            self.session.propose(self.session.menu[event.option_index])
            self.show()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.session.propose(self.session.menu[event.option_index])
        self._close_menu()
        self.show()

    # --- Keys -----------------------------------------------------------------------------------

    def action_rules(self) -> None:
        self._read_rules()

    def action_menu(self) -> None:
        if self._is_menu_open():
            self._close_menu()
        else:
            self._run_command(kinds.MENU)

    def action_hint(self) -> None:
        self._run_command(kinds.HINT)

    def action_log(self) -> None:
        self._read_log()

    def action_pace(self) -> None:
        """Choose the next slower pace; after the slowest comes instant play."""
        self.pace = (self.pace + 1) % len(PACES)
        self.show(Text(say("play.pace_is", {"pace": self.pace}), style("accent")))

    def action_undo(self) -> None:
        self._close_menu()
        self.query_one(MoveInput).clear()
        if self.session.pending:
            self._undo()

    def leave(self) -> None:
        """Save the game and leave."""
        self._save()
        self.dismiss("leave")
