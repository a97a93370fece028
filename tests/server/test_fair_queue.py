"""The fair queue: an owner with few jobs does not wait for one with many."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from cosca.bots.consigliere import Advice
from cosca.bots.win_chances import Shares
from cosca.core.names import Action
from cosca.core.position import Position
from cosca.server.domain import commands
from cosca.server.domain.opening import NewTable
from cosca.server.live import bot_pool, origins
from cosca.server.live.fair_queue import FairQueue, Owner
from cosca.server.live.house import House
from tests.server.browsers import ADA, BO, connect_all, deal
from tests.server.in_process import InProcessServer, open_server, table, wait_until
from tests.server.manual_world import World, discard, in_world

MANY, FEW, OTHER = ("198.51.100.1", "a"), ("198.51.100.2", "b"), ("198.51.100.3", "c")


async def served(queue: FairQueue, jobs: Sequence[Owner]) -> list[Owner]:
    """Queue some jobs at once, and return the order in which they ran."""
    order: list[Owner] = []
    gate = asyncio.Event()

    async def first() -> None:
        async with queue.turn(("", "")):
            await gate.wait()

    async def job(owner: Owner) -> None:
        async with queue.turn(owner):
            order.append(owner)
            await asyncio.sleep(0)

    busy = asyncio.create_task(first())
    await asyncio.sleep(0)
    waiting = [asyncio.create_task(job(owner)) for owner in jobs]
    await asyncio.sleep(0)
    gate.set()
    await asyncio.gather(busy, *waiting)
    return order


def test_a_new_job_waits_for_one_job_of_each_other_owner() -> None:
    async def look() -> None:
        jobs = [MANY] * 100 + [OTHER] * 50 + [FEW]
        order = await served(FairQueue(1), jobs)
        assert order.index(FEW) == 2
        assert sorted(order) == sorted(jobs)

    asyncio.run(look())


def test_browsers_of_one_network_share_its_turn_fairly() -> None:
    async def look() -> None:
        one, two = ("198.51.100.1", "a"), ("198.51.100.1", "b")
        order = await served(FairQueue(1), [one] * 50 + [FEW] * 4 + [two] * 2)
        assert order[:8] == [one, FEW, two, FEW, one, FEW, two, FEW]

    asyncio.run(look())


def test_no_more_jobs_run_at_once_than_allowed() -> None:
    async def look() -> None:
        queue, running, most = FairQueue(3), 0, 0

        async def job() -> None:
            nonlocal running, most
            async with queue.turn(MANY):
                running += 1
                most = max(most, running)
                await asyncio.sleep(0)
                running -= 1

        await asyncio.gather(*(job() for _ in range(20)))
        assert most == 3

    asyncio.run(look())


@pytest.mark.parametrize("moment", range(6))
def test_a_cancelled_job_passes_its_turn_on(moment: int) -> None:
    async def look() -> None:
        queue, done = FairQueue(1), []

        async def job(number: int) -> None:
            async with queue.turn((str(number), "")):
                await asyncio.sleep(0)
                done.append(number)

        jobs = [asyncio.create_task(job(number)) for number in range(4)]
        for _ in range(moment):
            await asyncio.sleep(0)
        jobs[1].cancel()
        await asyncio.wait_for(asyncio.gather(*jobs, return_exceptions=True), 5)
        assert set(done) >= {0, 2, 3}
        await asyncio.wait_for(job(9), 5)

    asyncio.run(look())


def test_a_failed_job_passes_its_turn_on() -> None:
    async def look() -> None:
        queue = FairQueue(1)
        for _ in range(3):
            with pytest.raises(ZeroDivisionError):
                async with queue.turn(MANY):
                    raise ZeroDivisionError

    asyncio.run(look())


# --- At tables -----------------------------------------------------------------------------------


class Slow:
    """Bots that answer only when the test lets them, and note what was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.let = asyncio.Semaphore(0)

    async def choose(self, game: str, bot: str, position: Position, seed: int) -> Action:
        """Return what a bot does, once it is let."""
        self.asked.append(bot)
        await self.let.acquire()
        return bot_pool.choose(game, "random", position, seed)

    async def advise(self, game: str, position: Position, begun: Sequence[Action] = ()) -> Advice:
        """Return what the consigliere advises, once he is let."""
        self.asked.append("consigliere")
        await self.let.acquire()
        return bot_pool.advise(game, position, begun)

    async def estimate(self, game: str, positions: Sequence[Position]) -> Shares:
        """Estimate the win chance of each position's seat."""
        self.asked.append("chart")
        await self.let.acquire()
        return bot_pool.estimate(game, positions)


