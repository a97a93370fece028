"""A house that is killed at any moment, under load, and begun again on the same file."""

import asyncio
from pathlib import Path
from random import Random

from tests.server.server_process import (
    Player,
    Running,
    begin,
    nothing,
    nothing_is_lost_or_doubled,
    open_table,
    running,
)

TABLES = 3
COMMANDS = 60
"""From each socket at most: nobody is slowed down."""


def kill_again_and_again(store: Path, seed: int, times: int) -> list[float]:
    """Kill the house so often; seconds it took to be ready each time."""
    rng = Random(seed)
    with running(store) as house:
        for _ in range(times):
            asyncio.run(one_life(house, rng))
        return house.ready


async def one_life(house: Running, rng: Random) -> None:
    """Play, be killed, begin again: all that was answered is as it was answered."""
    tables = [open_table(house, rng) for _ in range(TABLES)]
    await asyncio.gather(*(begin(table) for table in tables))
    players = [player for table in tables for player in table]
    await play_until_killed(house, players, rng)
    for table in tables:
        nothing_is_lost_or_doubled(house, table)
    house.start()
    await asyncio.gather(*(player.say_all_again() for player in players))
    for table in tables:
        nothing_is_lost_or_doubled(house, table)
        assert all(set(player.sent) == set(player.answers) for player in table)


async def play_until_killed(house: Running, players: list[Player], rng: Random) -> None:
    """Everybody plays at once, and after any answer the house is killed."""
    left = rng.randrange(len(players) * COMMANDS // 2)

    def one_less() -> None:
        nonlocal left
        left -= 1
        if left < 0:
            house.kill()

    for player in players:
        player.heard = one_less
    await asyncio.gather(*(player.play(rng, COMMANDS) for player in players))
    assert left < 0, "it was not killed"
    for player in players:
        player.heard = nothing
