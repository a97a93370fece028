"""The wire law holds in every game of the catalog, and finds leaks."""

import asyncio
import dataclasses
import logging
from collections.abc import Callable, Collection
from typing import Any

import msgspec
import pytest

from cosca.core.dice import Dice
from cosca.core.events import Event
from cosca.core.names import SPECTATOR, Seat
from cosca.core.position import Position
from cosca.games.omerta import pieces
from cosca.match.record import canonical_json, public_content
from cosca.server import wire
from cosca.server.domain import links
from cosca.server.domain.clocks import Clocks
from cosca.server.domain.room import Room
from cosca.server.domain.shown import Shown
from cosca.server.live import lists, summary, views
from cosca.server.live.reactions import REACTION_TIMEOUT
from cosca.server.live.table import LiveTable
from cosca.server.live.table_log import TableLog
from cosca.server.live.views import Stream, Viewer
from cosca.testing.case import Case, viewers
from cosca.testing.laws import state_of
from cosca.testing.walks import POLICIES, TableSetup, Walk, random_walk, seeded_walks
from tests.laws.cases import CASES, SETUPS
from tests.server import wire_law
from tests.server.in_process import wait_until
from tests.server.wire_law import FORMATS, Inbox, at_table, check, masked, owner, play, questions

DECISIONS = 24
KINDS = list(SETUPS)


@pytest.mark.parametrize("name", KINDS)
def test_messages_reveal_nothing_hidden(name: str) -> None:
    case, _ = SETUPS[name]
    assert (walk_by_the_wire(name) > 0) == case.has_secrets


def walk_by_the_wire(name: str) -> int:
    """Check the law on a walk at that table; return how many twins were compared."""
    case, setup = SETUPS[name]
    number = KINDS.index(name)
    return check(
        case, random_walk(setup, Dice(7, number), POLICIES[number % len(POLICIES)], DECISIONS)
    )


@pytest.mark.parametrize("name", KINDS[::3])
def test_clocks_reveal_nothing_hidden(name: str) -> None:
    case, setup = SETUPS[name]
    number = KINDS.index(name)
    walk = random_walk(setup, Dice(8, number), POLICIES[number % len(POLICIES)], DECISIONS)
    assert (check(case, walk, live_pace=True) > 0) == case.has_secrets


# --- What others get ------------------------------------------------------------------------------


async def listen(walk: Walk, live: LiveTable) -> dict[Seat, list[bytes]]:
    """Connect everybody with both formats, and drop the first messages."""
    received: dict[Seat, list[bytes]] = {seat: [] for seat in viewers(walk)}
    for seat, into in received.items():
        for format in FORMATS:
            live.connect(owner(seat), format, Inbox(into).receive)
    for into in received.values():
        into.clear()
    return received


@pytest.mark.parametrize(
    "name", ["omerta 3 original", "omerta 5 original", "omerta 4 with memory=aided"]
)
def test_an_answer_in_an_open_window_sends_nothing_to_anybody_else(name: str) -> None:
    _, setup = SETUPS[name]

    async def silent_answers(walk: Walk) -> int:
        silent = 0
        async with at_table(walk) as table:
            live = table.live
            received = await listen(walk, live)
            for seat, action in walk.log:
                if seat < 0:
                    continue
                before = window(live)
                await play(live, seat, action, Inbox([]))
                if before is not None and window(live) == before:
                    others = {other: into for other, into in received.items() if other != seat}
                    assert not any(others.values()), (
                        f"others get a message when seat {seat} answers"
                    )
                    assert received[seat], "the seat that answered sees its answer"
                    silent += 1
                for into in received.values():
                    into.clear()
        return silent

    walks = seeded_walks(setup, 4, most=DECISIONS)
    assert sum(asyncio.run(silent_answers(walk)) for walk in walks) > 10


def window(live: LiveTable) -> tuple[int, int] | None:
    """Return an id of the open window, by the number of public events; None if there is none."""
    state: Any = state_of(live.room.playing())
    public = len(live.room.playing().events_for(SPECTATOR))
    return (state.window, public) if state.phase == pieces.PHASE_WINDOW else None


