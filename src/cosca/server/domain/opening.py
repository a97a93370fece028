"""Opening a table: what somebody asks for, and the first entry of its log."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from cosca.bots.roster import find_bot
from cosca.core.errors import Refused
from cosca.core.game import Game
from cosca.core.options import SEALED
from cosca.server.domain import commands, log_entries
from cosca.server.domain.clocks import DAY, SECOND


class NewTable(Struct, kw_only=True, forbid_unknown_fields=True, frozen=True):
    """Open a table."""

    game: Annotated[str, Meta(max_length=40)]
    edition: Annotated[str, Meta(max_length=40)] = ""
    options: Annotated[dict[str, Annotated[str, Meta(max_length=40)]], Meta(max_length=40)] = {}
    seats: Annotated[list[Annotated[str, Meta(max_length=40)]], Meta(min_length=1, max_length=16)]
    """Of each seat who is to have it: "you", "open", or the name of a bot."""
    name: commands.Name
    start: bool = False
    """Whether it begins at once, which needs every seat taken."""
    pace: Literal["live", "relaxed", "days"] = "relaxed"
    move_seconds: Annotated[int, Meta(ge=5, le=600)] = 45
    """For each decision of a live table, and in all for those that take longer."""
    bank_seconds: Annotated[int, Meta(ge=0, le=7200)] = 180
    days: Annotated[int, Meta(ge=1, le=30)] = 3
    """For each decision at a table with days."""
    listed: bool = False
    """Whether anybody finds the table on the first page while it is played."""
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
    """The first line of a table somebody wants to open."""
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
    """The house rules somebody wants. Among several people no window is a race unless they say."""
    option, sealed = SEALED
    has_windows = any(each.key == option for each in game.options)
    if has_windows and wanted.pace == "days":
        raise Refused("web.no_days", game=game.title)
    people = sum(seat in ("you", "open") for seat in wanted.seats)
    usual = {option: sealed} if has_windows and people > 1 else {}
    return usual | wanted.options


def _times(wanted: NewTable) -> dict[str, Any]:
    """The pace somebody wants, as it stands in the log."""
    if wanted.pace == "live":
        move, bank = wanted.move_seconds * SECOND, wanted.bank_seconds * SECOND
        return {"pace": "live", "move": move, "bank": bank}
    if wanted.pace == "days":
        return {"pace": "days", "move": wanted.days * DAY, "bank": 0}
    return {}
