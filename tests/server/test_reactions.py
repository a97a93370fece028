"""Fair hands: who was fastest wins, on any line; and nothing a browser does but be fast helps."""

import asyncio
import contextlib
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import pairwise
from random import Random
from typing import Any, cast

import msgspec
import pytest

from cosca.bots.consigliere import Advice
from cosca.bots.win_chances import Shares
from cosca.catalog import find
from cosca.core.errors import Refused
from cosca.core.names import Action, Seat
from cosca.core.position import Position
from cosca.games.omerta.pieces import PASS, SLOT
from cosca.server import wire
from cosca.server.domain import commands, log_entries
from cosca.server.domain.log_entries import LogEntry
from cosca.server.domain.opening import NewTable, opening
from cosca.server.domain.reaction_order import (
    HOLD,
    MOST_CREDIT,
    SLACK,
    TIE,
    Reaction,
    hold_seconds,
    in_order,
)
from cosca.server.domain.room import Room, room_from_log
from cosca.server.live import views
from cosca.server.live.house import House
from cosca.server.live.table import LiveTable
from cosca.server.storage.store import Store
from tests.server.browsers import ADA, first_entries
from tests.server.in_process import ImmediateBots
from tests.server.manual_world import ManualClock
from tests.server.reaction_model import (
    ROUND_TRIPS,
    Connection,
    arrivals,
    by_pings,
    by_pings_and_kernel,
    fastest,
    first_to_arrive,
    in_time,
    late_pongs,
    shares,
)
from tests.server.wire_law import MemoryStore

EVEN = 25.0
FOUR = ("you", "open", "open", "open")
LIVE_WINDOWS = {"reactions": "live"}
TURNS = 8
STEP = 0.25


# --- Even shares ----------------------------------------------------------------------------------


def test_over_twenty_thousand_windows_every_line_wins_alike() -> None:
    for share in shares(20_000):
        assert abs(share - EVEN) <= 2.0


def test_so_it_is_where_the_kernel_tells_too() -> None:
    for share in shares(8_000, by_pings_and_kernel):
        assert abs(share - EVEN) <= 2.5


def test_by_order_of_arrival_the_long_line_would_never_win() -> None:
    short, *_, long = shares(5_000, rule=first_to_arrive)
    assert short > 40 and long < 4


def test_the_kernel_takes_most_of_it_from_who_delays_pongs() -> None:
    """A figure, not a promise: `docs/fair.md` has all of them."""
    for seat in range(3):  # the longest line is near the most that is ever taken off
        alone = late_pongs(seat, 0.100, by_pings, 1_500)
        with_kernel = late_pongs(seat, 0.100, by_pings_and_kernel, 1_500)
        assert alone > 45
        assert EVEN < with_kernel < alone - 10


def test_nobody_has_more_taken_off_than_the_cap() -> None:
    assert Reaction(0, 1.0, 30.0).score == 1.0 - MOST_CREDIT
    assert Reaction(0, 1.0, -3.0).score == 1.0
    for lie in (0.5, 5.0):
        assert late_pongs(0, lie, by_pings, 500) == late_pongs(0, 2 * lie, by_pings, 500)


def test_the_hold_waits_for_the_longest_line_and_not_for_ever() -> None:
    least, most = HOLD
    assert hold_seconds([]) == hold_seconds([0.0, 0.02]) == least
    assert hold_seconds([0.02, 0.2]) == pytest.approx(0.2 + SLACK)
    assert hold_seconds([9.0]) == most


def test_hands_are_ordered_by_what_people_took_and_ties_by_the_lot() -> None:
    rng = Random(3)
    for _ in range(500):
        trips = [rng.choice((0.0, 0.1, 0.3)) for _ in range(5)]
        hands = [Reaction(seat, rng.uniform(0.2, 0.6), trip) for seat, trip in enumerate(trips)]
        ordered = in_order(hands, rng.randrange)
        assert sorted(hand.seat for hand in ordered) == list(range(5))
        for one, other in pairwise(ordered):
            assert one.score <= other.score + TIE
        assert in_order(hands[::-1], lambda n: 0) == in_order(hands, lambda n: 0)


