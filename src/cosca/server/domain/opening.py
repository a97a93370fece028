"""Opening a table: the request, and the first entries of its log."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from cosca.bots.roster import default_bot, find_bot
from cosca.core.errors import Refused
from cosca.core.game import Game
from cosca.core.options import SEALED
from cosca.server.domain import commands, log_entries
from cosca.server.domain.clocks import DAY, SECOND
from cosca.server.domain.identifiers import code_from
from cosca.server.domain.room import Room


class NewTable(Struct, kw_only=True, forbid_unknown_fields=True, frozen=True):
    """Open a table."""

    game: Annotated[str, Meta(max_length=40)]
    edition: Annotated[str, Meta(max_length=40)] = ""
    options: Annotated[dict[str, Annotated[str, Meta(max_length=40)]], Meta(max_length=40)] = {}
    seats: Annotated[list[Annotated[str, Meta(max_length=40)]], Meta(min_length=1, max_length=16)]
    """Who gets each seat: "you", "open", or the name of a bot."""
    name: commands.Name
    start: bool = False
    """Whether the game begins at once, which needs every seat taken."""
    pace: Literal["live", "relaxed", "days"] = "relaxed"
    move_seconds: Annotated[int, Meta(ge=5, le=600)] = 45
    """For each decision at a live table; `bank_seconds` are for the whole game, for longer ones."""
    bank_seconds: Annotated[int, Meta(ge=0, le=7200)] = 180
    days: Annotated[int, Meta(ge=1, le=30)] = 3
    """For each decision at a table with pace "days"."""
    listed: bool = False
    """Whether the table is on the list of games to watch while it is played."""
    spectator_chat: bool = False
    """Whether spectators may read the chat."""


def opening(
    game: Game[Any, Any],
    wanted: NewTable,
    *,
    code: str,
    host: str,
    seed: bytes,
    at: int,
) -> log_entries.Opened:
    """Return the first log entry of a new table; refuse what cannot be opened."""
    settings: Mapping[str, int | str] = game.settings(wanted.edition, _changes(game, wanted))
    game.check(settings, len(wanted.seats))
    if wanted.seats.count("you") > 1:
        raise Refused("web.one_you")
    for bot in wanted.seats:
        if bot not in ("you", "open"):
            find_bot(game, bot)
    return log_entries.Opened(
        at=at,
        format=log_entries.FORMAT,
        code=code,
        game=game.name,
        rules=game.version,
        settings=dict(settings),
        seats=["" if bot in ("you", "open") else bot for bot in wanted.seats],
        host=host,
        seed=seed.hex(),
        listed=wanted.listed,
        spectator_chat=wanted.spectator_chat,
        **_times(wanted),
    )


def _changes(game: Game[Any, Any], wanted: NewTable) -> dict[str, str]:
    """Return the chosen options. Among several people reactions are sealed by default."""
    option, sealed = SEALED
    has_windows = any(each.key == option for each in game.options)
    if has_windows and wanted.pace == "days":
        raise Refused("web.no_days", game=game.title)
    people = sum(seat in ("you", "open") for seat in wanted.seats)
    usual = {option: sealed} if has_windows and people > 1 else {}
    return usual | wanted.options


def _times(wanted: NewTable) -> dict[str, Any]:
    """Return the chosen time limits, as the log has them."""
    if wanted.pace == "live":
        move, bank = wanted.move_seconds * SECOND, wanted.bank_seconds * SECOND
        return {"pace": "live", "move": move, "bank": bank}
    if wanted.pace == "days":
        return {"pace": "days", "move": wanted.days * DAY, "bank": 0}
    return {}


def starting(game: Game[Any, Any], at: int, *, has_people: bool) -> list[log_entries.LogEntry]:
    """Return the entries by which a game begins at once, without anybody being asked."""
    started: log_entries.LogEntry = log_entries.Started(at=at, bot=default_bot(game))
    if has_people:
        return [started]
    # among bots nobody contributes
    return [started, log_entries.CommitmentsClosed(at=at), log_entries.Dealt(at=at)]


def next_code(room: Room) -> str:
    """Return the code of the rematch's table: always the same one."""
    return code_from(room.deal.secret("rematch"))


def next_opening(room: Room, seed: bytes, at: int) -> log_entries.Opened:
    """Return the first log entry of the rematch's table."""
    return log_entries.Opened(
        at=at,
        format=log_entries.FORMAT,
        code=next_code(room),
        game=room.game.name,
        rules=room.game.version,
        settings=dict(room.settings),
        seats=["" if chair.owners else chair.bot for chair in room.seats],
        host=room.opened.host,
        seed=seed.hex(),
        pace=room.pace.kind,
        move=room.pace.move,
        bank=room.pace.bank,
        listed=room.listed,
        spectator_chat=room.chat.is_open,
    )


def next_seats(room: Room, at: int) -> list[log_entries.LogEntry]:
    """Return the entries by which people keep their seats at the rematch's table."""
    kept: list[log_entries.LogEntry] = []
    for seat in room.seats.persons():
        chair = room.seats[seat]
        first, *others = sorted(chair.owners)
        kept.append(log_entries.Sat(at=at, seat=seat, name=chair.name, owner=first, key=chair.key))
        kept += [log_entries.Claimed(at=at, seat=seat, owner=other) for other in others]
    return kept
