"""Logs of tables in progress, kept for every release, so that games survive an upgrade.

`python -m tests.server.kept_logs` writes those of this version. Kept files are never changed.
"""

import hashlib
import json
from pathlib import Path
from random import Random
from typing import Any, Final

import msgspec

from cosca import __version__
from cosca.catalog import ALL, find
from cosca.core.errors import Refused
from cosca.core.names import SPECTATOR
from cosca.server import wire
from cosca.server.domain import commands, log_entries
from cosca.server.domain.identifiers import hashed
from cosca.server.domain.judge import Judge
from cosca.server.domain.log_entries import LogEntry, decode_entry, encode_entry
from cosca.server.domain.opening import NewTable, opening
from cosca.server.domain.room import Room, room_from_log
from cosca.server.live import views
from tests.server.contributions import committed, dealt, revealed

KEPT = Path(__file__).parent / "kept"
MOVES = 22


def read(path: Path) -> list[LogEntry]:
    """Return a kept log."""
    return [decode_entry(line) for line in path.read_bytes().splitlines()]


LATER: list[tuple[str, dict[str, object]]] = [
    (
        "room",
        {
            "pace": "relaxed",
            "move_seconds": 0,
            "bank_seconds": 0,
            "paused": False,
            "proposal": None,
        },
    ),
    ("view", {"clocks": []}),
    ("view", {"ranking": []}),
    ("room", {"listed": False, "spectator_chat": False, "watchers": 0}),
    ("options", {"goal": "reach", "driver_snap": "last", "use": "may"}),
    ("position", {"exceed_goal": False, "snap_each": False, "must_use": False}),
]
"""Fields added with paces, private tables, rankings and options, with their values if unused."""


def without_later(message: dict[str, Any]) -> dict[str, Any]:
    """Return a message without the fields that were added later, if they have no effect."""
    view = message["view"] or {}
    parts = {
        "room": message["room"],
        "view": view,
        "options": message["room"]["options"],
        "position": view.get("position"),
    }
    for part, later in LATER:
        inside = parts[part] or {}
        present = later.keys() & inside.keys()
        if all(inside[name] == later[name] for name in present):
            for name in present:
                del inside[name]
    for event in message["events"]:
        event.pop("reason", None)  # it follows from the rest
    return message


def as_of_format_1(message: dict[str, Any], room: Room) -> dict[str, Any]:
    """Return a message of a table of format 1 as it was: it asked for entropy, and had no links."""
    assert message.pop("link") is None
    shown = message["room"]
    assert (shown.pop("dealing"), shown.pop("contributions")) == ("", [])
    assert len(shown.pop("taken_back")) == len(room.takebacks.steps)
    asked = room.stage in ("lobby", "sealing") and shown["you"] in room.seats.persons()
    wants = asked and not room.seats[shown["you"]].entropy
    seal = list(shown).index("seal") + 1
    items = list(shown.items())
    message["room"] = dict([*items[:seal], ("wants_entropy", wants), *items[seal:]])
    return message


PROTOCOL_1: Final = {"seat_name": "called", "present": "here", "reaction_seconds": "race"}
"""Names of fields in protocol 1, in which the digests were made."""


def in_protocol_1(message: dict[str, Any]) -> dict[str, Any]:
    """Return a sync with the names of protocol 1: nothing but names has changed since."""

    def renamed(fields: dict[str, Any]) -> dict[str, Any]:
        return {PROTOCOL_1.get(name, name): value for name, value in fields.items()}

    message = {name: value for name, value in message.items() if name != "protocol"}
    message["room"] = {**message["room"], "seats": [renamed(x) for x in message["room"]["seats"]]}
    message["view"] = message["view"] and renamed(message["view"])
    return message


def digests(room: Room) -> dict[str, str]:
    """Return a digest of what each viewer gets as data; the order of fields is ignored."""
    found = {}
    for seat in [SPECTATOR, *range(len(room.seats))]:
        seen = json.loads(views.sync_message(room, views.Viewer(seat, seat == 0, "data"), (0,)))
        if seen["view"]:
            position = seen["view"]["position"]
            fields = [name for name in room.shown.position(seat).to_wire() if name in position]
            assert len(fields) == len(position)
            seen["view"]["position"] = {name: position[name] for name in fields}
        if room.opened.format == 1:
            seen = as_of_format_1(seen, room)
        if seat == SPECTATOR:  # the digests are from when spectators could read the chat
            assert seen["chat"] == []
            seen["chat"] = msgspec.to_builtins(room.chat.messages)
        plain = wire.write(without_later(in_protocol_1(seen)))
        found["watching" if seat == SPECTATOR else str(seat)] = hashlib.sha256(plain).hexdigest()
    return found


def lobby(game: str, seats: list[str]) -> list[LogEntry]:
    """Return the log of a table before the game: two people, one with two devices, and a chat."""
    people = [hashed(f"{game}/{name}") for name in ("Ada", "Bo")]
    wanted = NewTable(game=game, seats=seats, name="Ada")
    seed = hashlib.sha256(game.encode()).digest()
    code = "kept" + game[:4]
    log: list[LogEntry] = [
        opening(find(game), wanted, code=code, host=people[0], seed=seed, at=1_760_000_000_000)
    ]
    room = room_from_log(log)
    for owner, name in zip(people, ("Ada", "Bo"), strict=True):
        log.append(Judge(room).sit_down(owner, name, hashed(f"link of {name}"), 1_760_000_001_000))
        room.apply(log[-1])
    log.append(Judge(room).claim(hashed(f"{game}/phone"), hashed("link of Bo"), 1_760_000_002_000))
    log.append(log_entries.Spoken(at=1_760_000_004_000, seat=0, text="Shall we begin, “Bo”?"))
    return log