# --- At a table -----------------------------------------------------------------------------------


@cache
def race_log(seed: int, seats: tuple[str, ...] = FOUR) -> list[LogEntry]:
    """The log of a table whose last line opens a window in which all four may reach."""
    people = seats.count("you") + seats.count("open")
    for variant in range(50):
        more: dict[str, Any] = {"game": "omerta", "options": LIVE_WINDOWS}
        log = first_entries(seats, 0, seed=1000 * seed + variant, **more)
        room = room_from_log(log)
        while room.stage == "playing" and room.length < 40:
            seat = room.actors()[0]
            log.append(log_entries.Moved(at=0, seat=seat, actions=room.timeout_actions(seat)))
            room.apply(log[-1])
            opener = room.seats[seat].owners
            if (
                room.stage == "playing"
                and room.is_reaction_window
                and len(room.actors()) == 4
                and opener
            ):
                assert people
                return log
    raise AssertionError("there is never a window for all")


class Company:
    """A table at which a window opens, and a clock in our hand."""

    def __init__(self, log: Sequence[LogEntry], crew: Any = None) -> None:
        self.clock = ManualClock()
        house = House(cast(Store, MemoryStore()), crew or ImmediateBots(), self.clock, grace={})
        *before, last = log
        self.live = LiveTable(house, room_from_log(before))
        self.last = cast(log_entries.Moved, last)
        self.tasks: list[asyncio.Task[None]] = []
        self.answers: dict[str, bytes] = {}
        self.start = 0.0

    @property
    def room(self) -> Room:
        """The room."""
        return self.live.room

    def owner(self, seat: Seat) -> str:
        """The browser of a seat."""
        return sorted(self.room.seats[seat].owners)[0]

    async def settle(self) -> None:
        """Let everybody go on until all wait."""
        for _ in range(TURNS):
            await asyncio.sleep(0)

    async def come(self, seat: Seat, round_trip: float = 0.0) -> None:
        """Let somebody open the table."""
        self.live.connect(self.owner(seat), "data", lambda _: None, lambda: round_trip)
        await self.settle()

    async def open(self) -> None:
        """Let the last line of the log happen: the window is open."""
        self.clock.advance(100)
        if not self.room.seats[self.last.seat].bot:
            await self.send(self.last.seat, *self.last.actions)
        await self.settle()
        assert self.room.is_reaction_window
        self.start = self.clock.now()

    async def send(self, seat: Seat, *actions: Action, owner: str = "", id: str = "") -> None:
        """Let a browser send a move."""
        command = commands.Move(id=id or f"m{len(self.tasks)}", actions=list(actions))
        owner = owner or self.owner(seat)

        def answer(message: bytes) -> None:
            self.answers[command.id] = message

        task = asyncio.create_task(self.live.handle_command(owner, command, answer))
        self.tasks.append(task)
        await self.settle()

    async def until(self, seconds: float) -> None:
        """Let time pass until so many seconds after the window was opened."""
        end = self.start + seconds
        while self.clock.now() < end:
            self.clock.advance(min(STEP, end - self.clock.now()))
            await self.settle()

    async def reach(self, seat: Seat, seconds: float, slot: int = 0) -> None:
        """Let somebody's hand arrive so late after the window was opened."""
        await self.until(seconds)
        await self.send(seat, SLOT + slot)

    def reached(self) -> list[Seat]:
        """Whose hands were let through, in that order."""
        steps = self.room.playing().log
        opened = len(self.before)
        return [seat for seat, action in steps[opened:] if seat >= 0 and action != PASS]

    @property
    def before(self) -> list[Any]:
        """The steps before the window."""
        return list(self._before)

    _before: Sequence[Any] = ()

    def note(self) -> None:
        """From here on hands are counted."""
        self._before = list(self.room.playing().log)


