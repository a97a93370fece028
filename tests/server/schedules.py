"""Schedules: random commands of people at a table, over a bad network.

Every command is sent one to three times, to one house or to several, at once, late or out of order;
sometimes the connection is cut before the answer arrives, and sometimes the disk fails. A command
without an answer is sent again.
"""

import asyncio
import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import msgspec

from cosca.catalog import ALL
from cosca.core.errors import Refused
from cosca.core.names import SPECTATOR
from cosca.match.sealed import CONTRIBUTION_BYTES, SEED_BYTES, commit
from cosca.server.domain import commands, log_entries
from cosca.server.domain.identifiers import code_from, hashed
from cosca.server.domain.judge import Judge
from cosca.server.domain.log_entries import LogEntry, decode_entry, encode_entry
from cosca.server.domain.opening import NewTable, opening
from cosca.server.domain.room import Room, room_from_log
from cosca.server.live import bot_pool
from cosca.server.live.house import House
from cosca.server.live.table import LiveTable, refusal
from cosca.server.storage.values import NewEntry
from tests.server.contributions import dealt
from tests.server.manual_world import World

NOBODY: tuple[int, ...] = ()
MOST_TURNS = 20_000


@dataclass
class Sent:
    """A command, and all answers to it."""

    owner: str
    command: commands.AnyCommand
    answers: list[bytes] = field(default_factory=list)
    tries: int = 0

    @property
    def id(self) -> str:
        """Its id."""
        return self.command.id

    @property
    def key(self) -> str:
        """Its id in the store."""
        return f"{self.owner[:16]}:{self.id}"

    @property
    def answer(self) -> bytes:
        """The answer that counts: after a failure of the disk the command is sent again."""
        for answer in self.answers:
            if not is_disk_failure(answer):
                return answer
        return b""


def is_disk_failure(answer: bytes) -> bool:
    """Return whether an answer says that the disk has failed."""
    return b'"web.not_written"' in answer