def in_progress(game: str) -> list[LogEntry]:
    """Return the log of a game in which a bot played for a person, and a person was removed."""
    bots = list(find(game).heuristic_bots)
    log = lobby(game, ["you", "open", bots[0], "open"])
    at = 1_760_000_010_000
    log += [
        log_entries.Sat(
            at=at, seat=3, name="Cy", owner=hashed(f"{game}/Cy"), key=hashed("link of Cy")
        ),
        log_entries.Started(at=at, bot=bots[-1]),
    ]
    deal = room_from_log(log).deal.contributions
    log += [committed(deal.table, deal.seal, seat, b"%d" % seat * 16, at) for seat in (0, 1)]
    log += [log_entries.CommitmentsClosed(at=at), revealed(0, b"0" * 16, at)]
    log += [revealed(1, b"1" * 16, at), log_entries.Dealt(at=at + 2000)]
    between: dict[int, LogEntry] = {
        3: log_entries.Filled(at=at, seat=1, bot=bots[-1]),
        9: log_entries.Expelled(at=at, seat=3, bot=bots[-1]),
        15: log_entries.TakenBack(at=at, seat=1),
        20: log_entries.Spoken(at=at, seat=1, text="Here I am again."),
    }
    rng = Random(game)
    room = room_from_log(log)
    for number in range(MOVES):
        seat = rng.choice(room.actors())
        action = rng.choice(room.position(seat).legal)
        moved = log_entries.Moved(at=at + 5000 * number, seat=seat, actions=[action])
        for entry in [moved, *([between[number]] if number in between else [])]:
            room.apply(entry)
            log.append(entry)
    assert room.stage == "playing"
    return log


def with_clocks() -> list[LogEntry]:
    """Return the log of a game with clocks, a pause, a timeout and a takeback."""
    at = 1_760_000_100_000
    owners = [hashed(f"clocks/{name}") for name in ("Ada", "Bo")]
    wanted = NewTable(
        game="vendetta", seats=["you", "open", "random"], name="Ada", pace="live", move_seconds=30
    )
    seed = hashlib.sha256(b"clocks").digest()
    opened = opening(find("vendetta"), wanted, code="keptclock", host=owners[0], seed=seed, at=at)
    log: list[LogEntry] = [opened]
    for seat, owner in enumerate(owners):
        log.append(
            log_entries.Sat(at=at, seat=seat, name=f"P{seat}", owner=owner, key=hashed(owner))
        )
    log += [log_entries.Started(at=at, bot="random"), *dealt(at)]
    room, rng = room_from_log(log), Random("clocks")

    def add(entry: LogEntry) -> None:
        room.apply(entry)
        log.append(entry)

    def move(at: int) -> int:
        seat = room.actors()[0]
        action = rng.choice(room.position(seat).legal)
        add(log_entries.Moved(at=at, seat=seat, actions=[action]))
        return seat

    taken_back = False
    for number in range(40):
        seat = move(at + 40_000 * (number + 1))
        proposal = commands.Propose(id="1", what="takeback")
        if seat < 2 and not taken_back:
            try:
                add(Judge(room).command(owners[seat], proposal, (), room.last))
            except Refused:
                continue
            add(log_entries.Answered(at=room.last, seat=1 - seat, agrees=True))
            taken_back = True
    assert taken_back and len(room.takebacks.steps)
    add(log_entries.Proposed(at=room.last + 1000, seat=0, what="pause"))
    add(log_entries.Answered(at=room.last + 1000, seat=1, agrees=True))
    add(log_entries.Resumed(at=room.last + 60_000, seat=1))
    add(log_entries.Woken(at=room.last + 3_600_000))
    while not (seat := room.actors()[0]) < 2:
        move(room.last + 1000)
    until = room.deadline(seat)
    assert until is not None
    add(Judge(room).time_out(seat, until))
    add(log_entries.TakenBack(at=room.last + 1000, seat=seat))
    add(log_entries.Filled(at=room.last + 1000, seat=1 - seat, bot="random", until_back=True))
    return log


def keep(folder: Path) -> None:
    """Write the logs of this version, and digests of what everybody sees of them."""
    logs = {"lobby": lobby("vendetta", ["you", "open", "random"])}
    logs |= {game.name: in_progress(game.name) for game in ALL}
    logs |= {"clocks": with_clocks()}
    folder.mkdir(parents=True, exist_ok=True)
    for name, log in logs.items():
        if (folder / f"{name}.jsonl").exists():
            continue
        written = b"".join(encode_entry(entry) + b"\n" for entry in log)
        (folder / f"{name}.jsonl").write_bytes(written)
        digest_text = json.dumps(digests(room_from_log(log)), indent=2)
        (folder / f"{name}.json").write_text(digest_text + "\n")


if __name__ == "__main__":
    keep(KEPT / __version__)
