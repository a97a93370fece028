"""What a browser notes of a game and compares with the record: `web/witness.js`, run by Node.

Each test changes one thing that the house tells, or hands out, and nothing else.
"""

import json
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Any

import pytest

from cosca.match.sealed import commit
from cosca.server.domain import log_entries
from cosca.server.domain.room import Room
from cosca.server.live import views
from cosca.server.live.views import Viewer
from tests.server.test_room import ADA, BO, at
from tests.web.test_verifier import ROOT, node

WITNESS = ROOT / "web" / "witness.js"
SEAT = 1
BYTES = b"b" * 16
OTHER = "5a" * 32
DRIVER = """
import * as witness from %s;
const { steps, record, code, you, bytes, notes: before } = %s;
const notes = before ?? witness.emptyNotes();
const wishes = [];
let events = [];
for (const { room, link, events: told } of steps) {
    wishes.push(witness.contribute(notes, room, () => bytes));
    witness.noteTakenBack(notes, room.taken_back);
    events = told;
    witness.noteEvents(notes, link, events);
}
const found = record ? witness.compare(record, code, you, notes, events) : [];
console.log(JSON.stringify({ wishes, notes, found }));
"""


@dataclass
class Told:
    """All that a browser at a seat is told of a game, message by message, and the record."""

    steps: list[dict[str, Any]] = field(default_factory=list)
    record: list[dict[str, Any]] = field(default_factory=list)
    code: str = ""
    notes: dict[str, Any] | None = None

    def tell(self, room: Room) -> None:
        """Tell how it is now."""
        eyes = Viewer(SEAT, False, "data")
        sync = json.loads(views.full(room, eyes, ()))
        self.steps.append({part: sync[part] for part in ("room", "link", "events")})
        self.code = room.code

    def witnessed(self) -> dict[str, Any]:
        """What the browser sends, notes and finds."""
        told = {
            "steps": self.steps,
            "record": self.record,
            "code": self.code,
            "you": SEAT,
            "bytes": BYTES.hex(),
            "notes": self.notes,
        }
        done = node(script=DRIVER % (json.dumps(WITNESS.as_uri()), json.dumps(told)))
        assert done.returncode == 0, done.stderr
        return dict(json.loads(done.stdout))

    def found(self) -> dict[str, bool | None]:
        """What the browser finds, by key."""
        return {each["key"]: each["good"] for each in self.witnessed()["found"]}

    def wrong(self) -> set[str]:
        """What it finds to be wrong."""
        return {key for key, good in self.found().items() if good is False}


@cache
def _game(name: str) -> Told:
    told, table = Told(), at("lobby", name)
    told.tell(table.room)
    table.add(log_entries.Started(at=0, bot="random"))
    told.tell(table.room)
    seal = table.room.deal.contributions.seal
    for seat, made in ((0, b"a" * 16), (SEAT, BYTES)):
        line = log_entries.Committed(
            at=0, seat=seat, commitment=commit(told.code, seal, seat, made)
        )
        table.add(line)
    table.add(log_entries.CommitmentsClosed(at=0))
    told.tell(table.room)
    table.add(log_entries.Revealed(at=0, seat=SEAT, contribution=BYTES.hex()))
    told.tell(table.room)
    table.add(log_entries.Revealed(at=0, seat=0, contribution=(b"a" * 16).hex()))
    table.add(log_entries.Dealt(at=0))
    told.tell(table.room)
    rng = Random(1)
    while table.room.actors():
        seat = rng.choice(table.room.actors())
        action = rng.choice(table.room.position(seat).legal)
        table.add(log_entries.Moved(at=0, seat=seat, actions=[action]))
        told.tell(table.room)
    told.record = [json.loads(line) for line in table.room.record().splitlines()]
    return told


def game(name: str = "vendetta") -> Told:
    """A game as an honest house tells it to Bo, whose browser contributes."""
    assert at("lobby").room.seats.of(BO) == SEAT != at("lobby").room.seats.of(ADA)
    return deepcopy(_game(name))


COMMIT, REVEAL, REVEALED, PLAYING = range(1, 5)
"""The steps at which the deal and the game begin."""


# --- With an honest house ---------------------------------------------------------------------


def test_a_browser_commits_once_it_is_asked_and_reveals_when_all_have_committed() -> None:
    told = game()
    wishes = told.witnessed()["wishes"]
    made = commit(told.code, told.steps[0]["room"]["seal"], SEAT, BYTES)
    assert wishes[0] is None
    assert wishes[COMMIT] == {"do": "commit", "commitment": made}
    assert wishes[REVEAL] == {"do": "reveal", "contribution": BYTES.hex()}
    assert not any(wishes[REVEALED:])


@pytest.mark.parametrize("name", ["vendetta", "omerta", "sicilianos"])
def test_an_honest_house_is_found_to_be_so(name: str) -> None:
    found = game(name).found()
    assert set(found) == {"seal", "commitments", "own", "links", "events"}
    assert all(found.values())


def test_a_browser_that_came_after_the_deal_claims_nothing_of_it() -> None:
    told = game()
    told.steps = told.steps[PLAYING:]
    found = told.found()
    assert found == {"cameLate": None, "links": True, "events": True}


