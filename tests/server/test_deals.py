"""The deal: seal, commitments, contributions; silent seats and withheld bytes."""

import json
from collections.abc import Awaitable, Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from cosca.core.errors import Refused
from cosca.match.sealed import commit, seal
from cosca.match.verification import read_record, verify
from cosca.server.domain import commands, log_entries
from cosca.server.domain.contributions import COMMIT_SECONDS, REVEAL_SECONDS
from cosca.server.domain.judge import Judge
from cosca.server.domain.log_entries import LogEntry
from cosca.server.domain.opening import next_opening, next_seats
from cosca.server.domain.room import room_from_log
from cosca.server.live.table import LiveTable
from tests.server.browsers import (
    ADA,
    BO,
    Browser,
    connect_all,
    first_entries,
    keys_of,
    log_of,
    pass_time,
)
from tests.server.manual_world import World, in_world
from tests.server.schedules import write_log
from tests.server.test_room import BO as BOB
from tests.server.test_room import at as at_stage
from tests.server.test_room import commitment, reveal

A, B = b"a" * 16, b"b" * 16
MOMENT = 0.2
"""Seconds of a few turns of the loop: less than any phase lasts."""


def at_a_lobby(
    path: Path,
    work: Callable[[World, LiveTable, Browser, Browser], Awaitable[None]],
    houses: int = 1,
    **wanted: Any,
) -> None:
    """Run a test at a table of Ada, Bo and a bot before the game."""

    async def whole(world: World) -> None:
        log = first_entries(("you", "open", "random"), world.clock.date(), **wanted)
        opened = log[0]
        assert isinstance(opened, log_entries.Opened)
        await world.do(write_log(world.houses[0], opened.code, log[:-3]))
        async with world.at(opened.code) as live:
            ada, bo = await connect_all(world, live, ADA, BO)
            assert await ada.do(commands.Start) == ""
            await work(world, live, ada, bo)

    in_world(path / "tables.db", whole, houses)


async def sends_commitment(browser: Browser, contribution: bytes) -> str:
    """Send a commitment; return why it is refused, empty if it is not."""
    room = browser.known["room"]
    made = commit(room["code"], room["seal"], browser.seat, contribution)
    return await browser.do(commands.Commit, commitment=made)


async def reveals(browser: Browser, contribution: bytes) -> str:
    """Reveal bytes; return why they are refused, empty if they are not."""
    return await browser.do(commands.Reveal, contribution=contribution.hex())


def statuses(browser: Browser) -> list[str]:
    """Return what each seat has contributed, as a browser knows it."""
    return [given["status"] for given in browser.known["room"]["contributions"]]


def kinds(log: list[LogEntry]) -> list[str]:
    """Return the kinds of the log entries of the deal."""
    of_deal = (
        log_entries.Committed,
        log_entries.CommitmentsClosed,
        log_entries.Revealed,
        log_entries.Dealt,
    )
    return [type(entry).__name__ for entry in log if isinstance(entry, of_deal)]


# --- Phase by phase ---------------------------------------------------------------------------


def test_the_seal_is_shown_before_anybody_sends_anything(tmp_path: Path) -> None:
    async def seen(world: World, live: LiveTable, ada: Browser, bo: Browser) -> None:
        first = json.loads(ada.received[0])["room"]
        assert (first["stage"], first["dealing"], first["contributions"]) == ("lobby", "", [])
        seed = bytes.fromhex(live.room.opened.seed)
        assert first["seal"] == seal(live.room.code, seed) == bo.known["room"]["seal"]

    at_a_lobby(tmp_path, seen)


def test_all_commit_then_all_reveal_and_the_cards_are_dealt_at_once(tmp_path: Path) -> None:
    async def deal(world: World, live: LiveTable, ada: Browser, bo: Browser) -> None:
        assert ada.known["room"]["dealing"] == "commit"
        assert statuses(ada) == ["waiting", "waiting", "bot"]
        assert await sends_commitment(ada, A) == ""
        assert statuses(bo) == ["committed", "waiting", "bot"]
        assert await reveals(ada, A) == "web.not_revealing"
        assert await sends_commitment(bo, B) == ""
        await pass_time(world, MOMENT)
        assert ada.known["room"]["dealing"] == "reveal"
        assert await reveals(ada, A) == ""
        assert statuses(bo) == ["revealed", "committed", "bot"]
        assert ada.known["room"]["stage"] == "sealing"
        assert await reveals(bo, B) == ""
        await pass_time(world, MOMENT)
        assert ada.known["room"]["stage"] == "playing"
        assert statuses(ada) == ["revealed", "revealed", "bot"]
        assert live.room.deal.contributions.revealed == {0: A, 1: B}
        order = ["Committed", "Committed", "CommitmentsClosed", "Revealed", "Revealed", "Dealt"]
        assert kinds(await log_of(world, live.room.code)) == order

    at_a_lobby(tmp_path, deal)


