"""The wire law: games that differ only in what a seat may not know send that seat the same bytes.

The walks and their twins are those of the laws of secrecy. Here they are played at a live table,
through the functions that sockets call, and everything that is sent is compared.
"""

import asyncio
import contextlib
import json
import re
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, cast

from starlette.types import ASGIApp

from cosca.bots.roster import default_bot
from cosca.core.dice import Dice
from cosca.core.errors import Refused
from cosca.core.names import CHANCE, SPECTATOR, Seat
from cosca.games.omerta import pieces
from cosca.match.record import canonical_json, public_content
from cosca.match.sealed import SealedDice
from cosca.server.app import application
from cosca.server.domain import commands, log_entries
from cosca.server.domain.identifiers import hashed
from cosca.server.domain.judge import Judge
from cosca.server.domain.log_entries import FORMAT
from cosca.server.domain.room import Room
from cosca.server.http.identity import COOKIE
from cosca.server.live.house import House
from cosca.server.live.table import LiveTable, refusal
from cosca.server.live.views import ViewFormat
from cosca.server.ops.settings import Settings
from cosca.server.storage.store import Store
from cosca.server.storage.values import NewEntry, StoredSummary, StoredTable
from cosca.testing.case import Case, viewers
from cosca.testing.walks import Log, ReplayedDice, TableSetup, Walk
from tests.laws.omerta import Witness
from tests.server.contributions import dealt
from tests.server.in_process import (
    AT,
    SAME_ORIGIN,
    FixedAddress,
    ImmediateBots,
    ManualClock,
    captured_logs,
    send_request,
    wait_until,
)

CODE: Final = "wirelaw2"
FORMATS: Final[tuple[ViewFormat, ...]] = ("text", "data")
CUTS: Final = 3
"""The number of points of a walk at which twins are compared and all questions are asked."""
NUMBERS: Final = 5
"""About how many of the game's action numbers are tried at each point."""
THINKING: Final = 0.5
"""Seconds that pass with every decision: more than a race takes."""
TURNS: Final = 5
"""Turns of the loop after which everything waits for the clock."""
HUGE: Final = (-1, 2**31, 2**63, 10**30)


class MemoryLogs:
    """Logs that accept everything; nobody else writes."""

    async def append(self, *entries: NewEntry) -> None:
        """Accept it."""

    async def check_new(self, code: str, length: int, command_id: str) -> None:
        """Accept every command as new."""


class MemoryRefusals:
    """Refusals that are not kept."""

    async def add(
        self, code: str, length: int, command_id: str, digest: str, body: bytes, at: int
    ) -> list[str]:
        """Accept it."""
        return []


class MemoryTables:
    """A single table."""

    async def save_summary(self, summary: StoredSummary) -> None:
        """Accept it."""

    async def find(self, code: str) -> StoredTable:
        """Return the table."""
        return StoredTable(CODE, "", "playing")

    async def missing(self, codes: Sequence[str]) -> list[str]:
        """Return nothing: the table exists."""
        return []

    async def of_owner(self, owner: str, limit: int) -> list[StoredTable]:
        """Return the table."""
        return [StoredTable(CODE, "", "playing")]

    async def listed(self, limit: int) -> list[StoredTable]:
        """Return the table."""
        return [StoredTable(CODE, "", "playing")]


class MemoryRecords:
    """Records that are not kept."""

    async def load(self, code: str, version: str) -> None:
        """Return None."""

    async def save(self, code: str, version: str, body: bytes) -> None:
        """Accept it."""


class MemoryStore:
    """A store that keeps nothing: this law is not about the disk."""

    def __init__(self) -> None:
        self.logs = MemoryLogs()
        self.refusals = MemoryRefusals()
        self.tables = MemoryTables()
        self.records = MemoryRecords()


class ScriptedDice(SealedDice):
    """Sealed dice that roll what was rolled in a walk."""

    def __init__(self, walk: Walk, opened: log_entries.Opened) -> None:
        super().__init__(opened.code, bytes.fromhex(opened.seed), {})
        self._script = ReplayedDice(walk)

    def draw(self, purpose: str, among: int) -> int:
        """Return what was rolled next."""
        self.draws += 1
        return self._script.draw(purpose, among)


class ScriptedRoom(Room):
    """A room in which chance acts as in a walk."""

    def __init__(self, opened: log_entries.Opened, walk: Walk) -> None:
        super().__init__(opened)

        def dice(draws: int = 0) -> SealedDice:
            return ScriptedDice(walk, opened)

        self.deal.dice = dice  # type: ignore[method-assign]  # all chance comes from the script
        self.takebacks._dice = dice