@contextlib.asynccontextmanager
async def racing(
    seed: int = 0, seats: tuple[str, ...] = FOUR, crew: Any = None
) -> AsyncIterator[Company]:
    """A table at which a window is about to open."""
    company = Company(race_log(seed, seats), crew)
    try:
        yield company
    finally:
        await company.live.close()
        await company.settle()


async def race(hands: Sequence[Reaction], seed: int = 0) -> Seat:
    """Play one window with these hands at a real table: who wins."""
    async with racing(seed) as company:
        for hand in hands:
            await company.come(hand.seat, hand.round_trip)
        await company.open()
        company.note()
        for hand in sorted(hands, key=lambda hand: hand.took):
            await company.reach(hand.seat, hand.took)
        await company.until(max(hand.took for hand in hands) + HOLD[1])
        return company.reached()[0]


def test_a_table_decides_just_as_that() -> None:
    """Some hundreds of windows at a real table, and who wins is who wins without one."""

    async def whole() -> None:
        rng = Random(11)
        rows = [Connection(rng, trip) for trip in ROUND_TRIPS]
        won: Counter[int] = Counter()
        compared = 0
        for number in range(400):
            hands = arrivals(rows)
            winner = await race(hands, number % 5)
            won[winner] += 1
            scores = sorted(hand.score for hand in in_time(hands))
            if len(scores) < 2 or scores[1] - scores[0] > TIE:
                assert winner == fastest(hands, lambda n: 0).seat
                compared += 1
        assert compared > 250
        assert all(abs(100 * won[seat] / 400 - EVEN) < 8 for seat in range(4))

    asyncio.run(whole())


def test_a_tie_is_decided_by_the_lot_of_the_house_and_never_by_arrival() -> None:
    async def whole() -> None:
        first = Counter[int]()
        for seed in range(60):
            hands = [Reaction(1, 0.300), Reaction(2, 0.300 + TIE * 0.9)]
            winner = await race(hands, seed)
            first[winner] += 1
            other = [Reaction(1, 0.300 + TIE * 0.9), Reaction(2, 0.300)]
            assert len({winner, await race(hands, seed)}) == 1, "asked twice, the lot says the same"
            first[await race(other, seed)] += 1
        assert 30 < first[1] < 90

    asyncio.run(whole())


def test_the_lot_cannot_be_known_by_who_has_not_the_seed_of_the_house() -> None:
    room = room_from_log(race_log(0))
    opened = cast(log_entries.Opened, race_log(0)[0])
    other = Room(msgspec.structs.replace(opened, seed="11" * 32))
    assert room.deal.secret("tie:x") != other.deal.secret("tie:x")


def test_a_slower_hand_on_a_longer_line_waits_for_nobody_else() -> None:
    """Who comes when all is decided comes at once; it is no race any more."""

    async def whole() -> None:
        async with racing() as company:
            for seat in range(4):
                await company.come(seat)
            await company.open()
            company.note()
            await company.reach(1, 0.3)
            await company.until(0.3 + HOLD[0] - 0.001)
            assert company.reached() == []
            await company.until(0.3 + HOLD[0] + 0.001)
            assert company.reached() == [1]
            await company.reach(2, 0.3 + HOLD[0] + 0.002)
            assert company.reached()[:2] in ([1], [1, 2])
            assert not company.live.reactions.are_undecided

    asyncio.run(whole())


@pytest.mark.parametrize("seed", range(8))
def test_how_fast_hands_were_is_told_to_all_when_the_window_is_closed(seed: int) -> None:
    """Whether the first card is right or wrong: nothing while somebody may still reach."""

    async def whole() -> None:
        async with racing(seed) as company:
            received: list[tuple[bool, bytes]] = []

            def receive(payload: bytes) -> None:
                if b'"type":"reactions"' in payload:
                    received.append((company.room.is_reaction_window, payload))

            for seat in range(4):
                company.live.connect(company.owner(seat), "data", partial(receive), lambda: 0.1)
            company.live.connect("somebody who watches", "data", partial(receive))
            await company.open()
            await company.reach(1, 0.3)
            await company.reach(2, 0.42)
            await company.until(0.3 + hold_seconds([0.1]) - 0.001)
            assert received == []
            await company.until(views.REACTION_SECONDS + HOLD[1] + 1)
            payload = {message for _, message in received}
            assert len(received) == 5 and len(payload) == 1
            assert not any(is_open for is_open, _ in received)
            closed = msgspec.json.decode(payload.pop(), type=wire.Reactions)
            assert [(each.seat, each.took_ms) for each in closed.reactions] == [(1, 200), (2, 320)]

    asyncio.run(whole())


