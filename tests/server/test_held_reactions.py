"""Reaction windows that wait for the only person at a table of bots."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import msgspec
import pytest

from cosca.core.names import Seat
from cosca.games.omerta.pieces import SLOT
from cosca.server import wire
from cosca.server.domain import commands
from cosca.server.live.reactions import REACTION_TIMEOUT
from tests.server.test_reactions import RaceTable, race_log

ALONE = ("you", "novice", "novice", "novice")
YOU = 0
LONG = 600.0


async def answered(table: RaceTable, seat: Seat, command: commands.Command) -> dict[str, str]:
    """Send a command from the browser of a seat; return the answer."""
    assert isinstance(command, commands.HoldReactions | commands.Ready)
    answer = await table.live.answer_question(table.owner(seat), command, "data")
    await table.settle()
    read: dict[str, str] = msgspec.json.decode(answer)
    return read


@asynccontextmanager
async def waiting(seed: int = 0) -> AsyncIterator[tuple[RaceTable, list[bytes]]]:
    """Open a window that waits for the only person; also return what their browser receives."""
    table = RaceTable(race_log(seed, ALONE))
    received: list[bytes] = []
    try:
        table.live.connect(table.owner(YOU), "data", received.append)
        assert (await answered(table, YOU, commands.HoldReactions(id="hold")))["type"] == "done"
        await table.open()
        table.mark()
        yield table, received
    finally:
        await table.live.close()
        await table.settle()


def steps_since_it_opened(table: RaceTable) -> int:
    """Return how many steps the game has gone on since the window opened."""
    return len(table.room.playing().log) - len(table.before)


@pytest.mark.parametrize("seed", range(3))
def test_nobody_reacts_and_no_time_runs_out_before_the_person_does(seed: int) -> None:
    async def whole() -> None:
        async with waiting(seed) as (table, received):
            await table.until(LONG)
            assert steps_since_it_opened(table) == 0
            await table.send(YOU, SLOT)
            await table.until(LONG + 2)
            assert table.reacted()[0] == YOU
            reactions = [message for message in received if b'"type":"reactions"' in message]
            assert reactions == [], "no times are published where no clock ran"

    asyncio.run(whole())


@pytest.mark.parametrize("seed", range(3))
def test_ready_starts_the_clock_for_everybody(seed: int) -> None:
    async def whole() -> None:
        async with waiting(seed) as (table, _):
            await table.until(LONG)
            assert (await answered(table, YOU, commands.Ready(id="ready")))["type"] == "done"
            await table.until(LONG + REACTION_TIMEOUT + 1)
            assert not table.room.is_reaction_window or YOU not in table.room.actors()

    asyncio.run(whole())


def test_times_count_from_ready() -> None:
    async def whole() -> None:
        async with waiting() as (table, received):
            await table.until(LONG)
            await answered(table, YOU, commands.Ready(id="ready"))
            await table.react(YOU, LONG + 0.5)
            await table.until(LONG + REACTION_TIMEOUT + 1)
            sent = [message for message in received if b'"type":"reactions"' in message]
            first = msgspec.json.decode(sent[0], type=wire.Reactions).reactions[0]
            assert (first.seat, first.took_ms) == (YOU, 500)

    asyncio.run(whole())


def test_a_second_ready_does_not_start_the_clock_again() -> None:
    async def whole() -> None:
        async with waiting() as (table, received):
            await answered(table, YOU, commands.Ready(id="one"))
            await table.until(0.5)
            await answered(table, YOU, commands.Ready(id="two"))
            await table.react(YOU, 0.75)
            await table.until(REACTION_TIMEOUT + 1)
            sent = [message for message in received if b'"type":"reactions"' in message]
            first = msgspec.json.decode(sent[0], type=wire.Reactions).reactions[0]
            assert first.took_ms == 750

    asyncio.run(whole())


def test_a_window_waits_only_while_the_person_is_connected() -> None:
    async def whole() -> None:
        async with waiting() as (table, received):
            await table.until(LONG)
            table.live.disconnect(received.append)
            table.live.connect("spectator", "data", lambda _: None)
            await table.settle()
            await table.until(LONG + REACTION_TIMEOUT + 1)
            assert steps_since_it_opened(table) > 0

    asyncio.run(whole())


def test_no_window_waits_among_people() -> None:
    async def whole() -> None:
        table = RaceTable(race_log(0))
        for seat in range(4):
            await table.connect(seat)
        refused = await answered(table, 1, commands.HoldReactions(id="hold"))
        assert (refused["type"], refused["key"]) == ("refused", "web.no_hold")
        await table.open()
        assert not table.live.reactions.is_waiting
        await table.live.close()
        await table.settle()

    asyncio.run(whole())


def test_ready_is_harmless_where_nothing_waits() -> None:
    async def whole() -> None:
        table = RaceTable(race_log(0, ALONE))
        await table.connect(YOU)
        assert (await answered(table, YOU, commands.Ready(id="early")))["type"] == "done"
        await table.open()
        assert not table.live.reactions.is_waiting
        await table.live.close()
        await table.settle()

    asyncio.run(whole())