def token(seat: Seat) -> str:
    """Return the token of a seat's browser; a spectator's has one too."""
    return f"browser-of-seat-number-{seat if seat >= 0 else 'none'}"


def owner(seat: Seat) -> str:
    """Return the hash of that token."""
    return hashed(token(seat))


@dataclass
class ScriptedTable:
    """A live table at which a walk is played."""

    walk: Walk
    live: LiveTable
    app: ASGIApp
    clock: ManualClock


@contextlib.asynccontextmanager
async def at_table(walk: Walk, *, live_pace: bool = False) -> AsyncIterator[ScriptedTable]:
    """Open a table with a person at each seat, dealt as in the walk."""
    setup, clock = walk.setup, ManualClock()
    house = House(cast(Store, MemoryStore()), ImmediateBots(), clock)
    room = ScriptedRoom(first_entry(setup, live_pace=live_pace), walk)
    for seat in range(setup.seats):
        room.apply(log_entries.Sat(at=AT, seat=seat, name=f"P{seat}", owner=owner(seat), key=""))
    room.apply(log_entries.Started(at=AT, bot=default_bot(room.game)))
    for entry in dealt(AT):
        room.apply(entry)
    live = house._tables[CODE] = LiveTable(house, room)
    live.users += 1
    live.resume_clocks()
    settings = Settings(store=cast(Any, None), unlimited=True)
    try:
        yield ScriptedTable(walk, live, application(house, FixedAddress(), settings, clock), clock)
    finally:
        await house.close()


def first_entry(setup: TableSetup, *, live_pace: bool = False) -> log_entries.Opened:
    """Return the first log entry of the table."""
    pace: dict[str, Any] = {"pace": "live", "move": 45_000, "bank": 180_000} if live_pace else {}
    return log_entries.Opened(
        at=AT,
        format=FORMAT,
        code=CODE,
        game=setup.game.name,
        rules=setup.game.version,
        settings=dict(setup.settings),
        seats=[""] * setup.seats,
        host=owner(0),
        seed="5e" * 32,
        listed=True,
        **pace,
    )


CHAIN: Final = re.compile(rb'"chain":"[0-9a-f]{64}"')
TOOK: Final = re.compile(rb'"took_ms":[0-9]+')


def masked(message: bytes) -> bytes:
    """Return a message without the hash of its link, and without reaction times.

    Reaction times are sent to all when a live window closes (docs/fair.md), so the order of answers
    in it is no secret; whether somebody passed is one, and is compared. Twins differ in what is
    hidden, and a link covers that too, so their links differ. They reveal nothing: hidden content
    goes into them as a hash under a key that only the server has until the end; `guessable`
    compares everything else that goes into them.
    """
    return TOOK.sub(b'"took_ms":0', CHAIN.sub(b'"chain":"masked"', message))


def guessable(room: Room) -> bytes:
    """Return what goes into the published links and could be guessed.

    A step with a secret adds a hash to its link that nobody can guess without the key. Everything
    else must be the same in twins, and so must the number of steps.
    """
    newest = room.newest_link()
    if newest is None:
        return b""
    written = [json.loads(line) for line in room.deal._chain()._lines[1 : newest.step + 1]]
    public = [public_content(line, b"", room.opened.format) for line in written]
    plain = [line | {"chain": ""} if "secret" not in line else line["step"] for line in public]
    return canonical_json(plain).encode()


class Inbox:
    """Collects the messages of one browser, masked."""

    def __init__(self, into: list[bytes]) -> None:
        self._into = into

    def receive(self, message: bytes) -> None:
        """Add a message."""
        self._into.append(masked(message))


async def play(live: LiveTable, seat: Seat, action: int, answer: Inbox) -> None:
    """Send the next step of a seat; in a race, wait until it is decided."""
    command = commands.Move(id=f"step-{live.room.moves[seat]}", actions=[action])
    before = live.room.length
    clock = cast(ManualClock, live.house.clock)
    handling = asyncio.create_task(live.handle_command(owner(seat), command, answer.receive))
    await wait_until(lambda: handling.done() or live.reactions.are_undecided)
    for _ in range(TURNS):
        await asyncio.sleep(0)
    clock.advance(THINKING)  # always the same: the time of an event may reveal something
    await handling
    assert live.room.length > before, (
        f"a step of {live.room.game.name} is refused: a legal list depends on what is hidden, or"
        " the twin is not one"
    )