# --- Tricks ---------------------------------------------------------------------------------------


def test_no_command_has_a_word_about_time() -> None:
    known = {"id", "actions", "text", "seat", "bot", "what", "agrees", "verb", "numbers"}
    known |= {"commitment", "contribution"}
    known |= {"listed", "spectator_chat"}
    every: Sequence[Any] = commands.AnyCommand.__args__
    fields = {name for command in every for name in command.__struct_fields__}
    assert fields == known
    for lie in ("at", "time", "took", "now", "lag", "trip"):
        frame = msgspec.json.encode({"do": "move", "id": "x", "actions": [1], lie: 0})
        with pytest.raises(Refused, match=lie):
            wire.read(wire.COMMANDS, frame)


def tricked(trick: Callable[[Company], Any]) -> list[Seat]:
    """An honest hand of seat 1 after 400 ms; seat 2 reaches after 520 ms, and tries something."""

    async def whole() -> list[Seat]:
        async with racing() as company:
            for seat in (0, 1, 3):
                await company.come(seat)
            await trick(company)
            await company.until(2)
            return company.reached()

    return asyncio.run(whole())


async def honest(company: Company) -> None:
    """Nothing is tried."""
    await company.come(2)
    await company.open()
    company.note()
    await company.reach(1, 0.400)
    await company.reach(2, 0.520)


async def talking(company: Company) -> None:
    """Something is said before reaching, so that everybody is told something anew."""
    await company.come(2)
    await company.open()
    company.note()
    await company.reach(1, 0.400)
    await company.until(0.510)
    chat = commands.Chat(id="chat", text="look there")
    await company.live.handle_command(company.owner(2), chat, lambda _: None)
    await company.reach(2, 0.520)


async def reaching_for_nothing(company: Company) -> None:
    """A hand without a card comes at once, and the card later."""
    await company.come(2)
    await company.open()
    company.note()
    await company.until(0.001)
    await company.send(2, 900)
    await company.send(2, SLOT, SLOT, SLOT)
    assert not company.live.reactions.are_undecided
    await company.reach(1, 0.400)
    await company.reach(2, 0.520)


async def coming_late(company: Company) -> None:
    """The table is opened late, after the card was seen as a spectator."""
    await company.open()
    company.note()
    await company.reach(1, 0.400)
    await company.until(0.510)
    await company.come(2)
    await company.reach(2, 0.520)


async def coming_again(company: Company) -> None:
    """The table is opened once more, on a line that seems long."""
    await company.come(2)
    await company.open()
    company.note()
    await company.reach(1, 0.400)
    company.live.connect(company.owner(2), "text", lambda _: None, lambda: 0.3)
    await company.reach(2, 0.520)


TRICKS = (honest, talking, reaching_for_nothing, coming_late, coming_again)


@pytest.mark.parametrize("trick", TRICKS, ids=lambda trick: trick.__name__)
def test_who_is_slower_does_not_win_by(trick: Callable[[Company], Any]) -> None:
    assert tricked(trick)[0] == 1


def test_a_person_whose_seat_a_bot_keeps_does_not_reach_for_it() -> None:
    async def whole() -> None:
        async with racing() as company:
            for seat in range(4):
                await company.come(seat)
            await company.live.handle_command(
                company.owner(2), commands.Leave(id="l"), lambda _: None
            )
            if company.last.seat == 2:
                return
            await company.open()
            await company.send(2, SLOT, id="reach")
            assert b"web.bot_plays" in company.answers["reach"]
            assert not company.live.reactions.are_undecided

    asyncio.run(whole())


