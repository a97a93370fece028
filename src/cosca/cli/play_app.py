"""The application that runs full-screen games: the setup, then one game after another."""

from typing import Any, ClassVar

from textual.app import App
from textual.binding import Binding, BindingType

from cosca.cli.palette import THEME
from cosca.cli.saved_game import SavedGame
from cosca.cli.session import Session
from cosca.cli.setup_screen import GameSetup, SetupScreen
from cosca.cli.table_screen import DEFAULT_PACE, TableScreen
from cosca.core.game import Game
from cosca.words import say


class PlayApp(App[str]):
    """The full-screen application; it returns the message to print at the end."""

    TITLE = "Cosca"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "quit", say("play.key_quit", {}), priority=True)
    ]

    def __init__(
        self,
        game: Game[Any, Any],
        session: Session | None = None,
        *,
        pace: int = DEFAULT_PACE,
    ) -> None:
        super().__init__()
        self.game = game
        self.pace = pace
        self._session = session
        self._saved = SavedGame(game)

    def on_mount(self) -> None:
        self.register_theme(THEME)
        self.theme = THEME.name
        if self._session:
            self._start_session(self._session)
        else:
            self._show_setup()

    def _show_setup(self) -> None:
        opening = GameSetup(self.game, lambda game: SavedGame(game).read())
        self.push_screen(SetupScreen(opening), self._start_session)

    def _start_session(self, session: Session | None) -> None:
        if session is None:
            self.exit("")
            return
        self.game = session.game
        self._session = session
        self._saved = SavedGame(session.game)
        self.push_screen(TableScreen(session, self._saved, self.pace), self._finish_session)

    async def action_quit(self) -> None:
        """Quit from any screen; a game in progress is saved."""
        while not isinstance(self.screen, TableScreen):
            if len(self.screen_stack) <= 2:
                self.exit("")
                return
            await self.pop_screen()
        self.screen.leave()

    def _finish_session(self, choice: str | None) -> None:
        """Start another game, or quit with a message about the saved game or the record."""
        if choice == "another":
            self._show_setup()
        elif self._session:
            self.exit(self._saved.last_words(self._session))