# --- Traffic and questions of a seat ----------------------------------------------------------


@dataclass
class Transcript:
    """Everything that was sent to one browser."""

    traffic: list[list[bytes]] = field(default_factory=list)
    """The messages after connecting, and after each decision of anybody."""
    asked: dict[int, list[bytes]] = field(default_factory=dict)
    """The answers to all questions after some decisions, with a fresh sync."""
    log: list[str] = field(default_factory=list)

    def flat(self) -> list[bytes]:
        """Return all messages, without the decisions between them."""
        return [message for messages in self.traffic for message in messages]


async def transcript(
    case: Case, walk: Walk, seat: Seat, stops: set[int], *, live_pace: bool = False
) -> Transcript:
    """Play a walk, collect the traffic of a seat, and ask all questions at these stops."""
    record = Transcript()
    with captured_logs() as record.log:
        async with at_table(walk, live_pace=live_pace) as table:
            live, into = table.live, list[bytes]()
            record.traffic.append(into)
            inboxes = {format: Inbox(into) for format in FORMATS}
            for format, inbox in inboxes.items():
                live.connect(owner(seat), format, inbox.receive)
            decisions = (step for step in walk.log if step[0] != CHANCE)
            for number, step in enumerate([None, *decisions]):
                if step:
                    into = []
                    record.traffic.append(into)
                    for inbox in inboxes.values():
                        inbox._into = into
                    answers_to = inboxes["text"] if step[0] == seat else Inbox([])
                    await play(live, *step, answers_to)
                if number in stops:
                    record.asked[number] = [answer async for answer in questions(case, table, seat)]
    return record


async def questions(case: Case, table: ScriptedTable, seat: Seat) -> AsyncIterator[bytes]:
    """Yield the answers to everything a browser may ask."""
    live = table.live
    for format in FORMATS:
        into: list[bytes] = []
        inbox = Inbox(into)
        live.connect(owner(seat), format, inbox.receive)
        live.disconnect(inbox.receive)
        for message in into:
            yield message
    over = live.room.stage == "over"  # then nothing is hidden
    for path in ("",) if over else ("", "/record", "/replay", "/replay/1?viewer=0", "/chances"):
        yield await page(table, seat, f"/api/tables/{CODE}{path}")
    yield await page(table, seat, "/api/me/tables")
    yield await page(table, seat, "/api/watch")
    yield guessable(live.room)
    async for answer in previews(case, live, seat):
        yield answer


async def page(table: ScriptedTable, seat: Seat, path: str) -> bytes:
    """Return an HTTP response with its headers."""
    cookie = ("cookie", f"{COOKIE}={token(seat)}")
    answer = await send_request(table.app, "GET", path, headers=[*SAME_ORIGIN, cookie])
    return repr((path, answer.status, answer.headers)).encode() + answer.body


async def previews(case: Case, live: LiveTable, seat: Seat) -> AsyncIterator[bytes]:
    """Yield the answers to previews of legal and illegal moves, and the refusals of some moves."""
    if live.room.stage != "playing":
        return
    words = live.room.length
    live.log.refusals.clear()  # ids of an earlier stop are used again
    yield await live.answer_question(owner(seat), commands.Hint(id="hint"), "text")
    for number, steps in enumerate(action_attempts(case, live, seat)):
        think = commands.PreviewActions(id=f"think-{number}", actions=steps)
        format = FORMATS[number % 2]
        answer = await live.answer_question(owner(seat), think, format)
        yield answer
        if steps and number % 3 == 0 and b'"refused"' in answer[:20]:
            into: list[bytes] = []
            move = commands.Move(id=f"try-{number}", actions=steps)
            await live.handle_command(owner(seat), move, Inbox(into).receive)
            for message in into:
                yield message
    for number, text in enumerate(typed_moves(case)):
        yield await live.answer_question(
            owner(seat), commands.PreviewText(id=f"read-{number}", text=text), "text"
        )
    for number, (verb, *numbers) in enumerate(moves_as_data(case)):
        touched = commands.PreviewMove(
            id=f"touch-{number}", verb=str(verb), numbers=[int(n) for n in numbers]
        )
        yield await live.answer_question(owner(seat), touched, FORMATS[number % 2])
    async for answer in takeback_question(live, seat):
        yield answer
    assert live.room.length == words, "a question or a refused command has changed the table"


async def takeback_question(live: LiveTable, seat: Seat) -> AsyncIterator[bytes]:
    """Yield whether a move could be taken back, which must not reveal secret answers."""
    try:
        Judge(live.room).command(
            owner(seat), commands.Propose(id="propose", what="takeback"), (), AT
        )
    except Refused as reason:
        yield refusal("propose", reason)
    else:
        yield b"it could be taken back"