def test_nobodys_bytes_are_sent_to_others_during_the_game(tmp_path: Path) -> None:
    async def deal(world: World, live: LiveTable, ada: Browser, bo: Browser) -> None:
        for browser, own in ((ada, A), (bo, B)):
            await sends_commitment(browser, own)
        await pass_time(world, MOMENT)
        for browser, own in ((ada, A), (bo, B)):
            await reveals(browser, own)
        await pass_time(world, MOMENT)
        traffic = b"".join(ada.received + bo.received)
        assert ada.known["room"]["stage"] == "playing"
        assert A.hex().encode() not in traffic and B.hex().encode() not in traffic

    at_a_lobby(tmp_path, deal)


def test_a_seat_without_a_commitment_is_silent_and_plays_anyway(tmp_path: Path) -> None:
    async def deal(world: World, live: LiveTable, ada: Browser, bo: Browser) -> None:
        await sends_commitment(ada, A)
        await pass_time(world, COMMIT_SECONDS - 0.5)
        assert ada.known["room"]["dealing"] == "commit"
        await pass_time(world, 1.0)
        assert statuses(ada) == ["committed", "silent", "bot"]
        assert await sends_commitment(bo, B) == "web.not_committing"
        await reveals(ada, A)
        await pass_time(world, MOMENT)
        assert ada.known["room"]["stage"] == "playing"
        assert statuses(ada) == ["revealed", "silent", "bot"]
        assert live.room.seats[1].bot == ""

    at_a_lobby(tmp_path, deal)


def test_a_seat_that_withholds_its_bytes_is_lost_for_this_game(tmp_path: Path) -> None:
    async def deal(world: World, live: LiveTable, ada: Browser, bo: Browser) -> None:
        await sends_commitment(ada, A)
        await sends_commitment(bo, B)
        await pass_time(world, MOMENT)
        await reveals(ada, A)
        await pass_time(world, REVEAL_SECONDS - 0.5)
        assert ada.known["room"]["stage"] == "sealing"
        await pass_time(world, 1.0)
        assert ada.known["room"]["stage"] == "playing"
        assert statuses(ada) == ["revealed", "withheld", "bot"]
        assert live.room.deal.contributions.revealed == {0: A}
        assert ada.seats[1]["bot"] and ada.seats[1]["kind"] == "person"
        assert await reveals(bo, B) == "web.not_revealing"
        assert await bo.do(commands.ReclaimSeat) == "web.withheld"
        await bo.disconnect()
        await bo.connect()
        await pass_time(world, 5.0)
        assert ada.seats[1]["bot"], "to come again does not help"
        again = room_from_log(await log_of(world, live.room.code))
        assert again.seats[1].withheld and again.seats[1].bot == live.room.seats[1].bot

    at_a_lobby(tmp_path, deal)


def test_at_the_next_table_the_seat_is_theirs_again() -> None:
    table = at_stage("sealing")
    table.grant(BOB, commitment())
    table.add(log_entries.CommitmentsClosed(at=0))
    table.add(Judge(table.room).deal(0))
    again = room_from_log([next_opening(table.room, bytes(32), 0), *next_seats(table.room, 0)])
    assert table.room.seats[1].withheld
    assert (again.seats[1].withheld, again.seats[1].bot) == (False, "")


def test_two_houses_end_each_phase_once(tmp_path: Path) -> None:
    async def deal(world: World, live: LiveTable, ada: Browser, bo: Browser) -> None:
        async with world.at(live.room.code, 1) as other:
            await sends_commitment(ada, A)
            await pass_time(world, COMMIT_SECONDS + 1)
            await world.do(other.catch_up())
            await pass_time(world, REVEAL_SECONDS + 1)
            await world.do(other.catch_up())
            keys = await keys_of(world, live.room.code)
            assert keys.count("commitments_closed") == keys.count("deal") == 1
            assert other.room.stage == "playing"

    at_a_lobby(tmp_path, deal, houses=2)


def test_a_house_that_restarts_during_the_deal_goes_on_where_it_was(tmp_path: Path) -> None:
    async def deal(world: World, live: LiveTable, ada: Browser, bo: Browser) -> None:
        await sends_commitment(ada, A)
        await sends_commitment(bo, B)
        await pass_time(world, MOMENT)
        await reveals(ada, A)
        await world.do(live.close())
        async with world.at(live.room.code, 1) as other:
            (again,) = await connect_all(world, other, BO)
            assert statuses(again) == ["revealed", "committed", "bot"]
            assert await reveals(again, B) == ""
            await pass_time(world, MOMENT)
            assert other.room.stage == "playing"

    at_a_lobby(tmp_path, deal, houses=2)