class Schedule:
    """One table, some people, some commands, and a bad network."""

    def __init__(self, world: World, seed: int, *, commands: int = 7, chatter: int = 0) -> None:
        self.world = world
        self.rng = Random(seed)
        self.seed = seed
        self.game = ALL[seed % len(ALL)]
        self.people = [hashed(f"{seed}/{name}") for name in ("Ada", "Bo", "watching")]
        self.most = commands
        self.chatter = chatter
        self.sent: list[Sent] = []
        self.strays: list[Sent] = []
        self.tasks: list[asyncio.Task[None]] = []
        self.code = ""

    # --- The table ------------------------------------------------------------------------------

    async def open(self) -> None:
        """Write a table with two people: before the game, in it, or shortly before its end."""
        kind = self.seed % 20
        seats = ["you", "open"] + ["random"] * (self.game.seats[0] - 2)
        wanted = NewTable(game=self.game.name, seats=seats, name="Ada", **self._table_options())
        code = code_from(self.rng.randbytes(32))
        seed = self.rng.randbytes(SEED_BYTES)
        log: list[LogEntry] = [
            opening(self.game, wanted, code=code, host=self.people[0], seed=seed, at=0)
        ]
        for seat, name in enumerate(("Ada", "Bo")):
            key = hashed(self.link(seat))
            log.append(
                log_entries.Sat(at=0, seat=seat, name=name, owner=self.people[seat], key=key)
            )
        log += [
            log_entries.Spoken(at=0, seat=0, text=f"{number}") for number in range(self.chatter)
        ]
        if kind >= 6:
            log += started_game(
                log, self.rng, left=3 if kind == 19 else 0, most=self.rng.randrange(8)
            )
        await self.world.do(write_log(self.world.houses[0], code, log))
        self.code = code

    def _table_options(self) -> dict[str, Any]:
        """Return the options: some tables have clocks, and at some the fastest reaction counts."""
        number = self.seed // len(ALL)
        live = {"pace": "live", "move_seconds": 5, "bank_seconds": 2} if number % 2 else {}
        races = self.game.name == "omerta" and number % 3 == 0
        return live | ({"options": {"reactions": "live"}} if races else {})

    def link(self, seat: int) -> str:
        """Return the token in the link of a seat."""
        return f"link-of-seat-{seat}-of-{self.seed}"

    # --- Commands -------------------------------------------------------------------------------

    def next_command(self, room: Room) -> Sent:
        """Return the next command of somebody, whether it is allowed or not."""
        rng = self.rng
        person = rng.choice([0, 0, 0, 0, 1, 1, 1, 1, 2])
        seat = room.seats.of(self.people[person])
        may_act = seat in room.actors() and not room.seats[seat].bot
        if may_act and rng.random() < 0.85:
            command = self._move(room, seat)
        else:
            command = self._other_command(room)
        return Sent(self.people[person], command)

    def _id(self) -> str:
        return f"c{len(self.sent)}"

    def _move(self, room: Room, seat: int) -> commands.AnyCommand:
        legal = room.position(seat).legal
        wild = self.rng.random() < 0.1
        action = self.rng.randrange(100) if wild else self.rng.choice(legal)
        return commands.Move(id=self._id(), actions=[action])

    def _other_command(self, room: Room) -> commands.AnyCommand:
        rng, id = self.rng, self._id()
        at_any_time: list[commands.AnyCommand] = [
            commands.Chat(id=id, text=f"{id} of {self.seed}"),
            commands.Move(id=id, actions=[rng.randrange(40)]),
            commands.ReclaimSeat(id=id),
            commands.Leave(id=id),
            commands.Fill(id=id, seat=rng.randrange(3), bot="random"),
            commands.Remove(id=id, seat=rng.randrange(3)),
            commands.SetPrivacy(
                id=id, listed=rng.random() < 0.5, spectator_chat=rng.random() < 0.5
            ),
        ]
        by_stage: dict[str, list[commands.AnyCommand]] = {
            "lobby": [commands.Start(id=id), commands.Start(id=id), self._contribution(room)],
            "sealing": [self._contribution(room)],
            "playing": [
                commands.Chat(id=id, text="well"),
                commands.ReclaimSeat(id=id),
                commands.Propose(id=id, what=rng.choice(("pause", "takeback"))),
                commands.Agree(id=id, agrees=rng.random() < 0.8),
                commands.Resume(id=id),
            ],
            "over": [commands.Rematch(id=id), commands.Rematch(id=id)],
        }
        return rng.choice(at_any_time + by_stage[room.stage] * 3)

    def _contribution(self, room: Room) -> commands.AnyCommand:
        """Return a contribution to the deal, in any phase, valid or not."""
        rng, id = self.rng, self._id()
        contribution = rng.choice([b"a", b"b"]) * CONTRIBUTION_BYTES
        if rng.random() < 0.5:
            return commands.Reveal(id=id, contribution=contribution.hex())
        seal = room.deal.contributions.seal
        made = commit(room.code, seal, rng.randrange(2), contribution)
        return commands.Commit(id=id, commitment=made)

    # --- The network ----------------------------------------------------------------------------

    async def run(self) -> None:
        """Send commands until each is answered, and check the result."""
        await self.open()
        rng = self.rng
        async with contextlib.AsyncExitStack() as stack:
            first = rng.randrange(len(self.world.houses))
            live = await stack.enter_async_context(self.world.at(self.code, first))
            for number in range(len(self.world.houses)):
                if rng.random() < 0.7:  # else it is loaded again for every command
                    await stack.enter_async_context(self.world.at(self.code, number))
            for _ in range(self.most):
                sent = self.next_command(live.room)
                self.sent.append(sent)
                for _ in range(rng.choice([1, 1, 2, 3])):
                    self._send(sent)
                if rng.random() < 0.1:
                    self._reuse_id(sent)
                for _ in range(rng.choice([0, 1, 3, 10, 40])):
                    await self.world.random_turn(rng)
                if rng.random() < 0.15:
                    rng.choice(self.world.stores).disk.failures += 1
            await self._finish()
            for store in self.world.stores:
                store.disk.failures = 0
            await self._open_everywhere(stack)
            await check_exactly_once(self)

    async def _open_everywhere(self, stack: contextlib.AsyncExitStack) -> None:
        """Open the table in every house: one that reads it late may notice a timeout."""
        for number in range(len(self.world.houses)):
            await stack.enter_async_context(self.world.at(self.code, number))
        await self.world.settle()

    async def _finish(self) -> None:
        """Resend unanswered commands until all are answered; then send late copies."""
        turns = 0
        while not all(sent.answer for sent in self.sent + self.strays) or self._has_pending():
            turns += 1
            assert turns < MOST_TURNS, f"schedule {self.seed}: a command is never answered"
            if not self._has_pending():
                for sent in self.sent + self.strays:
                    if not sent.answer:
                        self._send(sent)
            await self.world.random_turn(self.rng)
        for sent in self.rng.sample(self.sent, 2):
            self._send(sent, house=self.rng.randrange(len(self.world.houses)), cut=False)
        while self._has_pending():
            await self.world.random_turn(self.rng)
        await self.world.settle()

    def _has_pending(self) -> bool:
        self.tasks = [task for task in self.tasks if not task.done()]
        return bool(self.tasks)

    def _reuse_id(self, sent: Sent) -> None:
        """Send another command with the same id."""
        other = commands.Chat(id=sent.id, text="something else")
        stray = Sent(sent.owner, other)
        self.strays.append(stray)
        self._send(stray)

    def _send(self, sent: Sent, *, house: int = -1, cut: bool | None = None) -> None:
        sent.tries += 1
        if house < 0:
            house = self.rng.randrange(len(self.world.houses))
        delay = self.rng.choice([0, 0, 2, 15, 60])
        is_cut = self.rng.random() < 0.25 and sent.tries < 20 if cut is None else cut
        after = self.rng.randrange(12) if is_cut else -1
        self.tasks.append(asyncio.create_task(self._deliver(sent, house, delay, after)))

    async def _deliver(self, sent: Sent, house: int, delay: int, cut: int) -> None:
        """Deliver a command to a house, and its answer back unless the connection is cut."""
        for _ in range(delay):
            await self.world.turn()
        is_cut = False

        def answer(message: bytes) -> None:
            if not is_cut:
                sent.answers.append(message)

        async def deliver() -> None:
            async with self.world.houses[house].table(self.code) as live:
                await live.handle_command(sent.owner, sent.command, answer)

        task = asyncio.create_task(self._answer_refusal(sent, deliver, answer))
        if cut >= 0:
            for _ in range(cut):
                await self.world.turn()
            is_cut = True
            task.cancel()
        await asyncio.gather(task, return_exceptions=cut >= 0)

    async def _answer_refusal(self, sent: Sent, deliver, answer) -> None:  # type: ignore[no-untyped-def]
        """Answer with a refusal, as a socket does, if the table cannot be loaded now."""
        try:
            await deliver()
        except Refused as reason:
            answer(refusal(sent.id, reason))


