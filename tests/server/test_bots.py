"""Bots: each decision is written once, nobody waits for a bot, and bot processes are replaced."""

import asyncio
import os
import signal
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from cosca.bots.consigliere import Advice
from cosca.bots.win_chances import Shares
from cosca.catalog import find
from cosca.core.names import Action
from cosca.core.position import Position
from cosca.server.domain import commands
from cosca.server.domain.log_entries import Moved, decode_entry
from cosca.server.domain.opening import NewTable, opening
from cosca.server.domain.room import Room
from cosca.server.live import bot_pool
from cosca.server.live.bot_pool import BotPool
from tests.processes import run
from tests.server.manual_world import World, discard, in_world
from tests.server.schedules import Schedule, started_game, system_entry


def test_two_houses_run_the_same_bots_and_write_every_decision_once(tmp_path: Path) -> None:
    async def both_think(world: World) -> None:
        schedule = Schedule(world, 8)
        await schedule.open()
        async with world.at(schedule.code, 0) as here, world.at(schedule.code, 1) as there:
            for owner in schedule.people[:2]:
                await world.do(
                    here.handle_command(owner, commands.Leave(id="1"), lambda answer: None)
                )
            await world.do(there.catch_up())
            for live in (here, there):
                live.connect("", "data", discard)
            watching = [asyncio.create_task(house.watch_store()) for house in world.houses]
            await world.until(lambda: here.room.length > 60 or here.room.stage == "over")
            for task in watching:
                task.cancel()
            for live in (here, there):
                await world.do(live.catch_up())
                await world.do(live.close())
        assert all(bot.decisions > 10 for bot in world.bots)
        entries = await world.do(world.stores[0].logs.entries(schedule.code))
        keys = Counter(key for key, _, _ in entries)
        assert set(keys.values()) == {1}
        room = Room(decode_entry(entries[0][2]))  # type: ignore[arg-type]  # the first entry
        for key, _, body in entries[1:]:
            entry = decode_entry(body)
            if isinstance(entry, Moved) and key.startswith("bot:"):
                assert system_entry(room, key, entry.at) == entry
            room.apply(entry)

    in_world(tmp_path / "tables.db", both_think)


class Stuck:
    """Bots that never answer."""

    async def choose(self, game: str, bot: str, position: Position, seed: int) -> Action:
        """Wait for ever."""
        await asyncio.Event().wait()
        return 0

    async def advise(self, game: str, position: Position, begun: Sequence[Action] = ()) -> Advice:
        """Wait for ever, too."""
        await asyncio.Event().wait()
        return bot_pool.advise(game, position, begun)

    async def estimate(self, game: str, positions: Sequence[Position]) -> Shares:
        """Estimate the win chance of each position's seat."""
        await asyncio.Event().wait()
        return ()


def test_people_are_served_while_a_bot_never_answers(tmp_path: Path) -> None:
    async def thinking(world: World) -> None:
        world.houses[0].bots = Stuck()
        schedule = Schedule(world, 8)
        await schedule.open()
        ada, bo, _ = schedule.people
        async with world.at(schedule.code) as live:
            answers: list[bytes] = []
            for number, owner in enumerate([ada, bo, ada, bo]):
                for command in (
                    commands.Leave(id=f"l{number}"),
                    commands.ReclaimSeat(id=f"t{number}"),
                ):
                    await world.do(live.handle_command(owner, command, answers.append))
            assert len(answers) == 8
            assert all(b'"done"' in answer for answer in answers)

    in_world(tmp_path / "tables.db", thinking, houses=1)


def position() -> Position:
    """Return a position in which a bot may act."""
    game = find("vendetta")
    wanted = NewTable(game=game.name, seats=["random"] * 3, name="Ada")
    log = [opening(game, wanted, code="abcdefgh", host="", seed=bytes(32), at=0)]
    room = Room(log[0])
    for entry in started_game(log, Schedule(None, 0).rng, left=0, most=0):  # type: ignore[arg-type]
        room.apply(entry)
    return room.position(room.actors()[0])


def test_a_killed_bot_process_is_replaced() -> None:
    async def killed() -> None:
        thinkers = BotPool(1)
        asked = position()
        expected = bot_pool.choose("vendetta", "random", asked, 7)
        try:
            assert await thinkers.choose("vendetta", "random", asked, 7) == expected
            assert thinkers._pool is not None
            (process,) = thinkers._pool._processes.values()
            assert process.pid is not None
            os.kill(process.pid, signal.SIGKILL)
            assert await thinkers.choose("vendetta", "random", asked, 7) == expected
            assert await thinkers.advise("vendetta", asked) == bot_pool.advise("vendetta", asked)
        finally:
            thinkers.close()

    asyncio.run(killed())


HOUSE_THAT_DIES = """
import asyncio, os, signal
from cosca.server.live.bot_pool import BotPool
from tests.server.test_bots import position

if __name__ == "__main__":
    asyncio.run(BotPool(2).choose("vendetta", "random", position(), 7))
    print("thinking", flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_bot_processes_end_when_their_house_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "house.py"
    script.write_text(HOUSE_THAT_DIES)
    path = os.pathsep.join(filter(None, sys.path))
    # Its output ends when the house and all its processes have ended.
    done = run([sys.executable, str(script)], env={**os.environ, "PYTHONPATH": path})
    assert done.stdout == "thinking\n"
    assert done.returncode == -signal.SIGKILL
