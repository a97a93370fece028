"""The descriptor of a game: everything the house needs to know about it. No field is optional."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from cosca.core.choice import Choice
from cosca.core.dice import Dice
from cosca.core.drawing import Drawing, Layout, Say
from cosca.core.errors import Param, Refused
from cosca.core.evaluator import Evaluator
from cosca.core.events import Event, Reason
from cosca.core.move import SEVERAL, Move
from cosca.core.names import Action, Seat
from cosca.core.options import HOUSE, Option, Setting, Settings
from cosca.core.position import Fields, Position
from cosca.core.primer import PrimerSection
from cosca.core.ranking import Ranked
from cosca.core.state import State

S = TypeVar("S", bound=State)
P = TypeVar("P", bound=Position)


@dataclass(frozen=True, kw_only=True)
class Game(Generic[S, P]):
    """One game: its rules, texts, notation and bots, behind one interface."""

    name: str
    """The name by which commands, logs and records know the game."""
    title: str
    """The name that people read."""
    version: int
    """The version of the rules; records of another version may read differently."""
    seats: range
    """The numbers of seats with which it can be played."""
    default_seats: int
    """The number of seats where nobody chooses one."""
    options: Sequence[Option]
    """Everything a host can change."""
    editions: Mapping[str, Settings]
    """Settings by the name of an edition; the first is the default."""
    endings: Sequence[str]
    """Why a game can end, by the number that `State.ending` returns."""

    initial_state: Callable[[Settings, int], S]
    """The first state of a game. It does not check its arguments: `new` does."""
    contradiction: Callable[[Settings, int], Refused | None]
    """Why these settings do not work together or with this number of seats; None if they do.

    Each setting is already known to be a value of its option, and the number of seats to be
    allowed.
    """
    position: Callable[[S, Seat], P]
    """What a seat, or a spectator, sees now and has learnt."""
    public_fields: Callable[[S], Fields]
    """The fields of a position that everybody sees now, computed once after each step."""
    private_fields: Callable[[S, Seat], Fields]
    """The fields that only this seat (or spectator) sees, with `seat`, `actors` and `legal`."""
    combine: Callable[[Fields, Fields], P]
    """The position made of public and private fields, with nothing in `learnt`."""
    reveal: Callable[[S], P]
    """Everything that is true, as a position; only for games that are over."""
    read_position: Callable[[dict[str, object]], P]
    """The position in JSON from the wire."""
    sample: Callable[[P, Dice], S]
    """A full state consistent with a position (a determinization)."""
    limit_memory: Callable[[P, int], P]
    """The position as a player remembers it who keeps only so many observations."""
    events: Callable[[S, Seat, Action], list[Event]]
    """The events that follow when a seat, or chance, takes this action now."""
    unspoken_events: Callable[[S, Seat, Action], list[Event]]
    """Further public facts of that step that a referee needs; written to records only."""
    format_1_events: Callable[[S, Seat, Action], list[Event]]
    """The events as records of format 1 have them; `events` for a game without such records."""
    chance_purpose: Callable[[S], str]
    """What chance decides now, in a word. Sealed draws depend on it, so it never changes."""
    round: Callable[[S], int]
    """How many rounds have begun."""
    standing: Callable[[S], list[int]]
    """What each seat would score if everything were counted now; higher is better.

    It uses hidden information: for analysing finished games among bots, not for players.
    """
    instant_endings: Sequence[str]
    """The endings by which a seat wins at once, whatever the standings are."""

    primer: Sequence[PrimerSection]
    """The rules on one page: which sentences apply under which settings."""
    primer_facts: Callable[[Settings, int], Mapping[str, Param]]
    """What the sentences of the primer need besides the settings, for a number of seats."""
    ranking: Callable[[S], list[Ranked]]
    """Who came where in a finished game, with the figures that decided it."""

    is_race: Callable[[P], bool]
    """Whether the fastest reaction wins now: several seats may act, and the first one counts.

    In a race `Move("pass")` is always legal: it stands for a player who does not react.
    """
    random_play_options: Mapping[str, str]
    """Options under which random players finish games in a sensible time."""

    to_actions: Callable[[Move], list[Action]]
    """The actions of a complete move, in the order the rules take them."""
    to_move: Callable[[Sequence[Action]], Move]
    """The move that these actions are."""
    refusal: Callable[[P, Action], Refused]
    """Why the seat may not take this action, or not act at all, from the seat's own knowledge."""
    rule_of_refusal: Mapping[str, str]
    """The id of the rule behind a refusal, by its key; malformed input has none."""
    timeout_action: Callable[[P], Action]
    """The action taken for a seat that does not decide in time: as little as possible."""
    count_moves: Callable[[P], list[int]]
    """For each legal action, how many complete moves begin with it."""
    insertable_actions: Callable[[P], Sequence[Action]]
    """Actions a person may still choose although the rules take them before the last one.

    For positions in the middle of a move; `to_actions` of the complete move puts them in order.
    """
    choice: Callable[[P, Action], Choice]
    """The label of a legal action; no two labels of a position are the same."""
    format_move: Callable[[Move], str]
    """A complete move in notation."""
    parse_move: Callable[[str], Move]
    """The move that somebody typed; refuses what it cannot read."""
    format_action: Callable[[S, Action], str]
    """One action of a seat or of chance, as written in stories and records."""
    parse_action: Callable[[S, str], Action]
    """The action that was written in this state."""
    format_state: Callable[[S], str]
    """A state as one line of text."""
    parse_state: Callable[[str], S]
    """The state that was written as one line of text."""

    render_drawing: Callable[[P, Settings, Say], Drawing]
    """The table as text, as the seat of a position sees it under these settings."""
    render_layout: Callable[[P, Settings, Say], Layout]
    """The same as grids and sentences; fast, because each seat gets one after each step."""
    candidates: Callable[[P], list[Move]]
    """The few complete moves worth considering, best first: for menus, hints and bots."""
    explain: Callable[[P, Move], Reason | None]
    """What a complete move is for: the most important fact, in the words of the rules.

    Made from what the seat of the position knows. None if there is nothing to say for the move.
    """
    evaluator: Callable[["Game[Any, Any]"], Evaluator]
    """Makes what a search needs of the game; the base class `Evaluator` works for any game."""
    heuristic_bots: Mapping[str, Callable[[P, Dice], Action]]
    """The game's own bots by name, weakest first."""

    def visible_position(self, state: S, seat: Seat) -> P:
        """Return what a seat sees now, without what it has learnt before."""
        return self.combine(self.public_fields(state), self.private_fields(state, seat))

    def is_complete_move(self, state: S, seat: Seat, steps: Sequence[Action]) -> bool:
        """Return whether the steps that led a seat to this state form a complete move."""
        actions = list(self.to_actions(self.to_move(steps)))
        ended = seat not in state.actors() and actions[: len(steps)] == list(steps)
        return ended or actions == list(steps)

    def continues_move(self, steps: Sequence[Action], action: Action) -> bool:
        """Return whether another action continues the same move rather than starting a new one."""
        return self.to_move([*steps, action]).verb != SEVERAL

    def new(self, settings: Settings, seats: int) -> S:
        """Return the first state of a game with these settings, or refuse them."""
        self.check(settings, seats)
        return self.initial_state(settings, seats)

    def check(self, settings: Settings, seats: int) -> None:
        """Refuse seats or settings that the game does not allow, alone or together."""
        self.check_seats(seats)
        for option in self.options:
            option.check(settings[option.key])
        if refused := self.contradiction(settings, seats):
            raise refused

    def check_seats(self, seats: int) -> None:
        """Refuse a number of seats that the game does not allow."""
        if seats not in self.seats:
            raise Refused(
                "bad_seats",
                game=self.title,
                fewest=self.seats[0],
                most=self.seats[-1],
                seats=seats,
            )

    def settings(self, edition: str = "", changes: Mapping[str, str] | None = None) -> Settings:
        """Return all settings of an edition, with the host's changes applied."""
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
        """Return all settings of a stored game that lists these.

        Options that are not listed did not exist when the game was stored, and have their default.
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
        """Return the option with that key, or refuse the key."""
        for option in self.options:
            if option.key == key:
                return option
        known = ", ".join(option.key for option in self.options)
        raise Refused("bad_option", game=self.title, option=key, options=known)

    def edition_of(self, settings: Settings) -> str:
        """Return the name of the edition with these settings, or "house"."""
        for name, edition in self.editions.items():
            if all(settings[key] == value for key, value in edition.items()):
                return name
        return HOUSE