@pytest.mark.parametrize("name", CASES)
def test_questions_are_invisible_to_others(name: str) -> None:
    case = CASES[name]
    setup = case.table_setups()[0]

    async def ask_all(walk: Walk) -> int:
        async with at_table(walk) as table:
            for seat, action in walk.log:
                if seat >= 0:
                    await play(table.live, seat, action, Inbox([]))
            received = await listen(walk, table.live)
            answers = 0
            for seat in viewers(walk):
                answers += len([answer async for answer in questions(case, table, seat)])
                assert not any(received.values()), f"others get a message when seat {seat} asks"
            return answers

    for walk in seeded_walks(setup, 2, most=9):
        assert asyncio.run(ask_all(walk)) > 30


@pytest.mark.parametrize("name", ["omerta 3 original", "omerta 4 original"])
def test_a_timeout_in_a_window_looks_like_passing(name: str) -> None:
    """When the time of a live window is over, nobody sees who did not react."""
    _, setup = SETUPS[name]

    async def messages(walk: Walk, *, by_time: bool) -> tuple[dict[Seat, list[bytes]], int]:
        """Play a walk up to its first race, in which all pass or time out."""
        async with at_table(walk) as table:
            live = table.live
            received = await listen(walk, live)
            for seat, action in walk.log:
                if live.room.pending_reactions():
                    break
                if seat >= 0:
                    await play(live, seat, action, Inbox([]))
            seats = live.room.pending_reactions()
            before = live.room.length
            if by_time:
                await wait_until(lambda: table.clock.sleepers >= len(seats))
                table.clock.advance(REACTION_TIMEOUT)
                await wait_until(lambda: live.room.length == before + len(seats))
            else:
                for seat in seats:
                    await play(live, seat, pieces.PASS, Inbox([]))
            return received, len(seats)

    raced = 0
    for walk in seeded_walks(setup, 4, most=DECISIONS):
        one, reactions = asyncio.run(messages(walk, by_time=False))
        two, _ = asyncio.run(messages(walk, by_time=True))
        assert one == two
        raced += reactions
    assert raced


# --- What the server must not remember for a person ---------------------------------------------


def sync(room: Room, seat: Seat) -> list[dict[str, Any]]:
    """Return a fresh sync of a seat without its events."""
    messages = [views.sync_message(room, Viewer(seat, False, format), ()) for format in FORMATS]
    read = [msgspec.json.decode(masked(message)) for message in messages]
    return [{name: each[name] for name in ("room", "view", "events", "link")} for each in read]


async def compare_memories(case: Case, walk: Walk) -> int:
    """Check that games which look the same now sync the same, whatever a seat has seen before."""
    compared = 0
    for cut in walk.cuts(6):
        for log in case.twins(cut, SPECTATOR, Dice(1)):
            rooms = []
            for one in (cut, cut.with_log(log)):
                async with at_table(one) as table:
                    for seat, action in one.log:
                        if seat >= 0:
                            await play(table.live, seat, action, Inbox([]))
                    rooms.append(table.live.room)
            for seat in range(walk.setup.seats):
                compared += alike_now(rooms[0], rooms[1], seat)
    return compared


def alike_now(one: Room, two: Room, seat: Seat) -> bool:
    """Check that a seat which only remembers something else is sent the same; return if so."""
    first, second = one.position(seat), two.position(seat)
    same = canonical_json(first.visible_fields()) == canonical_json(second.visible_fields())
    if not same or first == second or one.shown.sights(seat) != two.shown.sights(seat):
        return False
    if one.shown.events(seat) != two.shown.events(seat):
        return False
    assert sync(one, seat) == sync(two, seat), f"the house remembers for seat {seat}"
    return True


def look_for_memory() -> int:
    """Walk at tables without a memory aid, and compare what is sent there."""
    case = CASES["omerta"]
    _, setup = SETUPS["omerta 4 with games=1 max_rounds=12 first_call=12 reactions=sealed"]
    walks = seeded_walks(setup, 3, most=20)
    return sum(asyncio.run(compare_memories(case, walk)) for walk in walks)


def test_without_a_memory_aid_nothing_learned_is_sent_again() -> None:
    assert look_for_memory() > 5


def remembering(room: Room, viewer: Viewer) -> wire.DataView:
    """Return data that contains everything ever seen."""
    known = room.position(viewer.seat)
    return msgspec.structs.replace(visible_position_as_data(room, viewer), position=known.to_wire())


def test_learned_cards_in_the_data_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "visible_position_as_data", remembering)
    with pytest.raises(AssertionError, match="the house remembers"):
        look_for_memory()


