"""Playing line by line: for pipes, for screen readers, and for who likes it plain."""

from collections.abc import Callable

from cosca.cli import rulebook
from cosca.cli import session as kinds
from cosca.cli.saved import SavedGame
from cosca.cli.seating import PERSON
from cosca.cli.session import Answer, Session
from cosca.core.drawing import Drawing
from cosca.core.errors import Refused
from cosca.words import say

Read = Callable[[str], str]
"""Asks with a prompt for a line; raises EOFError when there are no more."""
Write = Callable[[str], None]
"""Prints a line."""


class Plain:
    """A game in lines: what happened, the table, a question, an answer."""

    def __init__(
        self, session: Session, saved: SavedGame, read: Read, write: Write, *, patient: bool
    ) -> None:
        self.session = session
        self.saved = saved
        self.patient = patient
        """Whether to ask again after a mistake; lines from a file or a program end there."""
        self._read = read
        self._write = write
        self._told = session.since
        self._looked = 0

    def run(self) -> None:
        """Play to the end of the game, or of the input."""
        self._greet()
        while not self.session.is_over:
            if self.session.is_my_turn:
                self._tell_news()
                self._look()
                self._show(self.session.preview())
                if not self._have_a_turn():
                    return
            else:
                self.session.step()
                self._keep()
                self._tell_news()
                self._look()
        self._tell_news()
        self._show(self.session.drawing())
        self._say("play.over", result=self.session.result())
        self._say("play.recorded", file=str(self.saved.record_of(self.session)))

    # --- One turn -------------------------------------------------------------------------------

    def _have_a_turn(self) -> bool:
        """Ask until a move is made; whether the person plays on."""
        while True:
            try:
                answer = self.session.type(self._read(self._prompt()))
                if answer.kind == kinds.QUIT:
                    self._quit()
                    return False
                if answer.kind == kinds.CONFIRM:
                    self.session.confirm()
                    self._keep()
                    return True
                if answer.kind in (kinds.REACTED, kinds.LATE):
                    self._say(f"play.{answer.kind}", move=answer.text)
                    self._keep()
                    return True
                self._ACTS[answer.kind](self, answer)
            except EOFError:
                self._write("")
                self._quit()
                return False
            except Refused as refused:
                if not self.patient:
                    raise
                self._say(refused.key, **refused.params)

    def _prompt(self) -> str:
        game = self.session.game.name
        if self.session.is_race:
            self.session.begin_race()
            return say("play.prompt_race", {"seconds": int(kinds.RACE)})
        if self.session.pending is None:
            return say("play.prompt", {"name": self.session.name(self.session.seat)})
        question = say(f"{game}.play.confirm", {})
        return say("play.prompt_confirm", {"question": question})

    def _keep(self) -> None:
        self.saved.write(self.session)

    def _quit(self) -> None:
        self._keep()
        self._say("play.saved", game=self.session.game.name)

    # --- What may be asked for ------------------------------------------------------------------

    def _preview(self, answer: Answer) -> None:
        self._show(self.session.preview())
        self._say("play.thought_of", move=answer.text)

    def _undo(self, answer: Answer) -> None:
        self.session.undo()
        self._say("play.undone")

    def _menu(self, answer: Answer) -> None:
        for number, move in enumerate(self.session.open_menu(), start=1):
            self._write(f"{number:>3}  {self.session.tell(move)}")
        self._say("play.menu")

    def _rules(self, answer: Answer) -> None:
        self._write(rulebook.keys(self.session.game))
        self._write("")
        self._write(rulebook.rules(self.session.game))

    def _hint(self, answer: Answer) -> None:
        for line in self.session.hint():
            self._write(line)

    def _log(self, answer: Answer) -> None:
        for line in self.session.happenings():
            self._write(line)

    def _map(self, answer: Answer) -> None:
        self._show(self.session.preview())

    def _list(self, answer: Answer) -> None:
        for line in self.session.preview().sentences:
            self._write(line)

    def _nothing(self, answer: Answer) -> None:
        self._say("play.how", example=say(f"{self.session.game.name}.play.example", {}))

    _ACTS = {  # noqa: RUF012 - never changed
        kinds.PREVIEW: _preview,
        kinds.NOTHING: _nothing,
        kinds.UNDO: _undo,
        kinds.MENU: _menu,
        kinds.RULES: _rules,
        kinds.HINT: _hint,
        kinds.LOG: _log,
        kinds.MAP: _map,
        kinds.LIST: _list,
    }

    # --- What is printed ------------------------------------------------------------------------

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
        self._nothing(Answer(kinds.NOTHING))

    def _tell_news(self) -> None:
        for line in self.session.happenings(self._told):
            self._write(line)
        self._told = len(self.session.table.events)

    def _look(self) -> None:
        """Who sits at a terminal looks at cards as long as they like; then they are wiped away."""
        sights = self.session.sights()
        if self._looked == len(self.session.table.events):
            return
        self._looked = len(self.session.table.events)
        for sight in sights:
            self._write(sight)
        if sights and self.patient:
            self._read(say("play.put_back", {}))
            self._write(f"\x1b[{len(sights) + 1}F\x1b[J" + say("play.were_put_back", {}))

    def _show(self, drawing: Drawing) -> None:
        self._write("")
        for line in [*drawing.board, *drawing.players]:
            self._write("".join(piece.text for piece in line).rstrip())
        self._write("")