def test_moves_taken_back_are_told_and_what_was_noted_beyond_them_is_let_go() -> None:
    told = game()
    other = deepcopy(told.steps[-3])
    other["link"]["chain"] = OTHER  # of a move that was taken back
    other["events"][-1]["params"]["seat"] += 1
    told.steps.insert(-3, other)
    assert told.wrong() >= {"otherStory", "linksBad"}
    back = told.steps[-5]["link"]["step"]
    for step in told.steps[-3:]:
        step["room"]["taken_back"] = [back]
    found = told.found()
    assert not told.wrong() and found["takenBack"] is None


def test_notes_are_bounded() -> None:
    told = game()
    many = [deepcopy(told.steps[-1]) for _ in range(600)]
    for number, step in enumerate(many):
        step["link"] = {"step": 1000 + number, "chain": f"{number:064x}"}
    told.steps += many
    assert 100 < len(told.witnessed()["notes"]["marks"]) <= 240


# --- With another -----------------------------------------------------------------------------


def test_another_seal_in_the_record_is_found() -> None:
    told = game()
    told.record[0]["seal"] = OTHER
    assert told.wrong() == {"sealBad"}


def test_who_is_shown_another_seal_contributes_nothing() -> None:
    told = game()
    for step in told.steps[COMMIT:]:
        step["room"]["seal"] = OTHER
    witnessed = told.witnessed()
    assert witnessed["notes"]["faults"][0] == "otherSeal"
    assert not any(witnessed["wishes"])


def test_another_commitment_in_the_record_is_found() -> None:
    told = game()
    told.record[0]["contributions"][0]["commitment"] = OTHER
    assert told.wrong() == {"commitmentsBad"}


def test_a_commitment_that_comes_when_bytes_are_revealed_is_found() -> None:
    """The house's best friend waits for what the others reveal."""
    told = game()
    told.steps[REVEAL]["room"]["contributions"][0] = {"status": "silent"}
    assert told.wrong() == {"otherCommitments", "commitmentsBad"}


def test_nothing_is_revealed_while_the_own_commitment_is_not_shown() -> None:
    told = game()
    told.steps[REVEAL]["room"]["contributions"][SEAT] = {"status": "committed", "commitment": OTHER}
    assert told.witnessed()["wishes"][REVEAL] is None


def test_own_bytes_that_are_left_out_are_found() -> None:
    told = game()
    told.record[0]["contributions"][SEAT] = {"is": "withheld", "commitment": commitment_of(told)}
    assert told.wrong() == {"ownMissing"}
    told.record[0]["contributions"][SEAT] = {"is": "silent"}
    assert told.wrong() == {"ownMissing", "commitmentsBad"}


def commitment_of(told: Told) -> str:
    """The commitment of the own seat."""
    return commit(told.code, told.steps[0]["room"]["seal"], SEAT, BYTES)


def test_a_table_that_is_dealt_again_gets_nothing_more() -> None:
    told = game()
    told.notes = told.witnessed()["notes"]
    for first in (0, COMMIT, REVEAL):  # from wherever the house begins anew
        again = game()
        again.notes, again.steps = told.notes, told.steps[first : REVEAL + 1]
        witnessed = again.witnessed()
        assert witnessed["notes"]["faults"] == ["dealtTwice"]
        assert not any(witnessed["wishes"])


def test_another_link_is_found_in_the_record_and_at_the_table() -> None:
    told = game()
    told.record[9]["chain"] = OTHER
    steps = [step["link"]["step"] for step in told.steps[PLAYING:]]
    assert 9 in steps, "there was a link for that step"
    assert told.wrong() == {"linksBad"}
    told = game()
    told.steps.append(deepcopy(told.steps[-1]))
    told.steps[-1]["link"]["chain"] = OTHER
    assert told.wrong() == {"otherStory"}


def test_an_event_told_otherwise_later_is_found() -> None:
    told = game()
    told.steps[-1]["events"][0]["params"]["seat"] += 1
    assert told.wrong() == {"otherStory", "eventsBad"}


def test_an_event_that_is_not_in_the_record_or_was_not_told_is_found() -> None:
    told = game()
    facts = next(line["facts"] for line in told.record if line.get("facts"))
    facts[0]["seat"] += 1
    assert told.wrong() == {"eventsBad"}
    told = game()
    facts = next(line["facts"] for line in told.record if line.get("facts"))
    facts.insert(0, {"fact": "trustee", "seat": 2})
    assert told.wrong() == {"eventsBad"}
    told = game()
    next(line["facts"] for line in told.record if line.get("facts")).pop(0)
    assert told.wrong() == {"eventsBad"}


def test_the_record_of_another_table_is_found() -> None:
    told = game()
    told.record[0]["table"] = "another"
    assert told.wrong() == {"otherTable"}


def test_a_record_of_the_old_kind_is_found_where_there_were_envelopes() -> None:
    told = game()
    seal = told.record[0].pop("seal")
    told.record[0] |= {"format": 1, "commitment": seal, "entropy": {}}
    assert told.wrong() == {"olderFormat"}