def test_a_guest_beside_twenty_tables_of_bosses_waits_for_two_of_their_decisions(
    tmp_path: Path,
) -> None:
    """It waits for the running decision and for one more, not for all twenty."""

    async def look(world: World) -> None:
        house, slow = world.houses[0], Slow()
        house.bots = slow
        tables = [await world.do(open_table(house, "boss", "198.51.100.1")) for _ in range(20)]
        lives = [await world.do(house.table(code).__aenter__()) for code in tables]
        for live in lives:
            live.connect("", "data", lambda _: None)
        await world.settle()
        assert slow.asked == ["boss"], "one worker, and all others wait"
        code = await world.do(open_table(house, "soldato", "198.51.100.2"))
        async with world.at(code) as live:
            live.connect("", "data", discard)
            await world.settle()
            for asked in (2, 3):
                slow.let.release()
                await world.until(lambda: len(slow.asked) >= asked)  # noqa: B023  # at once
            assert slow.asked == ["boss", "boss", "soldato"]
            for each in lives:
                await world.do(each.close())

    in_world(tmp_path / "tables.db", look, houses=1)


async def open_table(house: House, bot: str, network: str) -> str:
    """Open a table of bots from a network, and return its code."""
    wanted = NewTable(game="vendetta", seats=[bot] * 5, name="Ada", start=True)
    return (await house.open(f"browser of {network}", wanted, network)).code


def test_hints_and_charts_wait_for_their_turn_too(tmp_path: Path) -> None:
    async def look(world: World) -> None:
        house, slow = world.houses[0], Slow()
        house.bots = slow
        code = await deal(world, "you", "open", "open")
        room = (await world.do(house.table(code).__aenter__())).room
        position = room.position(room.actors()[0])
        jobs = [
            asyncio.ensure_future(house.bots_of(MANY).advise("vendetta", position)),
            asyncio.ensure_future(house.bots_of(MANY).advise("vendetta", position)),
            asyncio.ensure_future(house.bots_of(MANY).advise("vendetta", position)),
            asyncio.ensure_future(house.bots_of(FEW).estimate("vendetta", [position])),
        ]
        await world.settle()
        assert slow.asked == ["consigliere"]
        for _ in range(5):
            slow.let.release()
            await world.settle()
        await asyncio.gather(*jobs)
        assert slow.asked == ["consigliere", "consigliere", "chart", "consigliere"]

    in_world(tmp_path / "tables.db", look, houses=1)


def test_bots_wait_while_nobody_watches_and_go_on_when_somebody_does(tmp_path: Path) -> None:
    async def look(world: World) -> None:
        code = await world.do(open_table(world.houses[0], "random", ""))
        await world.settle()
        world.clock.advance(3600)
        await world.settle()
        assert world.bots[0].decisions == 0
        assert world.houses[0].loaded() == []
        async with world.at(code) as live:
            await world.do(live.catch_up())
            assert world.bots[0].decisions == 0
            live.connect("", "data", discard)
            length = live.room.length
            await world.until(lambda: live.room.length > length + 3)
            live.disconnect(discard)
            await world.settle()
            world.clock.advance(10)
            await world.settle()
            decisions = world.bots[0].decisions
            world.clock.advance(3600)
            await world.settle()
            assert world.bots[0].decisions == decisions

    in_world(tmp_path / "tables.db", look, houses=1)


def test_bots_go_on_for_absent_players_and_wait_if_they_left(tmp_path: Path) -> None:
    async def look(world: World) -> None:
        code = await deal(world, "you", "open", "random")
        async with world.at(code) as live:
            ada, bo = await connect_all(world, live, ADA, BO)
            assert not live.is_unwatched
            for one in (ada, bo):
                await one.disconnect()
            assert not live.is_unwatched, "it may be a person's turn, and the bot's before"
            ada, bo = await connect_all(world, live, ADA, BO)
            for one in (ada, bo):
                assert await one.do(commands.Leave) == ""
            assert not live.is_unwatched
            for one in (ada, bo):
                await one.disconnect()
            assert live.is_unwatched

    in_world(tmp_path / "tables.db", look, houses=1)


# --- How many tables -----------------------------------------------------------------------------


def test_tables_in_progress_are_limited_per_browser_and_network(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(origins, "MOST_OF_BROWSER", 2)
    monkeypatch.setattr(origins, "MOST_OF_NETWORK", 3)

    async def look() -> None:
        async with open_server(tmp_path, unlimited=False) as server:
            ada = server.visitor()
            sockets = []
            for _ in range(2):
                sockets.append(await sit_down(server, ada))
            refused = await ada.post("/api/tables", **WISH)
            assert (refused.status, refused.key) == (429, "web.too_many_tables")
            bo = server.visitor()
            sockets.append(await sit_down(server, bo))
            refused = await server.visitor().post("/api/tables", **WISH)
            assert (refused.status, refused.key) == (429, "web.too_many_tables")
            for socket in sockets:
                await socket.close()
            await wait_until(lambda: server.house.loaded() == [])
            assert (await ada.post("/api/tables", **WISH)).status == 200

    asyncio.run(look())


WISH = table("vendetta", ["you", "open", "random"])


async def sit_down(server: InProcessServer, somebody):  # type: ignore[no-untyped-def]  # a visitor and a socket
    """Open a table and connect to it."""
    answer = await somebody.post("/api/tables", **WISH)
    assert answer.status == 200
    return await somebody.connect(answer.json()["code"])
