"""Fifty bad networks against a real server: each command is executed once and answered."""

import asyncio
import json
from pathlib import Path
from random import Random

from tests.server.server_process import (
    TIMEOUT,
    Player,
    ServerProcess,
    begin_game,
    check_exactly_once,
    open_table,
    running_server,
)

SCHEDULES = 50
AT_ONCE = 10
COMMANDS = 6


def test_fifty_schedules_are_executed_exactly_once(tmp_path: Path) -> None:
    async def all_of_them(house: ServerProcess) -> None:
        for first in range(0, SCHEDULES, AT_ONCE):
            await asyncio.gather(*(one(house, first + number) for number in range(AT_ONCE)))

    with running_server(tmp_path / "tables.db") as house:
        asyncio.run(all_of_them(house))


async def one(house: ServerProcess, seed: int) -> None:
    """Run one schedule: two people with bad connections at one table."""
    rng = Random(seed)
    table = open_table(house, rng, address=f"10.1.1.{seed}")
    await begin_game(table)
    await asyncio.gather(*(badly(player, rng) for player in table))
    for player in table:
        await player.resend_all()
        assert set(player.answers) == set(player.sent)
        await another_body(player, rng.choice(list(player.sent)))
    check_exactly_once(house, table)


async def badly(player: Player, rng: Random) -> None:
    """Send everything up to three times, in any order, on sockets that may be cut."""
    copies = [
        id for _ in range(COMMANDS) for id in [player.next_command(rng)["id"]] * rng.randint(1, 3)
    ]
    rng.shuffle(copies)
    while copies:
        some, copies = copies[:4], copies[4:]
        await asyncio.gather(*(deliver(player, id, is_cut=rng.random() < 0.4) for id in some))


async def deliver(player: Player, id: str, *, is_cut: bool) -> None:
    """Send a command, and wait for its answer unless the connection is cut."""
    async with player.connect() as connection:
        if is_cut:
            await connection.send(json.dumps(player.sent[id]))
            connection.transport.abort()
        else:
            await player.send_and_wait(connection, id)


async def another_body(player: Player, id: str) -> None:
    """Check that another command with the same id is refused and has no effect."""
    async with player.connect() as connection:
        await connection.send(json.dumps({"do": "chat", "id": id, "text": "something else"}))
        async with asyncio.timeout(TIMEOUT):
            answer = json.loads(await connection.recv())
            while answer.get("id") != id:
                answer = json.loads(await connection.recv())
    assert answer["key"] == "web.command_reused"
