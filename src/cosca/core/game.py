"""The descriptor of a game: all that the house needs to know of it. Nothing in it is optional."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from cosca.core.choice import Choice
from cosca.core.dice import Dice
from cosca.core.drawing import Drawing, Layout, Say
from cosca.core.errors import Refused
from cosca.core.evaluator import Evaluator
from cosca.core.events import Event
from cosca.core.move import SEVERAL, Move
from cosca.core.names import Action, Seat
from cosca.core.options import HOUSE, Option, Setting, Settings
from cosca.core.position import Fields, Position
from cosca.core.state import State

S = TypeVar("S", bound=State)
P = TypeVar("P", bound=Position)


@dataclass(frozen=True, kw_only=True)
class Game(Generic[S, P]):
    """A game of the house, from its name to its bots."""

    name: str
    title: str
    version: int
    """Of the rules: another number means that old records may read differently."""
    seats: range
    default_seats: int
    options: Sequence[Option]
    editions: Mapping[str, Settings]
    """The first is the default."""
    endings: Sequence[str]
    """The reasons for which a game ends, by the number `State.ending` gives."""

    initial_state: Callable[[Settings, int], S]
    """The state in which a game begins. Trusts its caller: `new` checks settings and seats."""
    contradiction: Callable[[Settings, int], Refused | None]
    """Why these settings cannot go together, or not with so many seats; None if they can.

    Each setting is known to be one of the option's own values, and the seats to be enough.
    """
    position: Callable[[S, Seat], P]
    public_fields: Callable[[S], Fields]
    """Of a position what everybody sees now, spectators too: made once after each step."""
    private_fields: Callable[[S, Seat], Fields]
    """What a seat, or a spectator, sees besides, and in any case `seat`, `actors` and `legal`."""
    combine: Callable[[Fields, Fields], P]
    """The position of which these are the parts, with nothing in `learnt`."""
    reveal: Callable[[S], P]
    """All that is true, as if everybody had seen it: for games that are over only."""
    read_position: Callable[[dict[str, object]], P]
    """The position that came over the wire."""
    sample: Callable[[P, Dice], S]
    """A full state that fits a position: one of those that may be the truth."""
    limit_memory: Callable[[P, int], P]
    """The position as it is in a mind that holds only so many of the things it has seen."""
    events: Callable[[S, Seat, Action], list[Event]]
    """What happens when a seat, or chance, does this now."""
    unspoken_events: Callable[[S, Seat, Action], list[Event]]
    """What else a referee needs to know of that step, all of it in the open; for records only."""
    format_1_events: Callable[[S, Seat, Action], list[Event]]
    """What happens, as records of format 1 tell it; a game without any gives `events` again."""
    chance_purpose: Callable[[S], str]
    """What chance decides now, in a word. Draws depend on it: it stays the same for ever."""
    round: Callable[[S], int]
    """How many rounds have begun."""
    standing: Callable[[S], list[int]]
    """What each seat would have if all that is true were counted now; more is better.

    For looking back at games among bots: it knows what no player may.
    """
    instant_endings: Sequence[str]
    """The endings by which somebody wins at once, whatever the others have."""

    is_race: Callable[[P], bool]
    """Whether the fastest hand counts now: several may act, and who comes first has it.

    In a race `Move("pass")` is always legal: it is what a player does who does nothing.
    """
    random_play_options: Mapping[str, str]
    """Options under which players who act at random play games of a sensible length."""

    to_actions: Callable[[Move], list[Action]]
    to_move: Callable[[Sequence[Action]], Move]
    refusal: Callable[[P, Action], Refused]
    """Why the seat of that position may not do this, or not act at all, told from what it knows."""
    rule_of_refusal: Mapping[str, str]
    """The id of the rule that a refusal comes from, by its key; nonsense has none."""
    timeout_action: Callable[[P], Action]
    """What is done for the seat of that position if it does not decide in time: little."""
    count_moves: Callable[[P], list[int]]
    """For each legal action, how many whole moves begin with it."""
    insertable_actions: Callable[[P], Sequence[Action]]
    """Steps a person may still choose although the rules take them before the last one.

    Asked of a position in the middle of a move; `to_actions` of the whole move puts them in order.
    """
    choice: Callable[[P, Action], Choice]
    """What stands on the button of a legal action; no two of one position say the same."""
    format_move: Callable[[Move], str]
    parse_move: Callable[[str], Move]
    format_action: Callable[[S, Action], str]
    parse_action: Callable[[S, str], Action]
    """One step of a seat or of chance, as it stands in a story of the game."""
    format_state: Callable[[S], str]
    parse_state: Callable[[str], S]

    render_drawing: Callable[[P, Settings, Say], Drawing]
    """The table as text, as the seat of that position sees it by these house rules."""
    render_layout: Callable[[P, Settings, Say], Layout]
    """The same as grids and sentences; quick, because it is made for each seat after each step."""
    candidates: Callable[[P], list[Move]]
    """The few whole moves worth a thought, best first: for menus, hints and search."""
    evaluator: Callable[["Game[Any, Any]"], Evaluator]
    """What a search asks of the game; `Evaluator` itself will do for any."""
    heuristic_bots: Mapping[str, Callable[[P, Dice], Action]]
    """The game's own bots by name, weakest first."""

    def visible_position(self, state: S, seat: Seat) -> P:
        """What a seat sees now, without what it has learnt before."""
        return self.combine(self.public_fields(state), self.private_fields(state, seat))

    def is_complete_move(self, state: S, seat: Seat, steps: Sequence[Action]) -> bool:
        """Whether steps of a seat, after which this is the state, can be handed in as a move."""
        told = list(self.to_actions(self.to_move(steps)))
        ended = seat not in state.actors() and told[: len(steps)] == list(steps)
        return ended or told == list(steps)

    def continues_move(self, steps: Sequence[Action], action: Action) -> bool:
        """Whether a step after a move is of the same one still, and does not begin another."""
        return self.to_move([*steps, action]).verb != SEVERAL

    def new(self, settings: Settings, seats: int) -> S:
        """Return the state in which a game by these settings begins, or refuse them."""
        self.check(settings, seats)
        return self.initial_state(settings, seats)

    def check(self, settings: Settings, seats: int) -> None:
        """Refuse seats or settings that the game cannot have, alone or together."""
        self.check_seats(seats)
        for option in self.options:
            option.check(settings[option.key])
        if refused := self.contradiction(settings, seats):
            raise refused

    def check_seats(self, seats: int) -> None:
        """Refuse a number of seats the game cannot have."""
        if seats not in self.seats:
            raise Refused(
                "bad_seats",
                game=self.title,
                fewest=self.seats[0],
                most=self.seats[-1],
                seats=seats,
            )

    def settings(self, edition: str = "", changes: Mapping[str, str] | None = None) -> Settings:
        """All options of an edition, with what the host has set otherwise."""
        edition = edition or next(iter(self.editions))
        if edition not in self.editions:
            known = ", ".join(self.editions)
            raise Refused("bad_edition", game=self.title, edition=edition, editions=known)
        settings: dict[str, Setting] = {option.key: option.default for option in self.options}
        settings.update(self.editions[edition])
        for key, text in (changes or {}).items():
            settings[key] = self.option(key).parse(text)
        return settings

    def read_settings(self, listed: Mapping[str, Setting]) -> Settings:
        """Return all settings of a game that was written down with these.

        What is not listed did not exist yet, and is at its default.
        """
        return self.settings("", {key: str(value) for key, value in listed.items()})

    def list_settings(self, settings: Settings, format: int) -> dict[str, Setting]:
        """Return the settings that the header of a record of this format lists."""
        return {
            option.key: settings[option.key]
            for option in self.options
            if option.since <= format or settings[option.key] != option.default
        }

    def option(self, key: str) -> Option:
        """The option of that name."""
        for option in self.options:
            if option.key == key:
                return option
        known = ", ".join(option.key for option in self.options)
        raise Refused("bad_option", game=self.title, option=key, options=known)

    def edition_of(self, settings: Settings) -> str:
        """The edition these settings are, or "house"."""
        for name, edition in self.editions.items():
            if all(settings[key] == value for key, value in edition.items()):
                return name
        return HOUSE
