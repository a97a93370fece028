"""The full-screen replay: step through a recorded game."""

from collections.abc import Callable, Sequence
from typing import ClassVar

from rich.table import Table
from rich.text import Text
from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Grid, Horizontal, VerticalScroll
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import Footer, Static

from cosca.cli.palette import THEME, highlight_names, paint, style
from cosca.cli.replay import POLL, RecordFile
from cosca.cli.table_screen import DEFAULT_PACE, LATEST_MARK, OLD_NEWS_LINES, PACES, WIDE_COLUMNS
from cosca.cli.text_screen import TextScreen
from cosca.cli.verify import format_broken
from cosca.core.drawing import Drawing, Line
from cosca.core.errors import Refused
from cosca.core.names import SPECTATOR, Seat
from cosca.core.options import AIDED
from cosca.match.replay import OMNISCIENT, Viewer
from cosca.match.score_sheet import (
    describe_events,
    format_ply,
    format_score_sheet,
    quote_unsafe,
    seat_name,
)
from cosca.match.verification import InvalidRecord
from cosca.words import say

ENDLESS = 10_000
"""Columns that keep a line of the score from wrapping."""
DIGITS = tuple("0123456789")
MOST_DIGITS = 7
NAME = 12
"""Columns for the name of a seat; the name of the player follows."""
LONGEST_NAME = 24


