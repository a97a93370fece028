"""Quotas: a log does not grow without end, and a takeback replays nothing."""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from cosca.catalog import ALL
from cosca.core.errors import Refused
from cosca.core.names import SPECTATOR
from cosca.match.table import Table
from cosca.server.domain import commands, log_entries, quotas, room, takebacks
from cosca.server.domain.judge import Judge
from cosca.server.domain.log_entries import LogEntry
from cosca.server.domain.room import Room, room_from_log
from cosca.server.live import views
from cosca.words import say
from tests.server.browsers import ADA, BO, connect_all, deal, first_entries
from tests.server.manual_world import World, in_world

TAKE_BACK = commands.Propose(id="1", what="takeback")


def played(game: str, seed: int) -> Iterator[tuple[Room, LogEntry]]:
    """Play one person against bots; return the room after each of their moves, and the move."""
    table = room.room_from_log(first_entries(["you", "random", "random"], 0, game, seed))
    rng = Random(seed)
    while table.stage == "playing":
        seat = rng.choice(table.actors())
        move = log_entries.Moved(at=0, seat=seat, actions=[rng.choice(table.position(seat).legal)])
        table.apply(move)
        if seat == 0 and table.stage == "playing":
            yield table, move


def seen(table: Room) -> list[Any]:
    """Return everything that everybody sees of a table, except what was taken back."""
    seats = [SPECTATOR, *range(len(table.seats))]
    messages = [
        msgspec.json.decode(views.sync_message(table, views.Viewer(seat, False, "data"), ()))
        for seat in seats
    ]
    for each in messages:
        del each["room"]["taken_back"]
    return messages


@pytest.mark.parametrize("game", [game.name for game in ALL])
def test_a_takeback_replays_nothing_and_leaves_the_table_as_it_was(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    replays: list[object] = []
    resume = Table.resume
    monkeypatch.setattr(Table, "resume", lambda *given: replays.append(given))
    done = 0
    for table, move in played(game, 1):
        try:
            takeback = Judge(table).command(ADA, TAKE_BACK, (), 0)
        except Refused:
            continue
        after = seen(table)
        for _ in range(3):
            table.apply(takeback)
            log, dice = list(table.playing().log), table.deal.dice()
            dice.draws = table.playing().dice.draws  # type: ignore[attr-defined]  # sealed dice
            fresh = resume(table.game, table.settings, len(table.seats), log, dice)
            assert table.playing().events == fresh.events
            for seat in [SPECTATOR, *range(len(table.seats))]:
                assert table.position(seat) == fresh.position(seat)
            table.apply(move)
            assert seen(table) == after
        done += 3
        if done > 12:
            break
    assert done
    assert replays == []


def test_a_move_older_than_the_checkpoints_is_taken_back_by_a_replay(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(takebacks, "MOST_CHECKPOINTS", 0)
    for table, move in played("vendetta", 1):
        try:
            takeback = Judge(table).command(ADA, TAKE_BACK, (), 0)
        except Refused:
            continue
        after = seen(table)
        table.apply(takeback)
        assert seen(table) != after
        table.apply(move)
        assert seen(table) == after
        return
    raise AssertionError("no move could be taken back")


# --- Limits --------------------------------------------------------------------------------------


def test_the_chat_of_a_seat_is_limited_and_others_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(quotas, "CHATS", 3)

    async def chatter(world: World) -> None:
        code = await deal(world, "you", "open", "random")
        async with world.at(code) as live:
            ada, bo = await connect_all(world, live, ADA, BO)
            said = [await ada.do(commands.Chat, text="well") for _ in range(5)]
            assert said == ["", "", "", "web.too_much_said", "web.too_much_said"]
            assert await bo.do(commands.Chat, text="well") == ""
            assert await ada.do(commands.Leave) == ""
            assert len(live.room.chat.messages) == 4

    in_world(tmp_path / "tables.db", chatter, houses=1)


def test_leaving_and_coming_back_uses_up_only_the_own_quota(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(quotas, "OTHERS", 5)

    async def flapping(world: World) -> None:
        code = await deal(world, "you", "open", "random")
        async with world.at(code) as live:
            ada, bo = await connect_all(world, live, ADA, BO)
            done = []
            for _ in range(3):
                done += [await ada.do(commands.Leave), await ada.do(commands.ReclaimSeat)]
            assert done == ["", "", "", "", "web.too_much_done", "web.is_yours"]
            assert await bo.do(commands.Leave) == ""

    in_world(tmp_path / "tables.db", flapping, houses=1)


def test_takebacks_of_a_game_are_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quotas, "TAKEBACKS", 2)
    for table, move in played("vendetta", 1):
        try:
            takeback = Judge(table).command(ADA, TAKE_BACK, (), 0)
        except Refused:
            continue
        for _ in range(2):
            table.apply(takeback)
            table.apply(move)
        with pytest.raises(Refused, match=r"web\.too_many_takebacks"):
            Judge(table).command(ADA, TAKE_BACK, (), 0)
        table.apply(takeback)  # what a log from before the limit says is still so
        assert len(table.takebacks.steps) == 3
        return
    raise AssertionError("no move could be taken back")


def test_a_table_whose_log_is_full_takes_nothing_more_and_can_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def full(world: World) -> None:
        code = await deal(world, "you", "open", "random")
        async with world.at(code) as live:
            ada, _ = await connect_all(world, live, ADA, BO)
            assert await ada.do(commands.Chat, text="well") == ""
            monkeypatch.setattr(room, "ENTRIES", live.room.length)
            for kind, words in ((commands.Chat, {"text": "well"}), (commands.Leave, {})):
                assert await ada.do(kind, **words) == "web.table_full"
            assert live.room.bots_to_act() == []
            assert len(await world.do(world.stores[0].logs.entries(code))) == live.room.length
        async with world.at(code) as again:
            (ada,) = await connect_all(world, again, ADA)
            assert ada.known["chat"][0]["text"] == "well"

    in_world(tmp_path / "tables.db", full, houses=1)


@pytest.mark.parametrize("key", ["too_many_takebacks", "too_much_said", "too_much_done"])
def test_each_refusal_names_its_limit(key: str) -> None:
    assert "17" in say(f"web.{key}", {"most": 17})


def test_a_log_longer_than_the_limit_can_still_be_read() -> None:
    log = first_entries(["you", "random", "random"], 0)
    log += [log_entries.Spoken(at=0, seat=0, text="well")] * (quotas.CHATS + 5)
    assert len(room_from_log(log).chat.messages) == quotas.CHATS + 5
