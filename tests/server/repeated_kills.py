"""Kill a server process at any moment, under load, and restart it on the same store."""

import asyncio
from pathlib import Path
from random import Random

from tests.server.server_process import (
    Player,
    ServerProcess,
    begin_game,
    check_exactly_once,
    do_nothing,
    open_table,
    running_server,
)

TABLES = 3
COMMANDS = 60
"""The most from each socket, so that no rate limit is reached."""


def kill_repeatedly(store: Path, seed: int, times: int) -> list[float]:
    """Kill the server some times; return how many seconds each start took."""
    rng = Random(seed)
    with running_server(store) as house:
        for _ in range(times):
            asyncio.run(play_and_kill(house, rng))
        return house.start_seconds


async def play_and_kill(house: ServerProcess, rng: Random) -> None:
    """Play, kill the server and restart it; check that every answer still holds."""
    tables = [open_table(house, rng) for _ in range(TABLES)]
    await asyncio.gather(*(begin_game(table) for table in tables))
    players = [player for table in tables for player in table]
    await play_until_killed(house, players, rng)
    for table in tables:
        check_exactly_once(house, table)
    house.start()
    await asyncio.gather(*(player.resend_all() for player in players))
    for table in tables:
        check_exactly_once(house, table)
        assert all(set(player.sent) == set(player.answers) for player in table)


async def play_until_killed(house: ServerProcess, players: list[Player], rng: Random) -> None:
    """Let everybody play at once, and kill the server after some answer."""
    left = rng.randrange(len(players) * COMMANDS // 2)

    def one_less() -> None:
        nonlocal left
        left -= 1
        if left < 0:
            house.kill()

    for player in players:
        player.on_answer = one_less
    await asyncio.gather(*(player.play(rng, COMMANDS) for player in players))
    assert left < 0, "it was not killed"
    for player in players:
        player.on_answer = do_nothing