class ReplayScreen(Screen[None]):
    """The table after some of the moves, and keys to step forward and back."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,space", "next", say("replay.key_next", {}), key_display="→"),
        Binding("left,backspace", "back", say("replay.key_back", {}), key_display="←"),
        Binding("pagedown", "next_round", say("replay.key_round", {}), key_display="PgDn"),
        Binding("pageup", "round_before", show=False),
        Binding("up", "scroll_news(-1)", show=False),
        Binding("down", "scroll_news(1)", show=False),
        Binding("home", "begin", show=False),
        Binding("end", "end", show=False),
        Binding("p", "play", say("replay.key_play", {})),
        Binding("f6", "pace", show=False),
        Binding("v", "viewer", say("replay.key_viewer", {})),
        Binding("g", "go_to", say("replay.key_go_to", {})),
        Binding("s", "score", say("replay.key_score", {})),
        Binding("l,f4", "log", show=False),
        Binding("question_mark,f1", "help", say("replay.key_help", {}), key_display="?"),
        Binding("q", "quit", say("replay.key_quit", {})),
    ]
    CSS = """
    ReplayScreen { background: $background; }
    #title { height: 1; background: $panel; padding: 0 1; }
    #title .left { width: 1fr; color: $foreground; text-style: bold; }
    #title .right { width: auto; }
    #table { height: 1fr; grid-size: 2 2; grid-columns: 1fr 44; grid-gutter: 0 1; padding: 0 1; }
    #board { column-span: 2; content-align: center top; width: 100%; }
    #board, #players, #move { text-wrap: nowrap; text-overflow: ellipsis; }
    #players { height: 100%; }
    #news { height: 100%; border: none; border-top: solid $secondary; border-title-color: $primary;
        border-title-align: left; scrollbar-size-vertical: 1; }
    #news Static { width: 100%; height: auto; }
    #table.wide { grid-columns: 78 1fr; grid-gutter: 0 3; padding: 1 2 0 2; }
    #table.wide #board { column-span: 1; content-align: left top; }
    #table.wide #news { row-span: 2; }
    #move { height: 1; padding: 0 1; background: $panel; }
    #ask { height: 1; padding: 0 1; background: $panel; }
    Footer { background: $panel; }
    """

    def __init__(self, source: RecordFile, viewer: Viewer, at: int, *, follow: bool) -> None:
        super().__init__()
        self.source = source
        self.replay = source.replay
        self.requested_viewer = viewer
        """The viewer given on the command line. If it is a seat, no other may be shown."""
        self.viewer = viewer
        self.at = at
        self.follow = follow
        self.pace = DEFAULT_PACE
        self.typed: str | None = None
        self._play_timer: Timer | None = None
        self._poll_timer: Timer | None = None

    def compose(self) -> ComposeResult:
        with Horizontal(id="title"):
            yield Static(classes="left")
            yield Static(classes="right")
        with Grid(id="table"):
            yield Static(id="board")
            with VerticalScroll(id="news", can_focus=False):
                yield Static()
            yield Static(id="players")
        yield Static(id="move")
        yield Static(id="ask")
        yield Footer(show_command_palette=False, compact=True)

    def on_mount(self) -> None:
        self.query_one("#news").border_title = say("play.events", {})
        if self.follow and not self.source.is_finished:
            self._poll_timer = self.set_interval(POLL, self.poll)
        self.show()

    def on_resize(self, event: events.Resize) -> None:
        self.show()

    def _arrange(self, lines: int) -> None:
        """Give the board the lines it needs now, and the events the rest."""
        wide = self.size.width >= WIDE_COLUMNS
        table = self.query_one("#table", Grid)
        table.set_class(wide, "wide")
        table.styles.grid_rows = f"{lines + wide} 1fr"

    # --- Display --------------------------------------------------------------------------------

    def show(self, message: Text | None = None) -> None:
        """Update everything on the screen."""
        now, before = self._drawing(self.at), self._drawing(max(0, self.at - 1))
        self._arrange(len(now.board))
        self.query_one("#board", Static).update(_paint_changes(now.board, before.board))
        players = _paint_changes(now.players, before.players).append_text(self._who_played(now))
        self.query_one("#players", Static).update(players)
        self.query_one("#news Static", Static).update(self._news())
        self.query_one("#news", VerticalScroll).anchor()
        game = self.replay.game
        title = {"title": game.title, "edition": game.edition_of(self.replay.settings)}
        self.query_one("#title .left", Static).update(say("replay.title", title))
        self.query_one("#title .right", Static).update(self._status())
        self.query_one("#move", Static).update(self._move())
        self.query_one("#ask", Static).update(message or self._message())

    def _drawing(self, number: int) -> Drawing:
        """Return the table after `number` moves, with everything the viewer has learnt."""
        replay = self.replay
        if self.viewer is OMNISCIENT:
            position = replay.reveal(number)
        else:
            position = replay.position(number, self.viewer)
        option, value = AIDED
        aid = {option: value} if option in replay.settings else {}
        return replay.game.render_drawing(position, {**replay.settings, **aid}, say)

    def _status(self) -> Text:
        """Return the move number, the round, and the viewer."""
        where = {"number": self.at, "most": len(self.replay.plies)}
        where |= {"round": self.replay.round(self.at)}
        look = "accent" if self.viewer in (OMNISCIENT, SPECTATOR) else f"seat.{self.viewer} strong"
        return Text(say("replay.where", {**where, "viewer": self._viewer_text()}), style(look))

    def _viewer_text(self) -> str:
        if self.viewer is OMNISCIENT:
            return say("replay.all_revealed", {})
        if self.viewer == SPECTATOR:
            return say("replay.as_spectator", {})
        return say("replay.as_known_to", {"name": self._seat_name(self.viewer)})

    def _seat_name(self, seat: Seat) -> str:
        return seat_name(self.replay.game, seat)

    def _move(self) -> Text:
        """Return the line of the score for the last move."""
        if not self.at:
            return Text()
        (line,) = format_ply(self.replay, self.replay.plies[self.at - 1], self.viewer, ENDLESS)
        return highlight_names(line, "strong", self._names())

    def _message(self) -> Text:
        """Return the message below the table: the state of the replay, or an error."""
        if self.typed is not None:
            return Text(say("replay.to", {"typed": self.typed}), style("accent"))
        if not self._fits():
            return Text(say("play.too_small", {}), style("alarm"))
        if self.replay.is_over(self.at):
            return Text(say("replay.over", {"result": self._result()}), style("accent"))
        if self.at == len(self.replay.plies):
            waits = self._poll_timer is not None
            return Text(say("replay.waiting" if waits else "replay.at_the_end", {}), style("dim"))
        if self._play_timer:
            return self._pace("replay.going")
        return Text(say("replay.not_begun", {}) if not self.at else "", style("dim"))

    def _pace(self, key: str) -> Text:
        return Text(say(key, {"pace": say(f"play.pace.{self.pace}", {})}), style("accent"))

    def _result(self) -> str:
        winners = self.replay.winners
        names = say("play.and", {}).join(self._seat_name(seat) for seat in winners)
        return say("play.they_won", {"names": names, "number": len(winners)})

    def _who_played(self, drawing: Drawing) -> Text:
        """Return the names of the players, if there is room below the table."""
        if self.query_one("#players").size.height < len(drawing.players) + 1 + self.replay.seats:
            return Text()
        text = Text("\n", style("dim"), no_wrap=True)
        for seat, player in enumerate(self.replay.players):
            text.append(f"\n      {self._seat_name(seat):<{NAME}}", style(f"seat.{seat}"))
            text.append(quote_unsafe(player)[:LONGEST_NAME])
        return text

    def _fits(self) -> bool:
        """Return whether the whole table fits on the screen."""
        drawing = self._drawing(self.at)
        room = self.query_one("#table").content_size
        width = max(sum(len(piece.text) for piece in line) for line in drawing.board)
        return room.width >= width and room.height >= len(drawing.board) + len(drawing.players)

    def _names(self) -> list[str]:
        return [self._seat_name(seat) for seat in range(self.replay.seats)]

    def _news(self) -> Table:
        """Return the events of earlier moves and of the last move."""
        news = Table.grid(padding=(0, 1, 0, 0))  # a grid, so that long lines wrap beside their mark
        for line in self._happenings(max(0, self.at - OLD_NEWS_LINES), self.at - 1)[
            -OLD_NEWS_LINES:
        ]:
            news.add_row(Text(" "), highlight_names(line, "dim", self._names()))
        for line in self._happenings(max(0, self.at - 1), self.at):
            news.add_row(
                Text(LATEST_MARK, style("accent")), highlight_names(line, "strong", self._names())
            )
        return news

    def _happenings(self, since: int, until: int) -> list[str]:
        """Return the events of some moves that the viewer could see."""
        plies = self.replay.plies[since : max(until, 0)]
        return [line for ply in plies for line in describe_events(self.replay, ply, self.viewer)]

    # --- Stepping -------------------------------------------------------------------------------

    def go(self, number: int) -> None:
        """Show the game after `number` moves, or after the last one."""
        self.at = max(0, min(number, len(self.replay.plies)))
        self.show()

    def _step_to(self, number: int) -> None:
        """Go to a move the user has chosen, and stop automatic play."""
        self._stop()
        self.typed = None
        self.go(number)

    def action_next(self) -> None:
        self._step_to(self.at + 1)

    def action_back(self) -> None:
        self._step_to(self.at - 1)

    def action_next_round(self) -> None:
        self._step_to(self.replay.round_after(self.at))

    def action_round_before(self) -> None:
        self._step_to(self.replay.round_before(self.at))

    def action_begin(self) -> None:
        self._step_to(0)

    def action_end(self) -> None:
        self._step_to(len(self.replay.plies))

    # --- Typed move numbers -----------------------------------------------------------------------

    def on_key(self, event: events.Key) -> None:
        """Collect digits of a move number; Enter goes there, any other key cancels the number."""
        is_digit = event.key in DIGITS
        if is_digit or (self.typed is not None and event.key in ("backspace", "enter")):
            event.stop()
            event.prevent_default()
            self._type(event.key)
        elif self.typed is not None:
            self.typed = None
            self.show()

    def _type(self, key: str) -> None:
        typed = self.typed or ""
        if key != "enter":
            self.typed = typed[:-1] if key == "backspace" else (typed + key)[:MOST_DIGITS]
            self.show()
        elif typed:
            self._go_to(int(typed))

    def action_go_to(self) -> None:
        self.typed = ""
        self.show()

    def _go_to(self, number: int) -> None:
        self.typed = None
        most = len(self.replay.plies)
        if number <= most:
            self._step_to(number)
        else:
            self._show_error(say("replay.no_such_move", {"number": number, "most": most}))

    def _show_error(self, sentence: str) -> None:
        self.show(Text(sentence, style("alarm")))

    # --- Automatic play ---------------------------------------------------------------------------

    def action_play(self) -> None:
        """Start or stop automatic play."""
        if self._play_timer:
            self._stop()
            self.show(self._pace("replay.stopped"))
        elif self.at < len(self.replay.plies):
            self._wait()
            self.show()

    def action_pace(self) -> None:
        """Choose the next slower pace; after the slowest comes instant play."""
        self.pace = (self.pace + 1) % len(PACES)
        if not self._play_timer:
            self.show(self._pace("replay.stopped"))
            return
        self._stop()
        self._wait()
        self.show()

    def _wait(self) -> None:
        if PACES[self.pace]:
            self._play_timer = self.set_timer(PACES[self.pace], self.tick)
        else:
            self.action_end()

    def _stop(self) -> None:
        if self._play_timer:
            self._play_timer.stop()
        self._play_timer = None

    def tick(self) -> None:
        """Show the next move in automatic play."""
        self._stop()
        if self.at + 1 < len(self.replay.plies):
            self._wait()
        self.go(self.at + 1)

    # --- Growing files ----------------------------------------------------------------------------

    def poll(self) -> None:
        """Read new lines of the file; if the last move is shown, move on to the newest."""
        stands_at_the_end = self.at == len(self.replay.plies)
        try:
            grown = self.source.poll()
        except InvalidRecord as broken:
            self._stop_with_error(format_broken(broken), 1)
            return
        except Refused as refused:
            self._stop_with_error(say(refused.key, refused.params), 2)
            return
        if self.source.is_finished:
            self._stop_polling()
        if grown and stands_at_the_end:
            self.at = len(self.replay.plies)
        if grown or self.source.is_finished:
            self.show()

    def _stop_polling(self) -> None:
        if self._poll_timer:
            self._poll_timer.stop()
        self._poll_timer = None

    def _stop_with_error(self, sentence: str, code: int) -> None:
        """Stop reading the file after an error; what was read so far stays visible."""
        self._stop_polling()
        if isinstance(self.app, ReplayApp):
            self.app.failure = (sentence, code)
        self._show_error(sentence)

    # --- Viewer, pages, quitting ------------------------------------------------------------------

    def action_viewer(self) -> None:
        """Switch to the next viewer: everything revealed, each seat, a spectator."""
        if self.requested_viewer is not OMNISCIENT:
            name = self._seat_name(self.requested_viewer)
            self._show_error(say("replay.only_this_viewer", {"name": name}))
            return
        order: Sequence[Viewer] = (OMNISCIENT, *range(self.replay.seats), SPECTATOR)
        self.viewer = order[(order.index(self.viewer) + 1) % len(order)]
        self.show()

    def action_scroll_news(self, lines: int) -> None:
        """Scroll the events."""
        self.query_one("#news", VerticalScroll).scroll_relative(y=lines, animate=False)

    def action_score(self) -> None:
        """Show the score so far."""
        text = format_score_sheet(self.replay, self.viewer, self.at)
        self.app.push_screen(TextScreen(f"```text\n{text}```", scroll_to_end=True))

    def action_log(self) -> None:
        """Show all events so far."""
        lines = self._happenings(0, self.at)
        self.app.push_screen(
            TextScreen("\n".join(f"- {line}" for line in lines), scroll_to_end=True)
        )

    def action_help(self) -> None:
        self.app.push_screen(TextScreen(say("replay.help", {"title": self.replay.game.title})))

    async def action_quit(self) -> None:
        await self.app.action_quit()


def _paint_changes(now: list[Line], before: list[Line]) -> Text:
    """Render a drawing with its changes highlighted."""
    return paint(now, before if len(before) == len(now) else None)


class ReplayApp(App[str]):
    """The application for one replay; it returns an error message, or nothing."""

    TITLE = "Cosca"
    ENABLE_COMMAND_PALETTE = False

    def __init__(
        self,
        source: RecordFile,
        viewer: Viewer = OMNISCIENT,
        at: int | None = None,
        *,
        follow: bool = False,
    ) -> None:
        super().__init__()
        begin = len(source.replay.plies) if follow else 0
        self._first: Callable[[], ReplayScreen] = lambda: ReplayScreen(
            source, viewer, begin if at is None else at, follow=follow
        )
        self.failure = ("", 0)

    def on_mount(self) -> None:
        self.register_theme(THEME)
        self.theme = THEME.name
        self.push_screen(self._first())

    async def action_quit(self) -> None:
        """Quit, and print the error once more, if there was one."""
        sentence, code = self.failure
        self.exit(sentence, return_code=code)