# --- Logs ----------------------------------------------------------------------------------------


def started_game(log: Sequence[LogEntry], rng: Random, *, left: int, most: int) -> list[LogEntry]:
    """Return the log entries of a started game: some moves, or all but the last few."""
    room = room_from_log(log)
    more: list[LogEntry] = [log_entries.Started(at=0, bot="random"), *dealt()]
    for entry in more:
        room.apply(entry)
    moves: list[LogEntry] = []
    while room.stage == "playing" and (left or len(moves) < most):
        seat = rng.choice(room.actors())
        move = log_entries.Moved(at=0, seat=seat, actions=[rng.choice(room.position(seat).legal)])
        room.apply(move, trusted=True)
        moves.append(move)
    return more + (moves[:-left] if left else moves)


async def write_log(house: House, code: str, log: Sequence[LogEntry]) -> None:
    """Write the log of a table to the store."""
    await house.store.logs.append(
        *(
            NewEntry(code, seq, f"open:{seq}", "", encode_entry(entry), getattr(entry, "owner", ""))
            for seq, entry in enumerate(log)
        )
    )


# --- Checks --------------------------------------------------------------------------------------


async def check_exactly_once(schedule: Schedule) -> None:
    """Check that the log is what results if each command is delivered exactly once."""
    entries = await schedule.world.do(schedule.world.stores[0].logs.entries(schedule.code))
    log = [(key, decode_entry(body)) for key, _, body in entries]
    keys = [key for key, _ in log]
    assert len(set(keys)) == len(keys)
    for sent in schedule.sent + schedule.strays:
        answers = {answer for answer in sent.answers if not is_disk_failure(answer)}
        assert len(answers) == 1, f"{sent} got different answers"
    check_reused_ids(schedule)
    check_against_judge(schedule, log)
    assert max(live.room.length for live in tables(schedule)) == len(log)
    await check_houses_agree(schedule, len(log))
    for live in tables(schedule):
        await schedule.world.do(live.close())


def tables(schedule: Schedule) -> list[LiveTable]:
    """Return the table in every house that has it open."""
    known = (house._tables.get(schedule.code) for house in schedule.world.houses)
    return [live for live in known if live]


def check_reused_ids(schedule: Schedule) -> None:
    """Check that of two commands with one id, one was handled and the other refused.

    Somebody without a seat is refused for that either way, and nothing is kept of it.
    """
    for stray in schedule.strays:
        (sent,) = (sent for sent in schedule.sent if sent.key == stray.key)
        if refused_as_spectator(sent) and refused_as_spectator(stray):
            continue
        reused = [b'"web.command_reused"' in each.answer for each in (sent, stray)]
        assert reused.count(True) == 1