def action_attempts(case: Case, live: LiveTable, seat: Seat) -> Iterator[list[int]]:
    """Yield one or two steps, legal or not."""
    some = range(0, case.actions, max(1, case.actions // NUMBERS))
    position = live.room.position(seat)
    yield []
    for action in (*some, *HUGE):
        yield [action]
    legal = position.legal[:: max(1, len(position.legal) // 3)]
    for first in legal:
        yield [first]
        for second in {*some[::2], *legal, case.actions}:
            yield [first, second]


def typed_moves(case: Case) -> Iterator[str]:
    """Yield moves as they may be typed."""
    yield from ("", "pass", "\u202e", "9" * 200)
    for action in range(0, case.actions, max(1, case.actions // NUMBERS)):
        with contextlib.suppress(Refused):
            yield case.game.format_move(case.game.to_move([action]))


def moves_as_data(case: Case) -> Iterator[list[str | int]]:
    """Yield moves as data, valid or not."""
    nonsense: list[list[str | int]] = [[""], ["pass"], ["pass", 999], ["steps", 999]]
    yield from nonsense
    for action in range(0, case.actions, max(1, case.actions // NUMBERS)):
        with contextlib.suppress(Refused):
            yield case.game.to_move([action]).to_wire()


# --- The law --------------------------------------------------------------------------------------


async def check_twins(case: Case, walk: Walk, *, live_pace: bool = False) -> int:
    """Check that a seat is sent the same bytes in all twins; return how many were compared."""
    compared = 0
    cuts = walk.cuts(CUTS)
    stops = {cut.decisions for cut in cuts}
    for seat in viewers(walk):
        others = [(cut, twin) for cut in cuts for twin in twins(case, cut, seat, Dice(compared))]
        if not others:
            continue
        seen = await transcript(case, walk, seat, stops, live_pace=live_pace)
        for cut, log in others:
            twin = cut.with_log(log)
            last = {twin.decisions}
            other = await transcript(case, twin, seat, last, live_pace=live_pace)
            compare(cut, seen, other, twin, seat)
            compared += 1
    return compared


def twins(case: Case, walk: Walk, seat: Seat, dice: Dice) -> list[Log]:
    """Return twins by the laws of secrecy, and games in which somebody has not answered yet."""
    silent = list(without_an_answer(walk, seat)) if case.game.name == "omerta" else []
    some = case.twins(walk, seat, dice)
    return [*([some[dice.below(len(some))]] if some else []), *silent[:1]]


def without_an_answer(walk: Walk, seat: Seat) -> Iterator[Log]:
    """O-9: while a window is open, it is a secret that somebody else has answered."""
    witness = Witness(walk)
    if witness.end.phase != pieces.PHASE_WINDOW or not witness.end.answered:
        return
    for number in witness.windows[-1]:
        if walk.log[number][0] != seat:
            yield (*walk.log[:number], *walk.log[number + 1 :])


def compare(walk: Walk, seen: Transcript, other: Transcript, twin: Walk, seat: Seat) -> None:
    """Compare what was sent in two games, up to the end of the shorter walk."""
    who = f"seat {seat}" if seat != SPECTATOR else "a spectator"
    where = f"after {walk.decisions} decisions of {walk.setup.name}"
    steps = walk.decisions + 1
    alike = len(other.traffic) == steps
    one = seen.traffic[:steps] if alike else Transcript(seen.traffic[:steps]).flat()
    two = other.traffic if alike else other.flat()
    assert one == two, f"{who} can tell two games apart by the traffic {where}: {first(one, two)}"
    one_asked, two_asked = seen.asked[walk.decisions], other.asked[twin.decisions]
    assert one_asked == two_asked, (
        f"{who} can tell two games apart by asking {where}: {first(one_asked, two_asked)}"
    )
    assert other.log == seen.log[: len(other.log)], (
        f"the log tells two games apart {where}: {first(seen.log, other.log)}"
    )


def first(one: Any, two: Any) -> object:
    """Return the first difference of two lists."""
    differ = [(a, b) for a, b in zip(one, two, strict=False) if a != b]
    return differ[0] if differ else (len(one), len(two))


def check(case: Case, walk: Walk, *, live_pace: bool = False) -> int:
    """Check the law in a loop of its own."""
    return asyncio.run(check_twins(case, walk, live_pace=live_pace))
