"""The first screen: choose a game, seats and opponents, or resume a saved game."""

from collections.abc import Callable
from typing import Any, ClassVar

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.containers import Middle
from textual.screen import Screen
from textual.widgets import Static

from cosca.bots.roster import default_bot, description_key, roster
from cosca.catalog import GAMES
from cosca.cli.palette import style
from cosca.cli.seating import Seating, make_seating
from cosca.cli.session import Session
from cosca.core.game import Game
from cosca.words import say

FindSaved = Callable[[Game[Any, Any]], Session | None]
"""Returns the saved session of a game, if there is one."""


class Choice:
    """One line of the setup: a label, its possible values, and the selected one."""

    def __init__(self, key: str, values: list[str], at: int = 0) -> None:
        self.key = key
        self.values = values
        self.at = at

    @property
    def value(self) -> str:
        """The selected value."""
        return self.values[self.at]

    def cycle(self, by: int) -> None:
        """Select a value further on or back, wrapping around."""
        self.at = (self.at + by) % len(self.values)


class GameSetup:
    """The choices before a game, with sensible defaults."""

    def __init__(self, game: Game[Any, Any], kept: FindSaved) -> None:
        self._find_saved = kept
        self._select_game(game)

    def _select_game(self, game: Game[Any, Any]) -> None:
        self.game = game
        self.saved_session = self._find_saved(game)
        seats = [str(number) for number in game.seats]
        bots = list(roster(game))
        self.saved = Choice("saved", ["go_on", "new"] if self.saved_session else ["new"])
        self.games = Choice("game", list(GAMES), list(GAMES).index(game.name))
        self.seats = Choice("seats", seats, game.seats.index(game.default_seats))
        self.edition = Choice("edition", list(game.editions))
        self.bots = Choice("bots", bots, bots.index(default_bot(game)))
        self.you = Choice("you", [str(seat) for seat in range(game.default_seats)])
        self.at = 0

    @property
    def resumes(self) -> bool:
        """Whether the saved game is to be resumed."""
        return self.saved.value == "go_on"

    @property
    def choices(self) -> list[Choice]:
        """The lines to show now."""
        choices = [self.saved] if self.saved_session else []
        choices += [self.games] if len(GAMES) > 1 else []
        return (
            choices if self.resumes else [*choices, self.seats, self.edition, self.bots, self.you]
        )

    def move(self, by: int) -> None:
        """Move the cursor to another line."""
        self.at = (self.at + by) % len(self.choices)

    def change(self, by: int) -> None:
        """Change the value of the current line, and adjust the lines that depend on it."""
        choice = self.choices[self.at]
        choice.cycle(by)
        if choice is self.games:
            self._select_game(GAMES[choice.value])
            self.at = self.choices.index(self.games)
        if choice is self.seats:
            seats = int(choice.value)
            at = min(self.you.at, seats - 1)
            self.you = Choice("you", [str(seat) for seat in range(seats)], at)

    def format_value(self, choice: Choice) -> str:
        """Return a value as it is displayed."""
        if choice is self.you:
            return say(f"{self.game.name}.seat.{choice.value}", {})
        if choice is self.games:
            return self.game.title
        if choice is self.saved and self.resumes and self.saved_session:
            name = self.saved_session.name(self.saved_session.seat)
            what = say(f"{self.saved_session.game.name}.about.round", {})
            began: dict[str, int | str] = {
                "what": what,
                "round": self.saved_session.table.round,
                "name": name,
            }
            return say("play.setup_resume", began)
        return say("play.setup_new", {}) if choice is self.saved else choice.value

    def seating(self) -> Seating:
        """Return the seating that was chosen."""
        return make_seating(
            self.game,
            seats=int(self.seats.value),
            edition=self.edition.value,
            bots=self.bots.value,
            seat=int(self.you.value) + 1,
        )


class SetupScreen(Screen[Session | None]):
    """The setup as a screen: arrow keys change it, Enter starts the game."""

    CSS = """
    SetupScreen { background: $background; align: center middle; }
    SetupScreen Middle { width: 64; height: auto; }
    SetupScreen Static { width: 64; height: auto; }
    """
    VALUE_KEYS: ClassVar = {"left": -1, "right": 1}
    LINE_KEYS: ClassVar = {"up": -1, "down": 1, "tab": 1, "shift+tab": -1}

    def __init__(self, opening: GameSetup) -> None:
        super().__init__()
        self.opening = opening

    def compose(self) -> ComposeResult:
        with Middle():
            yield Static(self._text())

    def on_key(self, event: events.Key) -> None:
        event.stop()
        if event.key in self.LINE_KEYS:
            self.opening.move(self.LINE_KEYS[event.key])
        elif event.key in self.VALUE_KEYS:
            self.opening.change(self.VALUE_KEYS[event.key])
        elif event.key == "enter":
            kept = self.opening.saved_session if self.opening.resumes else None
            self.dismiss(kept or Session.new(self.opening.seating()))
            return
        elif event.key in ("escape", "q", "ctrl+q"):
            self.dismiss(None)
            return
        self.query_one(Static).update(self._text())

    def _text(self) -> Text:
        opening = self.opening
        game = opening.game.name
        text = Text()
        text.append(" ".join(opening.game.title.upper()) + "\n", style("title"))
        text.append(say(f"{game}.about.tagline", {}) + "\n\n", style("dim"))
        for number, choice in enumerate(opening.choices):
            here = number == opening.at
            label = say(f"play.setup_{choice.key}", {})
            text.append("• " if here else "  ", style("accent"))
            text.append(f"{label:<12}", style("title" if here else "dim"))
            look = f"seat.{choice.value}" if choice is opening.you else ""
            text.append("◂ " if here else "  ", style("accent"))
            text.append(opening.format_value(choice), style(f"{look} strong" if here else look))
            text.append(" ▸\n" if here else "\n", style("accent"))
        if not opening.resumes:
            about = say(description_key(opening.game, opening.bots.value), {})
            text.append(f"\n{opening.bots.value}: {about}\n", style("dim"))
        text.append("\n" + say("play.setup_keys", {}), style("dim"))
        return text
