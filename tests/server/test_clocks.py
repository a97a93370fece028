"""Clocks: they follow from the log, reveal no secrets, and time out once."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest

from cosca.catalog import ALL, find
from cosca.core.errors import Refused
from cosca.core.names import SPECTATOR
from cosca.server.domain import commands, log_entries
from cosca.server.domain.clocks import DAY, SECOND, Clocks, Pace
from cosca.server.domain.judge import Judge
from cosca.server.domain.log_entries import LogEntry, decode_entry
from cosca.server.domain.opening import NewTable, opening
from cosca.server.domain.room import Room, room_from_log
from cosca.server.live import views
from cosca.server.live.house import House
from cosca.server.live.house_clock import HEARTBEAT_SECONDS
from cosca.server.live.reactions import REACTION_TIMEOUT
from cosca.server.storage.values import StoredSummary
from tests.server.browsers import (
    ADA,
    BANK,
    BO,
    LIVE,
    MOVE,
    Browser,
    acting,
    connect_all,
    deal,
    first_entries,
    keys_of,
    log_of,
    pass_time,
    until_acting,
)
from tests.server.manual_world import TimedBots, World, in_world

SEATS = ("you", "open", "random")
AT = 1_700_000_000_000


def moved(room: Room, seat: int, at: int) -> LogEntry:
    """Apply the first legal action of a seat."""
    entry = Judge(room).move(seat, [room.position(seat).legal[0]], at)
    room.apply(entry)
    return entry


def alone(room: Room) -> int:
    """Return the only person who may act, after letting bots play."""
    at = room.last
    while room.seats[room.actors()[0]].bot:
        seat = room.actors()[0]
        action = room.position(seat).legal[0]
        room.apply(log_entries.Moved(at=at, seat=seat, actions=[action]))
    (seat,) = room.actors()
    return seat


# --- How clocks run -------------------------------------------------------------------------------


def test_a_move_in_time_costs_nothing_and_a_late_one_is_paid_from_the_bank() -> None:
    room = room_from_log(first_entries(SEATS, AT, **LIVE))
    seat = alone(room)
    moved(room, seat, room.last + round(MOVE * SECOND))
    assert room.clocks.banks[seat] == BANK * SECOND
    again = alone(room)
    moved(room, again, room.last + round((MOVE + 7) * SECOND))
    assert room.clocks.banks[again] == (BANK - 7) * SECOND


def test_a_bank_is_used_only_by_a_seat_that_acts_alone() -> None:
    room = room_from_log(first_entries(("you", "open", "open"), AT, "omerta", **LIVE))
    assert len(room.shown.position(SPECTATOR).actors) == 3
    assert {until - move for _, move, until in room.timers(SPECTATOR)} == {0}
    for seat in (1, 0, 2):
        moved(room, seat, AT + 44 * SECOND)
    assert room.clocks.banks == [BANK * SECOND] * 3
    assert len(room.shown.position(SPECTATOR).actors) == 1
    assert {until - move for _, move, until in room.timers(SPECTATOR)} == {BANK * SECOND}


def visible_to(room: Room, seat: int) -> list[bytes]:
    """Return everything that a seat, or a spectator, may see now."""
    formats: list[views.ViewFormat] = ["text", "data"]
    return [
        views.sync_message(room, views.Viewer(seat, False, format), (0, 1, 2)) for format in formats
    ]


def test_in_a_window_no_clock_reveals_who_has_answered() -> None:
    log = first_entries(("you", "open", "open"), AT, "omerta", **LIVE)
    discard, one, late = room_from_log(log), room_from_log(log), room_from_log(log)
    moved(one, 1, AT + 3 * SECOND)
    moved(late, 1, AT + 31 * SECOND)
    moved(late, 2, AT + 40 * SECOND)
    assert visible_to(discard, 0) == visible_to(one, 0) == visible_to(late, 0)
    assert (
        visible_to(discard, SPECTATOR) == visible_to(one, SPECTATOR) == visible_to(late, SPECTATOR)
    )
    assert b'"clocks":[{' in visible_to(discard, 0)[0]
    assert visible_to(one, 1) == visible_to(late, 1)


def test_clocks_never_run_backwards() -> None:
    """With every move, no bank grows and no granted time is taken back."""
    rng = Random(4)
    times = Clocks(Pace("live", 5000, 9000), [9000] * 3)
    now, ends = 0, dict[int, int]()
    for _ in range(3000):
        seats = list(times.since)
        banks = list(times.banks)
        what = rng.choice(("move", "move", "begin", "refund", "pause"))
        now += rng.choice((0, 100, 6000, 12_000))
        if what == "move" and seats:
            times.moved(rng.choice(seats), now)
        elif what == "begin":
            times.start(rng.sample(range(3), rng.randint(1, 3)), now)
            ends.clear()
        elif what == "refund":
            times.refund(now, rng.choice((None, 0, now - 3000, now + 3000)))
        elif what == "pause":
            times.stop(now)
            now += rng.choice((0, 50_000))
            times.resume(now)
        assert all(after <= before for after, before in zip(times.banks, banks, strict=True))
        assert all(bank >= 0 for bank in times.banks)
        if what == "move":
            ends.clear()  # the next decision has another deadline
        for seat in times.since:
            assert times.until(seat) >= ends.get(seat, 0)
            ends[seat] = times.until(seat)


def test_the_log_never_goes_back_in_time_though_the_clock_of_the_house_does(
    tmp_path: Path,
) -> None:
    async def set_back(world: World) -> None:
        code = await deal(world, *SEATS, **LIVE)
        async with world.at(code) as live:
            people = await connect_all(world, live, ADA, BO)
            date = world.clock.date
            for number in range(6):
                await world.until(lambda: acting(live, people) is not None)
                one = acting(live, people)
                assert one is not None
                world.clock.advance(3)
                world.clock.date = lambda: date() - 3_600_000  # type: ignore[method-assign]
                assert await one.move() == ""
                assert all(end["until"] > date() for end in one.clocks), number
                world.clock.date = date  # type: ignore[method-assign]
        dates = [entry.at for entry in await log_of(world, code)]
        assert dates == sorted(dates)

    in_world(tmp_path / "tables.db", set_back, houses=1)


# --- Out of time ----------------------------------------------------------------------------------


def test_after_a_timeout_the_timeout_action_is_done_and_a_bot_plays_on(tmp_path: Path) -> None:
    async def late(world: World) -> None:
        code = await deal(world, *SEATS, **LIVE)
        async with world.at(code) as live:
            ada, bo = await connect_all(world, live, ADA, BO)
            await world.until(lambda: acting(live, (ada, bo)) is not None)
            one = acting(live, (ada, bo))
            assert one is not None
            seat = one.seat
            default = live.room.game.timeout_action(live.room.position(seat))
            await pass_time(world, MOVE + BANK - 2)
            assert seat in live.room.seats.players() and not live.room.moves[seat]
            await pass_time(world, 2.1)
            (overdue,) = (
                entry
                for entry in await log_of(world, code)
                if isinstance(entry, log_entries.Overdue)
            )
            assert (overdue.seat, overdue.actions) == (seat, [default])
            assert ada.seats[seat]["bot"] == bo.seats[seat]["bot"] == "random"
            assert ada.seats[seat]["name"] in ("Ada", "Bo")
            before = live.room.moves[seat]
            other = ada if one is bo else bo
            while live.room.moves[seat] == before:  # now the bot plays on
                if other.seat in live.room.actors():
                    assert await other.move() == ""
                await pass_time(world, 1)
            assert await one.do(commands.Move, actions=[0]) == "web.bot_plays"
            await one.disconnect()
            await one.connect()
            assert one.seats[seat]["bot"] == ""
            assert seat in live.room.seats.players()
            assert ada.matches_fresh_sync() and bo.matches_fresh_sync()

    in_world(tmp_path / "tables.db", late, houses=1)


def test_a_person_who_timed_out_gets_the_seat_back_by_a_command(tmp_path: Path) -> None:
    async def late(world: World) -> None:
        code = await deal(world, *SEATS, **LIVE)
        async with world.at(code) as live:
            people = await connect_all(world, live, ADA, BO)
            await world.until(lambda: acting(live, people) is not None)
            one = acting(live, people)
            assert one is not None
            await pass_time(world, MOVE + BANK + 1)
            assert one.seats[one.seat]["bot"]
            assert await one.do(commands.ReclaimSeat) == ""
            assert one.seats[one.seat]["bot"] == ""

    in_world(tmp_path / "tables.db", late, houses=1)


def test_two_houses_notice_a_timeout_and_write_it_once(tmp_path: Path) -> None:
    async def both(world: World) -> None:
        code = await deal(world, "you", "open", "open", **LIVE)
        async with world.at(code, 0) as here, world.at(code, 1) as there:
            for live in (here, there):
                await world.do(live.catch_up())
            await pass_time(world, MOVE + BANK + 1)
            for live in (here, there):
                await world.do(live.catch_up())
            overdue = [key for key in await keys_of(world, code) if key.startswith("overdue:")]
            assert len(overdue) == 1
            written = [
                entry
                for entry in await log_of(world, code)
                if isinstance(entry, log_entries.Overdue)
            ]
            assert len(written) == 1
            assert here.room.length == there.room.length
            assert visible_to(here.room, 0) == visible_to(there.room, 0)

    in_world(tmp_path / "tables.db", both)


def test_in_a_window_all_who_have_not_answered_time_out_together(tmp_path: Path) -> None:
    async def window(world: World) -> None:
        code = await deal(world, "you", "open", "open", game="omerta", **LIVE)
        async with world.at(code) as live:
            ada, bo, _ = await connect_all(world, live, ADA, BO, ADA)
            await bo.move()
            before = len(ada.received)
            await pass_time(world, MOVE - 1)
            assert len(ada.received) == before
            assert live.room.seats.persons() == live.room.seats.players()
            await pass_time(world, 1.1)
            written = [
                entry
                for entry in await log_of(world, code)
                if isinstance(entry, log_entries.Overdue)
            ]
            assert sorted(entry.seat for entry in written) == [0, 2]
            assert live.room.seats.players() == [1]

    in_world(tmp_path / "tables.db", window, houses=1)


def test_a_slow_reaction_is_not_a_timeout(tmp_path: Path) -> None:
    """A race has a short time of its own; if it runs out, the person passes and keeps the seat."""

    async def slow(world: World) -> None:
        code = await deal(
            world,
            *("you", "open", "open"),
            game="omerta",
            options={"reactions": "live", "first_discard": "up"},
            **{**LIVE, "move_seconds": 5},
        )
        async with world.at(code) as live:
            people = await connect_all(world, live, *(ADA, BO))
            cy = Browser(world, live, first_owner(live.room, 2))
            everybody = [*people, await cy.connect()]
            for one in everybody:
                await one.move()
            raced = False
            for _ in range(60):
                if live.room.pending_reactions():
                    raced = True
                    length = live.room.length
                    await pass_time(world, REACTION_TIMEOUT + 0.1, steps=10)
                    assert live.room.length > length
                    assert not live.room.pending_reactions()
                one = acting(live, everybody)  # type: ignore[assignment]
                if one is None or raced:
                    break
                await one.move(*live.room.timeout_actions(one.seat))
            assert raced
            assert not [x for x in await log_of(world, code) if isinstance(x, log_entries.Overdue)]

    in_world(tmp_path / "tables.db", slow, houses=1)


def first_owner(room: Room, seat: int) -> str:
    """Return a browser of a seat."""
    return sorted(room.seats[seat].owners)[0]


# --- A house that was closed ----------------------------------------------------------------------


async def thinking(world: World, seconds: float) -> tuple[str, int]:
    """Open a table at which somebody thinks for a while; return its code and the time left."""
    code = await deal(world, *SEATS, **LIVE)
    async with world.at(code) as live:
        await world.do(live.summary.save())
        people = await connect_all(world, live, ADA, BO)
        await world.until(lambda: acting(live, people) is not None)
        await pass_time(world, seconds)
        return code, left(live.room, world)


def left(room: Room, world: World) -> int:
    """Return the milliseconds until the only person who may act times out."""
    ((_, _, until),) = room.timers(SPECTATOR)
    return until - world.houses[0].dates.date()


@contextlib.asynccontextmanager
async def clocks_running(world: World) -> AsyncIterator[None]:
    """Let the house resume clocks and write heartbeats."""
    running = asyncio.ensure_future(world.houses[0].run_clocks())
    await world.settle()
    try:
        yield
    finally:
        running.cancel()
        await world.settle()


async def stop(world: World) -> None:
    """Close the house in an orderly way."""
    await world.do(world.houses[0].settle())
    await world.do(world.houses[0].close())


async def kill(world: World) -> None:
    """Kill the house."""
    for live in list(world.houses[0]._tables.values()):
        await world.do(live.close())


@contextlib.asynccontextmanager
async def another_house(world: World) -> AsyncIterator[None]:
    """Open a new house on the same store, and let it run."""
    world.houses[0] = House(world.stores[0], TimedBots(world.clock), world.clock)
    async with clocks_running(world):
        yield


def test_an_orderly_restart_refunds_the_downtime_and_nothing_else(tmp_path: Path) -> None:
    async def restart(world: World) -> None:
        async with clocks_running(world):
            code, before = await thinking(world, MOVE + 10)
            assert before < (BANK - 9) * SECOND
            await stop(world)
        world.clock.advance(3600)
        async with another_house(world), world.at(code) as live:
            assert isinstance((await log_of(world, code))[-1], log_entries.Woken)
            assert left(live.room, world) == before
            again = room_from_log(await log_of(world, code))
            assert again.timers(SPECTATOR) == live.room.timers(SPECTATOR)
            await pass_time(world, BANK + 1)
            assert [x for x in await log_of(world, code) if isinstance(x, log_entries.Overdue)]

    in_world(tmp_path / "tables.db", restart, houses=1)


def test_after_a_kill_at_most_one_heartbeat_of_thinking_is_refunded(tmp_path: Path) -> None:
    async def restart(world: World) -> None:
        async with clocks_running(world):
            code, before = await thinking(world, 31.7)
            await kill(world)
        world.clock.advance(3600)
        async with another_house(world), world.at(code) as live:
            assert before <= left(live.room, world) <= before + HEARTBEAT_SECONDS * SECOND

    in_world(tmp_path / "tables.db", restart, houses=1)


def test_many_restarts_give_nobody_more_time_than_one_does(tmp_path: Path) -> None:
    async def restart(world: World) -> None:
        async with clocks_running(world):
            code, before = await thinking(world, 5)
            await stop(world)
        for _ in range(5):
            world.clock.advance(60)
            async with another_house(world):
                await pass_time(world, 4)
                await stop(world)
        async with another_house(world), world.at(code) as live:
            assert left(live.room, world) == before - 5 * 4 * SECOND

    in_world(tmp_path / "tables.db", restart, houses=1)


@pytest.mark.parametrize("hours", [-1, 1, -960, 960])
def test_a_change_of_the_wall_clock_between_houses_neither_gives_nor_takes_time(
    tmp_path: Path, hours: int
) -> None:
    async def restart(world: World) -> None:
        async with clocks_running(world):
            code, before = await thinking(world, 20)
            await stop(world)
        date = world.clock.date
        world.clock.date = lambda: date() + hours * 3_600_000  # type: ignore[method-assign]
        world.clock.advance(60)
        async with another_house(world), world.at(code) as live:
            assert left(live.room, world) == before
            await pass_time(world, 10)
            assert left(live.room, world) == before - 10 * SECOND
        dates = [entry.at for entry in await log_of(world, code)]
        assert dates == sorted(dates)

    in_world(tmp_path / "tables.db", restart, houses=1)


def test_heartbeats_are_written_only_while_a_clock_runs(tmp_path: Path) -> None:
    async def beat(world: World) -> None:
        async with clocks_running(world):
            async with world.at(await deal(world, *SEATS, seed=2)):  # a relaxed one
                await pass_time(world, 60)
                assert await world.do(world.stores[0].clocks.last_heartbeat()) == 0
            code, _ = await thinking(world, 30)
            last = await world.do(world.stores[0].clocks.last_heartbeat())
            assert 0 <= world.clock.date() - last <= HEARTBEAT_SECONDS * SECOND
            async with world.at(code) as live:
                ada, bo = await connect_all(world, live, ADA, BO)
                await ada.do(commands.Propose, what="pause")
                await bo.do(commands.Agree, agrees=True)
                paused = await world.do(world.stores[0].clocks.last_heartbeat())
                await pass_time(world, 60)
            assert await world.do(world.stores[0].clocks.last_heartbeat()) == paused

    in_world(tmp_path / "tables.db", beat, houses=1)


def test_heartbeats_go_on_after_the_disk_has_failed(tmp_path: Path) -> None:
    async def beat(world: World) -> None:
        async with clocks_running(world):
            await thinking(world, 5)
            world.stores[0].disk.failures = 2
            await pass_time(world, 20)
            last = await world.do(world.stores[0].clocks.last_heartbeat())
            assert world.clock.date() - last <= HEARTBEAT_SECONDS * SECOND

    in_world(tmp_path / "tables.db", beat, houses=1)


def test_nobody_times_out_while_the_house_closes(tmp_path: Path) -> None:
    async def close(world: World) -> None:
        async with clocks_running(world):
            code, before = await thinking(world, 20)
            await world.do(world.houses[0].settle())
            await pass_time(world, before / SECOND + 5)
            await world.do(world.houses[0].close())
            assert not [x for x in await log_of(world, code) if isinstance(x, log_entries.Overdue)]
        async with another_house(world), world.at(code) as live:
            assert left(live.room, world) == before

    in_world(tmp_path / "tables.db", close, houses=1)


def test_an_entry_of_the_first_release_still_refunds_all_thinking_time() -> None:
    room = room_from_log(first_entries(SEATS, AT, **LIVE))
    seat = alone(room)
    room.apply(decode_entry(b'{"line":"woken","at":%d}' % (AT + 40_000)))
    assert room.clocks.since == {seat: AT + 40_000}


@pytest.mark.parametrize(
    ("alive", "given"),
    [(AT + 30_000, 10_000), (AT, 40_000), (0, 40_000), (AT + 40_000, 0), (AT + 90_000, 0)],
)
def test_a_wrong_date_refunds_no_more_than_the_time_since_the_last_entry(
    alive: int, given: int
) -> None:
    room = room_from_log(first_entries(SEATS, AT, **LIVE))
    seat = alone(room)
    room.apply(log_entries.Woken(at=AT + 40_000, alive=alive))
    assert room.clocks.since == {seat: AT + given}


@pytest.mark.parametrize("hurry", [False, True], ids=["nobody comes", "somebody moves at once"])
def test_downtime_is_refunded_even_if_the_disk_fails_at_first(tmp_path: Path, hurry: bool) -> None:
    async def restart(world: World) -> None:
        code = await deal(world, *SEATS, **LIVE)
        async with world.at(code) as live:
            people = await connect_all(world, live, ADA, BO)
            await world.until(lambda: acting(live, people) is not None)
            await world.do(live.close())
        world.clock.advance(3600)
        world.houses[0] = House(world.stores[0], TimedBots(world.clock), world.clock)
        async with world.at(code) as live:
            world.stores[0].disk.failures = 1
            people = await connect_all(world, live, ADA, BO)
            one = acting(live, people)
            assert one is not None
            if hurry:
                assert await one.move() == ""
                assert live.room.clocks.banks[one.seat] == BANK * SECOND
            await pass_time(world, MOVE - 1)
            log = await log_of(world, code)
            assert not [x for x in log if isinstance(x, log_entries.Overdue)]
            assert len([x for x in log if isinstance(x, log_entries.Woken)]) == 1

    in_world(tmp_path / "tables.db", restart, houses=1)


def test_opening_the_table_in_another_house_refunds_no_time(tmp_path: Path) -> None:
    async def other_house(world: World) -> None:
        world.clock.advance(10)
        code = await deal(world, "you", "open", "open", **LIVE)
        async with world.at(code, 0) as here:
            await pass_time(world, 30)
            before = here.room.timers(SPECTATOR)
            async with world.at(code, 1) as there:
                await world.settle()
                assert there.room.timers(SPECTATOR) == before
            await world.do(here.catch_up())
            assert here.room.timers(SPECTATOR) == before

    in_world(tmp_path / "tables.db", other_house)


def test_a_new_house_runs_the_clocks_of_all_tables(tmp_path: Path) -> None:
    """A person times out even if nobody is at the table."""

    async def asleep(world: World) -> None:
        code = await deal(world, *SEATS, **LIVE)
        mark = StoredSummary(code, "vendetta", "playing", world.clock.date())
        await world.do(world.stores[0].tables.save_summary(mark))
        world.clock.advance(100)
        await world.do(world.houses[0].resume_games())
        await world.settle()
        await pass_time(world, MOVE + BANK + 3, steps=100)
        assert [x for x in await log_of(world, code) if isinstance(x, log_entries.Overdue)]

    in_world(tmp_path / "tables.db", asleep, houses=1)


# --- Other paces ----------------------------------------------------------------------------------


def test_a_relaxed_table_has_no_clock(tmp_path: Path) -> None:
    async def relaxed(world: World) -> None:
        code = await deal(world, *SEATS)
        async with world.at(code) as live:
            people = await connect_all(world, live, ADA, BO)
            await world.until(lambda: acting(live, people) is not None)
            length = live.room.length
            await pass_time(world, 10 * 24 * 3600.0)
            assert live.room.length == length
            assert [one.clocks for one in people] == [[], []]

    in_world(tmp_path / "tables.db", relaxed, houses=1)


@pytest.mark.parametrize("game", [game.name for game in ALL])
def test_days_are_for_games_without_windows(game: str) -> None:
    has_windows = any(option.key == "reactions" for option in find(game).options)
    wanted = NewTable(game=game, seats=["you", "open", "random"], name="Ada", pace="days")
    try:
        opened = opening(find(game), wanted, code="abcdefgh", host=ADA, seed=bytes(32), at=0)
    except Refused as reason:
        assert has_windows and reason.key == "web.no_days"
        return
    assert not has_windows
    assert (opened.move, opened.bank) == (3 * DAY, 0)


def test_a_table_with_days_waits_for_days(tmp_path: Path) -> None:
    async def days(world: World) -> None:
        code = await deal(world, "you", "open", "open", pace="days", days=2)
        async with world.at(code) as live:
            (ada,) = await connect_all(world, live, ADA)
            await pass_time(world, 2 * 24 * 3600.0 - 60)
            assert live.room.seats.players() == [0, 1, 2], "nobody is replaced at a table with days"
            assert len(ada.clocks) == 1
            await pass_time(world, 61)
            assert len(live.room.seats.players()) == 2

    in_world(tmp_path / "tables.db", days, houses=1)


def test_at_a_paused_table_no_clock_runs_and_nobody_moves(tmp_path: Path) -> None:
    async def pause(world: World) -> None:
        code = await deal(world, *SEATS, **LIVE)
        async with world.at(code) as live:
            ada, bo = await connect_all(world, live, ADA, BO)
            await until_acting(world, live, bo)
            await pass_time(world, 5)
            left = [clock["until"] - world.clock.date() for clock in bo.clocks]
            assert await ada.do(commands.Propose, what="pause") == ""
            assert await bo.do(commands.Agree, agrees=True) == ""
            assert ada.known["room"]["paused"]
            assert ada.clocks == bo.clocks == []
            length = live.room.length
            await pass_time(world, 7 * 24 * 3600.0)
            assert live.room.length == length
            assert await bo.move() == "web.paused"
            assert await ada.do(commands.Propose, what="pause") == "web.paused"
            assert await ada.do(commands.Resume) == ""
            assert not bo.known["room"]["paused"]
            assert [clock["until"] - world.clock.date() for clock in bo.clocks] == left
            assert await bo.move() == ""
            assert ada.matches_fresh_sync() and bo.matches_fresh_sync()

    in_world(tmp_path / "tables.db", pause, houses=1)


def test_a_pause_survives_a_restart(tmp_path: Path) -> None:
    async def pause(world: World) -> None:
        code = await deal(world, *SEATS, **LIVE)
        async with world.at(code) as live:
            ada, bo = await connect_all(world, live, ADA, BO)
            await until_acting(world, live, bo)
            await ada.do(commands.Propose, what="pause")
            await bo.do(commands.Agree, agrees=True)
            left = live.room.clocks.until(bo.seat) - world.clock.date()
            await ada.disconnect()
            await bo.disconnect()
            await world.do(live.close())
        world.houses[0] = House(world.stores[0], TimedBots(world.clock), world.clock)
        world.clock.advance(5000)
        async with world.at(code) as live:
            await pass_time(world, 5000)
            assert live.room.is_paused
            (bo,) = await connect_all(world, live, BO)
            assert await bo.do(commands.Resume) == ""
            assert live.room.clocks.until(bo.seat) - world.clock.date() == left

    in_world(tmp_path / "tables.db", pause, houses=1)