visible_position_as_data = views.visible_position_as_data

# --- Leaks, planted: the law finds each -----------------------------------------------------------

update = Stream.update
full = views.sync_message
append = TableLog.append
summarize = summary.summarize
moved = Clocks.moved


def numbered(stream: Stream, present: Collection[Seat], watchers: int, *, arranged: bool) -> bytes:
    """Add the length of the log to every update."""
    message = update(stream, present, watchers, arranged=arranged)
    return message and message[:-1] + b',"seq":%d}' % stream.room.length


def numbered_sync(
    room: Room, viewer: Viewer, present: Collection[Seat], watchers: int = 0
) -> bytes:
    """Add the length of the log to the first message."""
    return full(room, viewer, present, watchers)[:-1] + b',"seq":%d}' % room.length


def always(stream: Stream, present: Collection[Seat], watchers: int, *, arranged: bool) -> bytes:
    """Send an update although nothing has changed for the viewer."""
    return update(stream, present, watchers, arranged=arranged) or wire.write(views.NOTHING)


def whole_log(room: Shown, seat: Seat, since: int = 0) -> list[Event]:
    """Send events without regard to their audience."""
    return room.table.events[since:] if room.table else []


def counting(room: Shown, seat: Seat, since: int = 0) -> list[Event]:
    """Leave a gap where an event may not be read."""
    events = room.table.events[since:] if room.table else []
    return [event if event.is_for(seat) else Event("game_over", {}) for event in events]


def true_actors(room: Room, viewer: Viewer, position: Position) -> views.View:
    """Reveal who may really act."""
    true = dataclasses.replace(position, actors=tuple(room.actors()))
    return (
        views.text_view(room, viewer, true)
        if viewer.format == "text"
        else views.data_view(room, viewer, true)
    )


def true_turns(room: Room) -> summary.Summary:
    """Reveal in lists how many may really act."""
    made = summarize(room)
    title = f"{made.room.title} {len(room.actors())}"
    return msgspec.structs.replace(made, room=msgspec.structs.replace(made.room, title=title))


async def talkative(
    table_log: TableLog, entry: Any, key: str, digest: str = "", owner: str = ""
) -> None:
    """Log the entries."""
    await append(table_log, entry, key, digest, owner)
    logging.getLogger("cosca.server").info("%s", entry)


def eager(times: Clocks, seat: Seat, at: int) -> None:
    """Restart all clocks when somebody answers in a window."""
    moved(times, seat, at)
    times.start([other for other in times.since if other != seat], at)


LEAKS: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "numbers in updates": lambda patch: patch.setattr(Stream, "update", numbered),
    "a number in the sync": lambda patch: patch.setattr(views, "sync_message", numbered_sync),
    "an update for nothing": lambda patch: patch.setattr(Stream, "update", always),
    "events for all": lambda patch: patch.setattr(Shown, "events", whole_log),
    "gaps in the events": lambda patch: patch.setattr(Shown, "events", counting),
    "who truly may act": lambda patch: patch.setattr(views, "view_of", true_actors),
    "turns in lists": lambda patch: patch.setattr(lists, "summarize", true_turns),
    "a clock that stops": lambda patch: patch.setattr(Clocks, "moved", eager),
    "links in a window": lambda patch: patch.setattr(links, "SEVERAL", 9),
    "a talkative log": lambda patch: patch.setattr(TableLog, "append", talkative),
}


def look() -> None:
    """Walk through windows until the law finds something."""
    case = CASES["omerta"]
    settings = case.game.settings("", {"games": "1", "first_call": "3", "max_rounds": "3"})
    setup = TableSetup(case.game, settings, 3, "leaky")
    for walk in seeded_walks(setup, 12, most=14):
        check(case, walk, live_pace=True)


@pytest.mark.parametrize("leak", LEAKS.values(), ids=list(LEAKS))
def test_a_leak_is_found(
    leak: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    leak(monkeypatch)
    with pytest.raises(AssertionError, match="two games apart"):
        look()


def test_draws_in_the_links_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The weights of a public draw reveal which cards others hold."""
    monkeypatch.setattr(
        wire_law, "public_content", lambda line, key, _: public_content(line, key, 1)
    )
    with pytest.raises(AssertionError, match="two games apart"):
        walk_by_the_wire("omerta 4 with first_discard=up driver_snap=each use=must")