def refused_as_spectator(sent: Sent) -> bool:
    """Return whether a command was refused because its sender has no seat."""
    return b'"web.spectator"' in sent.answer or b'"web.only_host"' in sent.answer


def check_against_judge(schedule: Schedule, log: list[tuple[str, LogEntry]]) -> None:
    """Check that the judge gives each log entry and each refusal somewhere along the log."""
    every = schedule.sent + schedule.strays
    bodies = [sent for sent in every if b"command_reused" not in sent.answer]
    by_key = {sent.key: sent for sent in bodies}
    seated = [sent.key for sent in bodies if not refused_as_spectator(sent)]
    assert len(set(seated)) == len(seated)
    open_refusals = [sent for sent in bodies if b'"refused"' in sent.answer]
    done = {sent.key for sent in bodies if b'"done"' in sent.answer}
    assert len(done) + len(open_refusals) == len(bodies)
    assert done == {key for key, _ in log if key in by_key}
    opened = log[0][1]
    assert isinstance(opened, log_entries.Opened)
    room = Room(opened)
    for key, entry in log[1:]:
        open_refusals = [sent for sent in open_refusals if not is_refused(room, sent)]
        if key in by_key:
            assert (
                Judge(room).command(by_key[key].owner, by_key[key].command, NOBODY, entry.at)
                == entry
            )
        elif not key.startswith("open:"):
            assert system_entry(room, key, entry.at) == entry
        room.apply(entry)
    assert [sent for sent in open_refusals if not is_refused(room, sent)] == []


def is_refused(room: Room, sent: Sent) -> bool:
    """Return whether the judge refuses a command here, with the same answer."""
    try:
        Judge(room).command(sent.owner, sent.command, NOBODY, 0)
    except Refused as reason:
        rule = room.game.rule_of_refusal.get(reason.key, "")
        return refusal(sent.id, reason, rule) == sent.answer
    return False


def system_entry(room: Room, key: str, at: int) -> LogEntry:
    """Return the entry that the house itself writes under a key."""
    kind, _, rest = key.partition(":")
    if kind == "deal":
        return Judge(room).deal(at)
    if kind == "commitments_closed":
        return Judge(room).close_commitments(at)
    if kind == "woken":
        return Judge(room).resume_clocks(0, at)  # no house here writes heartbeats
    if kind == "overdue":
        return Judge(room).time_out(int(rest.split(":")[1]), at)
    seat = int(rest.split(":")[0])
    if kind == "still":
        return Judge(room).pass_on_timeout(seat, at)
    assert kind == "bot"
    bot = room.seats[seat].bot
    seed = int.from_bytes(room.deal.secret(key)[:8], "big")
    action = bot_pool.choose(room.game.name, bot, room.position(seat), seed)
    return Judge(room).move(seat, [action], at, bot)


async def check_houses_agree(schedule: Schedule, length: int) -> None:
    """Check that every house has read the whole log, and all have the same room."""
    fingerprints = set()
    for number in range(len(schedule.world.houses)):
        async with schedule.world.at(schedule.code, number) as live:
            await schedule.world.do(live.catch_up())
            assert live.room.length == length
            fingerprints.add(fingerprint(live.room))
    assert len(fingerprints) == 1


def fingerprint(room: Room) -> bytes:
    """Return the whole content of a room as JSON."""
    chairs = [
        [
            *(chair.name, chair.bot, sorted(chair.owners), chair.key, chair.entropy.hex()),
            chair.until_back,
            chair.withheld,
        ]
        for chair in room.seats
    ]
    table = room.table
    seats = [SPECTATOR, *range(len(room.seats))]
    return msgspec.json.encode(
        {
            "chairs": chairs,
            "stage": room.stage,
            "log": table.log if table else [],
            "positions": [table.position(seat).to_wire() for seat in seats] if table else [],
            "chat": room.chat.messages,
            "open_chat": room.chat.readable_by(SPECTATOR),
            "privacy": [room.listed, room.chat.is_open],
            "rematch": room.rematch,
            "length": room.length,
            "fresh": room.shown.fresh,
            "moves": room.moves,
            "banks": room.clocks.banks,
            "since": sorted(room.clocks.since.items()),
            "stopped": room.clocks.stopped,
            "proposal": room.agreement.proposal
            and [room.agreement.proposal.what, sorted(room.agreement.proposal.agreed)],
            "rewound": len(room.takebacks.steps),
            "contributions": [
                sorted(room.deal.contributions.commitments.items()),
                sorted(
                    (seat, made.hex()) for seat, made in room.deal.contributions.revealed.items()
                ),
                room.deal.contributions.is_closed,
            ],
            "link": room.newest_link(),
        }
    )
