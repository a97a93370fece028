"""The plain interface (`--plain`): a game line by line, for pipes and screen readers."""

from collections.abc import Callable

from cosca.cli import rulebook
from cosca.cli import session as kinds
from cosca.cli.saved_game import SavedGame
from cosca.cli.seating import PERSON
from cosca.cli.session import InputResult, Session
from cosca.cli.terminal import text_width, wrap_markdown, wrap_text
from cosca.core.drawing import Drawing
from cosca.core.errors import Refused
from cosca.match.typed_moves import list_examples
from cosca.words import say

Read = Callable[[str], str]
"""Prints a prompt and reads a line; raises EOFError at the end of the input."""
Write = Callable[[str], None]
"""Prints a line."""
Width = Callable[[], int]
"""Returns the width of a line."""


class PlainInterface:
    """Plays a session in plain text: prints events and the table, then reads a move."""

    def __init__(
        self,
        session: Session,
        saved: SavedGame,
        read: Read,
        write: Write,
        *,
        interactive: bool,
        width: Width = text_width,
    ) -> None:
        self.session = session
        self.saved = saved
        self.interactive = interactive
        """Whether to ask again after an error; piped input stops at the first one."""
        self._read_line = read
        self._write_line = write
        self._width = width
        self._events_printed = session.news_start
        self._glimpsed_until = 0

    def run(self) -> None:
        """Play to the end of the game, or of the input."""
        self._greet()
        while not self.session.is_over:
            if self.session.is_my_turn:
                self._print_news()
                self._show_glimpses()
                self._show(self.session.preview())
                if not self._take_turn():
                    return
            else:
                self.session.advance()
                self._save()
                self._print_news()
                self._show_glimpses()
        self._print_news()
        self._show(self.session.drawing())
        self._say("play.over", result=self.session.result())
        for line in self.session.ranking():
            self._write(line)
        self._write(self.saved.last_words(self.session))

    # --- One turn -------------------------------------------------------------------------------

    def _take_turn(self) -> bool:
        """Read input until a move is made; return False if the player quits."""
        while True:
            try:
                answer = self.session.handle_input(self._read(self._prompt()))
                if answer.kind == kinds.QUIT:
                    self._quit()
                    return False
                if answer.kind == kinds.CONFIRM:
                    self.session.confirm()
                    self._save()
                    return True
                if answer.kind in (kinds.REACTED, kinds.LATE):
                    self._say(f"play.{answer.kind}", move=answer.text)
                    self._save()
                    return True
                self._HANDLERS[answer.kind](self, answer)
            except EOFError:
                self._write("")
                self._quit()
                return False
            except Refused as refused:
                if not self.interactive:
                    raise
                self._say(refused.key, **refused.params)

    def _prompt(self) -> str:
        game = self.session.game.name
        if self.session.is_reaction_window:
            self.session.start_reaction_clock()
            return say("play.prompt_race", {"seconds": int(kinds.REACTION_SECONDS)})
        if self.session.pending is None:
            return say("play.prompt", {"name": self.session.name(self.session.seat)})
        question = say(f"{game}.play.confirm", {})
        return say("play.prompt_confirm", {"question": question})

    def _save(self) -> None:
        if refused := self.saved.keep(self.session):
            self._say(refused.key, **refused.params)

    def _quit(self) -> None:
        self.saved.keep(self.session)
        self._write(self.saved.last_words(self.session))

    # --- Commands -------------------------------------------------------------------------------

    def _preview(self, answer: InputResult) -> None:
        self._show(self.session.preview())
        self._say("play.previewed", move=answer.text)

    def _undo(self, answer: InputResult) -> None:
        self.session.undo()
        self._say("play.undone")

    def _menu(self, answer: InputResult) -> None:
        for number, move in enumerate(self.session.open_menu(), start=1):
            self._write(f"{kinds.MENU_MARK + str(number):>3}  {self.session.format_move(move)}")
        self._say("play.menu")

    def _rules(self, answer: InputResult) -> None:
        text = f"{rulebook.controls(self.session.game)}\n\n{self.session.rules()}"
        for line in wrap_markdown(text, self._width()):
            self._write_line(line)

    def _hint(self, answer: InputResult) -> None:
        for line in self.session.hint():
            self._write(line)

    def _log(self, answer: InputResult) -> None:
        for line in self.session.event_lines():
            self._write(line)

    def _map(self, answer: InputResult) -> None:
        self._show(self.session.preview())

    def _list(self, answer: InputResult) -> None:
        for line in self.session.preview().sentences:
            self._write(line)

    def _show_usage(self, answer: InputResult) -> None:
        self._say("play.how", example=list_examples(self.session.game))

    _HANDLERS = {  # noqa: RUF012 - never changed
        kinds.PREVIEW: _preview,
        kinds.EMPTY: _show_usage,
        kinds.UNDO: _undo,
        kinds.MENU: _menu,
        kinds.RULES: _rules,
        kinds.HINT: _hint,
        kinds.LOG: _log,
        kinds.MAP: _map,
        kinds.LIST: _list,
    }

    # --- Output ---------------------------------------------------------------------------------

    def _write(self, text: str) -> None:
        """Print a text, broken between words."""
        for line in wrap_text(text, self._width()):
            self._write_line(line)

    def _read(self, prompt: str) -> str:
        """Read a line after a prompt, of which all but the last line is printed before."""
        *before, last = wrap_text(prompt, self._width() - 1)
        for line in before:
            self._write_line(line)
        return self._read_line(f"{last} ")

    def _say(self, key: str, **params: int | str) -> None:
        self._write(say(key, params))

    def _greet(self) -> None:
        session = self.session
        bots = [
            say("play.opponent", {"name": session.name(seat), "bot": bot})
            for seat, bot in enumerate(session.seating.bots)
            if bot != PERSON
        ]
        self._say(
            "play.welcome",
            title=session.game.title,
            edition=session.edition(),
            seats=session.table.seats,
            name=session.name(session.seat),
            opponents=", ".join(bots),
        )
        self._write(session.seal())
        self._show_usage(InputResult(kinds.EMPTY))

    def _print_news(self) -> None:
        for line in self.session.event_lines(self._events_printed):
            self._write(line)
        self._events_printed = len(self.session.table.events)

    def _show_glimpses(self) -> None:
        """Show cards that are visible only briefly; at a terminal, erase them after Enter."""
        glimpses = self.session.glimpses()
        if self._glimpsed_until == len(self.session.table.events):
            return
        self._glimpsed_until = len(self.session.table.events)
        lines = [line for sight in glimpses for line in wrap_text(sight, self._width())]
        for line in lines:
            self._write_line(line)
        if glimpses and self.interactive:
            self._read(say("play.put_back", {}))
            self._write_line(f"\x1b[{len(lines) + 1}F\x1b[J" + say("play.were_put_back", {}))

    def _show(self, drawing: Drawing) -> None:
        """Print the table; where it is too wide, in sentences."""
        lines = [
            "".join(piece.text for piece in line).rstrip()
            for line in [*drawing.board, *drawing.players]
        ]
        if max(map(len, lines)) > self._width():
            lines = [part for text in drawing.sentences for part in wrap_text(text, self._width())]
        for line in ["", *lines, ""]:
            self._write_line(line)
