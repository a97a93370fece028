"""Absent people, their return, and what people agree on: pauses and takebacks."""

from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from cosca.bots.roster import default_bot
from cosca.catalog import ALL, find
from cosca.core.dice import Dice
from cosca.core.errors import Refused
from cosca.core.names import CHANCE
from cosca.match.verification import read_record, verify
from cosca.server.domain import commands, log_entries
from cosca.server.domain.clocks import GRACE
from cosca.server.domain.judge import Judge
from cosca.server.domain.room import Room, room_from_log
from cosca.server.live import views
from cosca.server.live.table import LiveTable
from tests.server.browsers import (
    ADA,
    BO,
    CY,
    LIVE,
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
from tests.server.manual_world import World, in_world
from tests.server.schedules import write_log

AT = 1_700_000_000_000
TWO = ("you", "open", "soldato")
PACES = {"live": LIVE, "relaxed": dict[str, Any]()}


# --- Grace ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("pace", PACES)
def test_after_the_grace_a_bot_of_the_tables_level_plays_and_says_so(
    tmp_path: Path, pace: str
) -> None:
    async def gone(world: World) -> None:
        code = await deal(world, *TWO, **PACES[pace])
        async with world.at(code) as live:
            ada, bo = await connect_all(world, live, ADA, BO)
            await bo.disconnect()
            assert not ada.seats[1]["present"]
            await pass_time(world, GRACE[pace] - 1)
            assert ada.seats[1]["bot"] == ""
            await pass_time(world, 2)
            assert (ada.seats[1]["bot"], ada.seats[1]["name"]) == ("soldato", "Bo")
            assert ada.seats[1]["kind"] == "person"
            while not any(
                isinstance(entry, log_entries.Moved) and entry.seat == 1 for entry in live_log
            ):
                if ada.seat in live.room.actors():
                    await ada.move()
                await pass_time(world, 2)
                live_log[:] = await log_of(world, code)
            await bo.connect()
            assert ada.seats[1]["bot"] == ""
            await until_turn(world, live, bo, ada)
            assert await bo.move() == ""
            assert ada.matches_fresh_sync() and bo.matches_fresh_sync()

    live_log: list[Any] = []
    in_world(tmp_path / "tables.db", gone, houses=1)


async def until_turn(world: World, live: LiveTable, who: Browser, *others: Browser) -> None:
    """Let the others play until it is somebody's turn."""
    for _ in range(400):
        if who.seat in live.room.actors():
            return
        one = acting(live, others)
        if one:
            assert await one.move() == ""
        else:
            await pass_time(world, 0.5, steps=5)
    raise AssertionError("it is never their turn")


def test_a_person_who_returns_within_the_grace_keeps_the_seat(tmp_path: Path) -> None:
    async def gone(world: World) -> None:
        code = await deal(world, *TWO)
        async with world.at(code) as live:
            ada, bo = await connect_all(world, live, ADA, BO)
            for _ in range(3):
                await bo.disconnect()
                await pass_time(world, GRACE["relaxed"] - 1)
                await bo.connect()
                await pass_time(world, 2)
            assert ada.seats[1]["bot"] == ""
            assert not [x for x in await log_of(world, code) if isinstance(x, log_entries.Filled)]

    in_world(tmp_path / "tables.db", gone, houses=1)


def test_nobody_is_replaced_while_nobody_waits(tmp_path: Path) -> None:
    async def empty(world: World) -> None:
        code = await deal(world, *TWO)
        async with world.at(code) as live:
            ada, bo = await connect_all(world, live, ADA, BO)
            await bo.disconnect()
            await pass_time(world, 10)
            await ada.disconnect()
            await pass_time(world, 10 * GRACE["relaxed"])
            assert live.room.seats.players() == [0, 1]
            await ada.connect()
            await pass_time(world, GRACE["relaxed"] + 1)
            assert live.room.seats.players() == [0]

    in_world(tmp_path / "tables.db", empty, houses=1)


def test_people_who_share_a_device_are_all_present(tmp_path: Path) -> None:
    async def beside(world: World) -> None:
        code = await deal(world, *TWO)
        async with world.at(code) as live:
            ada = Browser(world, live, ADA)
            live.connect(ADA, ada.format, ada.receive, local_players=[ADA, BO])
            await pass_time(world, 10 * GRACE["relaxed"])
            assert [seat["present"] for seat in ada.seats] == [True, True, False]
            assert live.room.seats.players() == [0, 1]
            await ada.disconnect()
            (bo,) = await connect_all(world, live, BO)
            await pass_time(world, GRACE["relaxed"] + 1)
            assert live.room.seats.players() == [1]
            assert bo.matches_fresh_sync()

    in_world(tmp_path / "tables.db", beside, houses=1)


def test_spectators_do_not_count_as_waiting(tmp_path: Path) -> None:
    async def watched(world: World) -> None:
        code = await deal(world, *TWO)
        async with world.at(code) as live:
            await connect_all(world, live, CY)
            await pass_time(world, 10 * GRACE["relaxed"])
            assert live.room.seats.players() == [0, 1]

    in_world(tmp_path / "tables.db", watched, houses=1)


def test_a_person_absent_at_the_start_is_replaced_too(tmp_path: Path) -> None:
    async def absent(world: World) -> None:
        log = first_entries(TWO, world.clock.date())[:-3]
        code = log[0].code  # type: ignore[union-attr]
        await world.do(write_log(world.houses[0], code, log))
        async with world.at(code) as live:
            (ada,) = await connect_all(world, live, ADA)
            assert await ada.do(commands.Start) == ""
            await world.until(lambda: live.room.stage == "playing")
            await pass_time(world, GRACE["relaxed"] + 1)
            assert ada.seats[1]["bot"] == "soldato"

    in_world(tmp_path / "tables.db", absent, houses=1)


def test_a_person_who_left_comes_back_only_by_a_command(tmp_path: Path) -> None:
    async def left(world: World) -> None:
        code = await deal(world, *TWO)
        async with world.at(code) as live:
            ada, bo = await connect_all(world, live, ADA, BO)
            assert await bo.do(commands.Leave) == ""
            await bo.disconnect()
            await bo.connect()
            await pass_time(world, 1)
            assert ada.seats[1]["bot"]
            assert await bo.do(commands.ReclaimSeat) == ""
            assert ada.seats[1]["bot"] == ""

    in_world(tmp_path / "tables.db", left, houses=1)


def test_two_houses_replace_an_absent_person_once(tmp_path: Path) -> None:
    async def both(world: World) -> None:
        code = await deal(world, "you", "open", "open")
        async with world.at(code, 0) as here, world.at(code, 1) as there:
            await connect_all(world, here, ADA)
            await connect_all(world, there, ADA)
            await pass_time(world, GRACE["relaxed"] + 1)
            for live in (here, there):
                await world.do(live.catch_up())
            filled = [x for x in await log_of(world, code) if isinstance(x, log_entries.Filled)]
            assert sorted(entry.seat for entry in filled) == [1, 2]
            await connect_all(world, there, BO)
            await world.do(here.catch_up())
            assert here.room.seats.players() == there.room.seats.players() == [0, 1]
            keys = [key for key in await keys_of(world, code) if key.startswith("back:")]
            assert len(keys) == 1

    in_world(tmp_path / "tables.db", both)


def test_the_substitute_bot_is_as_strong_as_those_at_the_table() -> None:
    def substitute(*seats: str) -> str:
        room = room_from_log(first_entries(seats, AT))
        return room.seats.substitute_bot(room.game)

    assert substitute("you", "open", "random", "soldato") == "soldato"
    assert substitute("you", "open", "random") == "random"
    assert substitute("you", "open", "open") == default_bot(find("vendetta"))


# --- A pause --------------------------------------------------------------------------------------


def playing(
    test: Callable[[World, LiveTable, list[Browser]], Any], *seats: str, **more: Any
) -> Any:
    """Return a test with three people, or others, at a table."""

    async def whole(world: World) -> None:
        code = await deal(world, *(seats or ("you", "open", "open")), **more)
        people = (ADA, BO, CY)[: sum(seat in ("you", "open") for seat in seats) or 3]
        async with world.at(code) as live:
            await test(world, live, await connect_all(world, live, *people))

    return whole


def test_a_pause_is_for_all_or_not_at_all(tmp_path: Path) -> None:
    async def propose(world: World, live: LiveTable, people: list[Browser]) -> None:
        ada, bo, cy = people
        assert await ada.do(commands.Agree, agrees=True) == "web.nothing_proposed"
        assert await ada.do(commands.Propose, what="pause") == ""
        proposed = {"what": "pause", "seat": 0, "agreed": [0], "asked": [1, 2]}
        assert cy.known["room"]["proposal"] == proposed
        assert await bo.do(commands.Propose, what="pause") == "web.proposed"
        assert await ada.do(commands.Agree, agrees=True) == "web.nothing_proposed"
        assert await bo.do(commands.Agree, agrees=True) == ""
        assert not live.room.is_paused
        assert await cy.do(commands.Agree, agrees=False) == ""
        assert ada.known["room"]["proposal"] is None and not ada.known["room"]["paused"]
        assert await ada.do(commands.Propose, what="pause") == ""
        for one in (bo, cy):
            assert await one.do(commands.Agree, agrees=True) == ""
        assert all(one.known["room"]["paused"] for one in people)
        assert await bo.do(commands.Resume) == ""
        assert await bo.do(commands.Resume) == "web.not_paused"
        assert not any(one.known["room"]["paused"] for one in people)
        assert all(one.matches_fresh_sync() for one in people)

    in_world(tmp_path / "tables.db", playing(propose), houses=1)


def test_a_single_person_pauses_at_once_and_the_bots_stop(tmp_path: Path) -> None:
    async def propose(world: World, live: LiveTable, people: list[Browser]) -> None:
        (ada,) = people
        await until_acting(world, live, ada)
        await ada.move()
        while ada.seat in live.room.actors():
            await ada.move()
        assert await ada.do(commands.Propose, what="pause") == ""
        length = live.room.length
        await pass_time(world, 100)
        assert live.room.length == length
        assert await ada.do(commands.Resume) == ""
        await until_acting(world, live, ada)

    in_world(tmp_path / "tables.db", playing(propose, "you", "random", "random"), houses=1)


def test_a_move_is_an_answer_too(tmp_path: Path) -> None:
    async def propose(world: World, live: LiveTable, people: list[Browser]) -> None:
        await people[0].do(commands.Propose, what="pause")
        one = acting(live, people)
        assert one is not None and await one.move() == ""
        assert people[0].known["room"]["proposal"] is None
        assert all(one.matches_fresh_sync() for one in people)

    in_world(tmp_path / "tables.db", playing(propose), houses=1)


def test_a_secret_answer_does_not_clear_what_is_proposed(tmp_path: Path) -> None:
    """O-9: otherwise everybody would see that somebody has answered."""

    async def propose(world: World, live: LiveTable, people: list[Browser]) -> None:
        ada, bo, cy = people
        await ada.do(commands.Propose, what="pause")
        before = len(ada.received), len(cy.received)
        assert await bo.move() == ""
        assert (len(ada.received), len(cy.received)) == before
        assert live.room.agreement.proposal is not None
        for one in (ada, cy):
            assert await one.move() == ""
        assert all(one.known["room"]["proposal"] is None for one in people)
        assert all(one.matches_fresh_sync() for one in people)

    in_world(tmp_path / "tables.db", playing(propose, game="omerta"), houses=1)


@pytest.mark.parametrize("who", ["asked", "asking"])
@pytest.mark.parametrize("how", ["leaves", "is sent away"])
def test_a_proposal_does_not_wait_for_absent_people(tmp_path: Path, who: str, how: str) -> None:
    async def propose(world: World, live: LiveTable, people: list[Browser]) -> None:
        ada, bo, cy = people
        asking, agreeing, gone = (ada, cy, bo) if who == "asked" else (bo, cy, bo)
        assert await asking.do(commands.Propose, what="pause") == ""
        if who == "asked":
            assert await agreeing.do(commands.Agree, agrees=True) == ""
        if how == "leaves":
            assert await gone.do(commands.Leave) == ""
        else:
            assert await ada.do(commands.Remove, seat=1) == ""
        assert ada.known["room"]["proposal"] is None
        assert ada.known["room"]["paused"] == (who == "asked")

    in_world(tmp_path / "tables.db", playing(propose), houses=1)


def test_nobody_is_replaced_during_a_pause(tmp_path: Path) -> None:
    async def propose(world: World, live: LiveTable, people: list[Browser]) -> None:
        ada, *others = people
        await ada.do(commands.Propose, what="pause")
        for one in others:
            await one.do(commands.Agree, agrees=True)
        await others[0].disconnect()
        await pass_time(world, 3 * GRACE["relaxed"])
        assert live.room.seats.players() == [0, 1, 2]
        await ada.do(commands.Resume)
        await pass_time(world, GRACE["relaxed"] + 1)
        assert live.room.seats.players() == [0, 2]

    in_world(tmp_path / "tables.db", playing(propose), houses=1)


def test_bots_wait_until_a_proposal_is_settled_or_withdrawn(tmp_path: Path) -> None:
    async def propose(world: World, live: LiveTable, people: list[Browser]) -> None:
        ada, bo = people
        for _ in range(40):  # until it is the bot's turn
            one = acting(live, people)
            if one is None:
                break
            await one.move()
        assert live.room.bots_to_act() == [2]
        assert await ada.do(commands.Propose, what="pause") == ""
        length = live.room.length
        await pass_time(world, 100)
        assert live.room.length == length
        assert await bo.do(commands.Propose, what="takeback") == "web.proposed"
        assert await ada.do(commands.Agree, agrees=False) == ""
        assert bo.known["room"]["proposal"] is None
        await pass_time(world, 100)
        assert live.room.moves[2] > 0
        assert ada.matches_fresh_sync() and bo.matches_fresh_sync()

    in_world(tmp_path / "tables.db", playing(propose, "you", "open", "random"), houses=1)


# --- Taking back ----------------------------------------------------------------------------------


def last_events(one: Browser) -> list[Any]:
    """Return the events that a browser knows."""
    found: list[Any] = one.known["events"]
    return found


def test_a_move_that_is_taken_back_is_gone_for_everybody(tmp_path: Path) -> None:
    async def take_back(world: World, live: LiveTable, people: list[Browser]) -> None:
        data = Browser(world, live, BO, format="data")
        everybody = [*people, await data.connect()]
        before = await back_to_a_quiet_move(world, live, people)
        assert [one.known["events"] for one in everybody] == [
            message["events"] for message in (await seen(everybody, before))
        ]
        assert all(one.matches_fresh_sync() for one in everybody)
        one = acting(live, people)
        assert one is not None and await one.move() == ""
        for _ in range(20):
            one = acting(live, people)
            assert one is not None and await one.move() == ""
        assert all(one.matches_fresh_sync() for one in everybody)

    async def seen(everybody: list[Browser], before: Room) -> list[dict[str, Any]]:
        return [
            msgspec.json.decode(
                views.sync_message(
                    before,
                    views.Viewer(one.seat, before.seats.is_host(one.owner), one.format),
                    (0, 1, 2),
                )
            )
            for one in everybody
        ]

    in_world(tmp_path / "tables.db", playing(take_back), houses=1)


async def back_to_a_quiet_move(world: World, live: LiveTable, people: list[Browser]) -> Room:
    """Play until a move can be taken back, and take it back; return the room before it."""
    for _ in range(200):
        one = acting(live, people)
        assert one is not None
        before = await log_of(world, live.room.code)
        position = live.room.position(one.seat)
        assert await one.move() == ""
        if await one.do(commands.Propose, what="takeback") == "":
            for other in people:
                if other is not one:
                    assert await other.do(commands.Agree, agrees=True) == ""
            assert live.room.position(one.seat) == position
            return room_from_log(before)
    raise AssertionError("no move could be taken back")


def test_a_game_with_moves_taken_back_can_be_verified_and_read_again(tmp_path: Path) -> None:
    async def whole(world: World, live: LiveTable, people: list[Browser]) -> None:
        rng = Random(5)
        backs = 0
        while live.room.stage == "playing":
            one = acting(live, people)
            assert one is not None
            legal = live.room.position(one.seat).legal
            assert await one.move(rng.choice(legal)) == ""
            if live.room.stage == "playing" and rng.random() < 0.6 and backs < 20:
                if await one.do(commands.Propose, what="takeback") == "":
                    for other in people:
                        if other is not one:
                            await other.do(commands.Agree, agrees=True)
                    backs += 1
        assert backs >= 5
        again = room_from_log(await log_of(world, live.room.code))
        assert again.playing().log == live.room.playing().log
        assert again.record() == live.room.record()
        verify(read_record(BytesIO(live.room.record().encode())))
        assert all(one.matches_fresh_sync() for one in people)

    in_world(tmp_path / "tables.db", playing(whole), houses=1)


def test_a_move_that_was_taken_back_is_not_done_again_by_its_id(tmp_path: Path) -> None:
    async def again(world: World, live: LiveTable, people: list[Browser]) -> None:
        for _ in range(200):
            one = acting(live, people)
            assert one is not None
            action = live.room.position(one.seat).legal[0]
            move = commands.Move(id=f"move-{live.room.length}", actions=[action])
            mover, first = one, await one.send(move)
            if await one.do(commands.Propose, what="takeback") == "":
                break
        for other in people:
            if other is not mover:
                await other.do(commands.Agree, agrees=True)
        length = live.room.length
        assert await mover.send(move) == first
        assert live.room.length == length
        assert await mover.move(action) == ""

    in_world(tmp_path / "tables.db", playing(again), houses=1)


def propose_takeback(room: Room, seat: int) -> str:
    """Return why a seat may not take back; empty if it may."""
    owner = sorted(room.seats[seat].owners)[0]
    try:
        Judge(room).command(owner, commands.Propose(id="1", what="takeback"), (), AT)
    except Refused as reason:
        return reason.key
    return ""


@pytest.mark.parametrize("game", [game.name for game in ALL])
def test_nothing_is_taken_back_that_has_shown_something(game: str) -> None:
    """In many games, no move can be taken back whose result could not be foreseen."""
    allowed = refused = 0
    for seed in range(6):
        room = room_from_log(first_entries(("you", "open", "open"), AT, game, seed))
        rng = Random(seed)
        while room.stage == "playing" and room.length < 150:
            seat = rng.choice(room.actors())
            steps, events = len(room.playing().log), len(room.playing().events)
            action = rng.choice(room.position(seat).legal)
            before = folded_copy(room)
            room.apply(log_entries.Moved(at=AT, seat=seat, actions=[action]))
            if room.playing().is_over:
                break
            if propose_takeback(room, seat):
                refused += 1
                continue
            allowed += 1
            log = room.playing().log[steps:]
            assert all(who != CHANCE for who, _ in log)
            assert len(room.shown.position(-2).actors) == 1, "a window is open"
            new = room.playing().events[events:]
            assert all(event.audience is None and not event.is_transient for event in new)
            for other in range(3):
                assert knew(before, other, [(seat, action)], new), (seed, steps, new)
    assert refused > 10
    assert allowed > (20 if game == "vendetta" else 3)


def folded_copy(room: Room) -> Any:
    """Return the positions of all seats, to ask later what they could have known."""
    return room.game, [room.position(seat) for seat in range(len(room.seats))]


def knew(before: Any, seat: int, steps: list[tuple[int, int]], events: list[Any]) -> bool:
    """Return whether the same events follow in all states that a seat thought possible."""
    game, positions = before
    for number in range(40):
        state = game.sample(positions[seat], Dice(1000 + number))
        happened = []
        for who, action in steps:
            if who not in state.actors() or action not in state.legal_actions(who):
                return False
            happened += game.events(state, who, action)
            state.apply(who, action)
        if [e for e in happened if e.is_for(seat)] != [e for e in events if e.is_for(seat)]:
            return False
    return True


def test_a_refused_takeback_does_not_reveal_who_has_answered() -> None:
    """O-9: in an open window it is a secret who has answered, and so is the reason of a refusal."""
    found = 0
    for seed in range(30):
        room = room_from_log(first_entries(("you", "open", "open"), AT, "omerta", seed))
        rng = Random(seed)
        while room.stage == "playing" and room.length < 120:
            window = room.shown.position(-2).actors
            if len(window) > 1:
                answers = {propose_takeback(room, seat) for seat in window}
                found += 1
                assert answers <= {"web.already_seen", "web.nothing_to_take_back"}
                before = {seat: propose_takeback(room, seat) for seat in window}
                seat = rng.choice(room.actors())
                action = rng.choice(room.position(seat).legal)
                room.apply(log_entries.Moved(at=AT, seat=seat, actions=[action]))
                if room.stage == "playing" and room.shown.position(-2).actors == window:
                    for other in window:
                        if other != seat:
                            assert propose_takeback(room, other) == before[other]
                continue
            seat = rng.choice(room.actors())
            action = rng.choice(room.position(seat).legal)
            room.apply(log_entries.Moved(at=AT, seat=seat, actions=[action]))
    assert found > 50