def test_a_hand_that_comes_at_the_very_last_moment_is_not_taken_for_a_still_one() -> None:
    async def whole() -> None:
        async with racing() as company:
            for seat in range(4):
                await company.come(seat)
            await company.open()
            company.note()
            await company.reach(1, views.REACTION_SECONDS - 0.01)
            await company.until(views.REACTION_SECONDS + 2)
            assert company.reached() == [1]
            assert not company.room.is_reaction_window

    asyncio.run(whole())


def test_a_move_sent_twice_is_one_hand() -> None:
    async def whole() -> None:
        async with racing() as company:
            for seat in range(4):
                await company.come(seat)
            await company.open()
            company.note()
            await company.until(0.3)
            for _ in range(3):
                await company.send(1, SLOT, id="once")
            await company.until(2)
            assert company.reached() == [1]
            assert b'"done"' in company.answers["once"]

    asyncio.run(whole())


def test_a_house_that_is_closed_while_hands_are_on_their_way_answers_them() -> None:
    async def whole() -> None:
        async with racing() as company:
            for seat in range(4):
                await company.come(seat)
            await company.open()
            await company.reach(1, 0.3)
            await asyncio.wait_for(company.live.close(), 5)
            assert all(task.done() for task in company.tasks)
            assert len(company.answers) == 2

    asyncio.run(whole())


# --- Bots -----------------------------------------------------------------------------------------


@dataclass
class Grabbing:
    """Bots that reach wherever they may."""

    async def choose(self, game: str, bot: str, position: Position, seed: int) -> Action:
        """The first card, or what there is."""
        return SLOT if SLOT in position.legal else position.legal[0]

    async def advise(self, game: str, position: Position) -> Advice:
        """Nothing."""
        return Advice((), (), "forced", {})

    async def estimate(self, game: str, positions: Sequence[Position]) -> Shares:
        """What the seats of some positions can think of their own chances."""
        return tuple(1 / len(positions) for _ in positions)


def test_bots_go_the_same_way_and_lose_to_who_was_faster() -> None:
    """A bot's hand has no line; that of somebody far away arrives later and is still first."""

    async def whole(trip: float) -> Seat:
        seats = ("you", "open", "open", "picciotto")
        async with racing(2, seats, Grabbing()) as company:
            for seat in range(3):
                await company.come(seat, trip)
            await company.open()
            company.note()
            for _ in range(2000):
                await company.until(company.clock.now() - company.start + 0.005)
                if company.live.reactions.are_undecided:
                    break
            assert company.live.reactions.are_undecided, "a bot's hand waits like any other"
            await company.send(1, SLOT)
            await company.until(60)
            return company.reached()[0]

    assert asyncio.run(whole(0.2)) == 1
    assert asyncio.run(whole(0.0)) in (1, 3)  # within a tie


# --- Sealed or live -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seats", "options", "reactions"),
    [
        (["you", "open", "random"], {}, "sealed"),
        (["open", "open", "open"], {}, "sealed"),
        (["you", "open", "random"], {"reactions": "live"}, "live"),
        (["you", "random", "random"], {}, None),
        (["you", "random", "random"], {"reactions": "sealed"}, "sealed"),
    ],
)
def test_among_people_windows_are_sealed_unless_the_host_says_otherwise(
    seats: list[str], options: dict[str, str], reactions: str | None
) -> None:
    game = find("omerta")
    wanted = NewTable(game="omerta", seats=seats, name="Ada", options=options)
    opened = opening(game, wanted, code="abcdefgh", host=ADA, seed=bytes(32), at=0)
    usual = game.settings("", {})["reactions"]
    assert opened.settings["reactions"] == (reactions or usual)


def test_in_a_sealed_window_nobody_waits_and_nobody_races() -> None:
    log = first_entries(FOUR, 0, "omerta")
    room = room_from_log(log)
    for _ in range(60):
        if room.stage != "playing":
            break
        assert not room.is_reaction_window and not room.pending_reactions()
        seat = room.actors()[0]
        room.apply(log_entries.Moved(at=0, seat=seat, actions=room.timeout_actions(seat)))
