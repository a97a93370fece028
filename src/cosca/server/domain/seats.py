"""The seats of a table, and who has each of them."""

from dataclasses import dataclass, field
from typing import Any, Literal

from cosca.bots.roster import default_bot, roster
from cosca.core.game import Game
from cosca.core.names import SPECTATOR, Seat


@dataclass(slots=True)
class Chair:
    """One seat, and who has it."""

    name: str = ""
    bot: str = ""
    """The bot that plays; empty where a person plays, or nobody yet."""
    owners: set[str] = field(default_factory=set)
    """Hashes of the tokens of the person's browsers; none at an open seat or a bot's."""
    key: str = ""
    """The hash of the token in the seat's own link."""
    entropy: bytes = b""
    """What the browser added to the dice at a table of format 1."""
    until_back: bool = False
    """Whether a bot plays only until the person comes to the table again."""
    withheld: bool = False
    """Whether the person committed and revealed nothing: a bot plays to the end of the game."""

    @property
    def is_open(self) -> bool:
        """Whether anybody may sit down."""
        return not self.owners and not self.bot

    @property
    def kind(self) -> Literal["open", "person", "bot"]:
        """Who has the seat."""
        return "person" if self.owners else "bot" if self.bot else "open"


class Seats(list[Chair]):
    """All seats of a table, by their numbers."""

    def __init__(self, bots: list[str], host: str) -> None:
        super().__init__(Chair(name=bot, bot=bot) for bot in bots)
        self.host = host
        """The hash of the token of the browser that opened the table."""

    def of(self, owner: str) -> Seat:
        """Return the seat of a browser; SPECTATOR if it has none."""
        for seat, chair in enumerate(self):
            if owner in chair.owners:
                return seat
        return SPECTATOR

    def is_host(self, owner: str) -> bool:
        """Whether a browser is the host's: it opened the table, or has the same seat."""
        seat = self.of(owner)
        return owner == self.host or (seat != SPECTATOR and self.host in self[seat].owners)

    def persons(self) -> list[Seat]:
        """Return the seats that people have, even if a bot plays for them."""
        return [seat for seat, chair in enumerate(self) if chair.owners]

    def host_plays_bots(self) -> bool:
        """Whether nobody but the host has a seat, so that nobody else has to be asked."""
        return all(self.host in self[seat].owners for seat in self.persons())

    def players(self) -> list[Seat]:
        """Return the seats of the people who play themselves."""
        return [seat for seat, chair in enumerate(self) if chair.owners and not chair.bot]

    def names(self) -> list[str]:
        """Return the name at each seat."""
        return [chair.name for chair in self]

    def bots(self) -> list[str]:
        """Return the bots that have a seat of their own."""
        return [chair.bot for chair in self if chair.bot and not chair.owners]

    def substitute_bot(self, game: Game[Any, Any]) -> str:
        """Return the bot that plays for an absent person: as strong as those at the table."""
        known = list(roster(game))
        return max(self.bots(), key=known.index, default=default_bot(game))