# --- What the last one to speak can choose ----------------------------------------------------


def test_after_the_commitment_a_seat_can_only_reveal_or_withhold() -> None:
    """Even somebody who knows the seed and all other bytes can reveal no other bytes."""
    table = at_stage("sealing")
    table.grant(BOB, commitment(1, b"b"))
    for others in (b"c", b"d", b"\0"):
        assert table.why_not(BOB, commitment(1, others)) == "web.committed"
    table.add(log_entries.CommitmentsClosed(at=0))
    assert table.why_not(BOB, commitment(1, b"c")) == "web.not_committing"
    for number in range(256):
        if bytes([number]) != b"b":
            assert table.why_not(BOB, reveal(bytes([number]))) == "web.other_bytes"
    table.grant(BOB, reveal(b"b"))
    assert table.why_not(BOB, reveal(b"b")) == "web.nothing_to_reveal"


@pytest.mark.parametrize("number", [0, 1, 255])
def test_a_log_in_which_somebody_chose_later_is_refused(number: int) -> None:
    table = at_stage("sealing")
    table.grant(BOB, commitment(1, b"b"))
    table.add(log_entries.CommitmentsClosed(at=0))
    chosen = (bytes([number]) * 16).hex()
    with pytest.raises(Refused, match="bad_log"):
        table.room.apply(log_entries.Revealed(at=0, seat=1, contribution=chosen))
    with pytest.raises(Refused, match="bad_log"):
        table.room.apply(log_entries.Committed(at=0, seat=0, commitment="ab" * 32))
    with pytest.raises(Refused, match="bad_log"):
        table.room.apply(log_entries.Committed(at=0, seat=1, commitment="ab" * 32))


# --- The chain and the record -----------------------------------------------------------------


async def dealt_and_played(world: World, live: LiveTable, ada: Browser, bo: Browser) -> list[Any]:
    """Deal and let everybody play to the end; return the links that Ada received, in order."""
    await sends_commitment(ada, A)
    await sends_commitment(bo, B)
    await pass_time(world, MOMENT)
    await reveals(ada, A)
    await pass_time(world, REVEAL_SECONDS + 1)
    while live.room.stage == "playing":
        actors = live.room.actors()
        if 0 in actors and not live.room.seats[0].bot:
            assert await ada.move() == ""
        else:
            await pass_time(world, 2.0)
    messages = [json.loads(message) for message in ada.received]
    return [message["link"] for message in messages if message.get("link")]


@pytest.mark.parametrize("game", ["vendetta", "omerta", "sicilianos"])
def test_the_links_that_were_sent_are_in_the_record(tmp_path: Path, game: str) -> None:
    short = {"vendetta": {"max_rounds": "2"}, "omerta": {"games": "1"}}

    async def play(world: World, live: LiveTable, ada: Browser, bo: Browser) -> None:
        links = await dealt_and_played(world, live, ada, bo)
        record = live.room.record()
        lines = [json.loads(line) for line in record.splitlines()]
        assert len(links) > 2
        for link in links:
            assert lines[link["step"]]["chain"] == link["chain"]
        assert links[-1]["step"] == len(lines) - 2
        newest = live.room.newest_link()
        assert newest and (newest.step, newest.chain) == (links[-1]["step"], links[-1]["chain"])
        given = [each["is"] for each in lines[0]["contributions"]]
        assert given == ["revealed", "withheld", "bot"]
        assert lines[0]["players"][:2] == ["Ada", "Bo"]
        verify(read_record(BytesIO(record.encode())))
        loaded = room_from_log(await log_of(world, live.room.code))
        assert loaded.record() == record == live.room.record(), (
            "also of a room that is loaded again"
        )

    at_a_lobby(tmp_path, play, game=game, options=short.get(game, {}))


def test_a_record_of_a_table_of_format_1_is_written_as_it_was() -> None:
    old = [
        entry
        for entry in at_stage("over").log
        if not isinstance(entry, log_entries.CommitmentsClosed)
    ]
    assert isinstance(old[0], log_entries.Opened)
    old[0].format = 1
    room = room_from_log([*old[:3], log_entries.Stirred(at=0, seat=1, entropy=B.hex()), *old[3:5]])
    assert room.newest_link() is None
    while room.actors():
        seat = room.actors()[0]
        room.apply(log_entries.Moved(at=0, seat=seat, actions=[room.position(seat).legal[0]]))
    header = json.loads(room.record().splitlines()[0])
    assert (header["format"], header["entropy"]) == (1, {"1": B.hex()})
    verify(read_record(BytesIO(room.record().encode())))
