"""What a browser notes of a game and compares with the record: `web/witness.js`, run by Node.

Each test changes one thing that the house sends, or hands out, and nothing else.
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
from tests.web.nodejs import ROOT, run_script

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
for (const { room, link, events: shown } of steps) {
    wishes.push(witness.contribute(notes, room, () => bytes));
    witness.noteTakenBack(notes, room.taken_back);
    events = shown;
    witness.noteEvents(notes, link, events);
}
const found = record ? witness.compare(record, code, you, notes, events) : [];
console.log(JSON.stringify({ wishes, notes, found }));
"""


@dataclass
class Transcript:
    """All that a browser at a seat receives of a game, message by message, and the record."""

    steps: list[dict[str, Any]] = field(default_factory=list)
    record: list[dict[str, Any]] = field(default_factory=list)
    code: str = ""
    notes: dict[str, Any] | None = None

    def receive(self, room: Room) -> None:
        """Add a message with the table as it is now."""
        viewer = Viewer(SEAT, False, "data")
        sync = json.loads(views.sync_message(room, viewer, ()))
        self.steps.append({part: sync[part] for part in ("room", "link", "events")})
        self.code = room.code

    def witnessed(self) -> dict[str, Any]:
        """Return what the browser sends, notes and finds."""
        inputs = {
            "steps": self.steps,
            "record": self.record,
            "code": self.code,
            "you": SEAT,
            "bytes": BYTES.hex(),
            "notes": self.notes,
        }
        done = run_script(DRIVER % (json.dumps(WITNESS.as_uri()), json.dumps(inputs)))
        assert done.returncode == 0, done.stderr
        return dict(json.loads(done.stdout))

    def found(self) -> dict[str, bool | None]:
        """Return what the browser finds, by key."""
        return {each["key"]: each["good"] for each in self.witnessed()["found"]}

    def wrong(self) -> set[str]:
        """Return the keys of what it finds to be wrong."""
        return {key for key, good in self.found().items() if good is False}


@cache
def _played(name: str) -> Transcript:
    transcript, table = Transcript(), at("lobby", name)
    transcript.receive(table.room)
    table.add(log_entries.Started(at=0, bot="random"))
    transcript.receive(table.room)
    seal = table.room.deal.contributions.seal
    for seat, made in ((0, b"a" * 16), (SEAT, BYTES)):
        commitment = commit(transcript.code, seal, seat, made)
        table.add(log_entries.Committed(at=0, seat=seat, commitment=commitment))
    table.add(log_entries.CommitmentsClosed(at=0))
    transcript.receive(table.room)
    table.add(log_entries.Revealed(at=0, seat=SEAT, contribution=BYTES.hex()))
    transcript.receive(table.room)
    table.add(log_entries.Revealed(at=0, seat=0, contribution=(b"a" * 16).hex()))
    table.add(log_entries.Dealt(at=0))
    transcript.receive(table.room)
    rng = Random(1)
    while table.room.actors():
        seat = rng.choice(table.room.actors())
        action = rng.choice(table.room.position(seat).legal)
        table.add(log_entries.Moved(at=0, seat=seat, actions=[action]))
        transcript.receive(table.room)
    transcript.record = [json.loads(line) for line in table.room.record().splitlines()]
    return transcript


def played(name: str = "vendetta") -> Transcript:
    """Return a game as an honest house sends it to Bo, whose browser contributes."""
    assert at("lobby").room.seats.of(BO) == SEAT != at("lobby").room.seats.of(ADA)
    return deepcopy(_played(name))


COMMIT, REVEAL, REVEALED, PLAYING = range(1, 5)
"""The steps at which the deal and the game begin."""


# --- With an honest house ---------------------------------------------------------------------


def test_a_browser_commits_once_it_is_asked_and_reveals_when_all_have_committed() -> None:
    transcript = played()
    wishes = transcript.witnessed()["wishes"]
    made = commit(transcript.code, transcript.steps[0]["room"]["seal"], SEAT, BYTES)
    assert wishes[0] is None
    assert wishes[COMMIT] == {"do": "commit", "commitment": made}
    assert wishes[REVEAL] == {"do": "reveal", "contribution": BYTES.hex()}
    assert not any(wishes[REVEALED:])


@pytest.mark.parametrize("name", ["vendetta", "omerta", "sicilianos"])
def test_nothing_is_found_wrong_with_an_honest_house(name: str) -> None:
    found = played(name).found()
    assert set(found) == {"seal", "commitments", "own", "links", "events"}
    assert all(found.values())


def test_a_browser_that_came_after_the_deal_claims_nothing_of_it() -> None:
    transcript = played()
    transcript.steps = transcript.steps[PLAYING:]
    found = transcript.found()
    assert found == {"cameLate": None, "links": True, "events": True}


def test_moves_taken_back_are_reported_and_later_notes_are_dropped() -> None:
    transcript = played()
    other = deepcopy(transcript.steps[-3])
    other["link"]["chain"] = OTHER  # of a move that was taken back
    other["events"][-1]["params"]["seat"] += 1
    transcript.steps.insert(-3, other)
    assert transcript.wrong() >= {"otherStory", "linksBad"}
    back = transcript.steps[-5]["link"]["step"]
    for step in transcript.steps[-3:]:
        step["room"]["taken_back"] = [back]
    found = transcript.found()
    assert not transcript.wrong() and found["takenBack"] is None


def test_notes_are_bounded() -> None:
    transcript = played()
    many = [deepcopy(transcript.steps[-1]) for _ in range(600)]
    for number, step in enumerate(many):
        step["link"] = {"step": 1000 + number, "chain": f"{number:064x}"}
    transcript.steps += many
    assert 100 < len(transcript.witnessed()["notes"]["marks"]) <= 240


# --- With a dishonest house --------------------------------------------------------------------


def test_another_seal_in_the_record_is_found() -> None:
    transcript = played()
    transcript.record[0]["seal"] = OTHER
    assert transcript.wrong() == {"sealBad"}


def test_a_browser_that_is_shown_another_seal_contributes_nothing() -> None:
    transcript = played()
    for step in transcript.steps[COMMIT:]:
        step["room"]["seal"] = OTHER
    witnessed = transcript.witnessed()
    assert witnessed["notes"]["faults"][0] == "otherSeal"
    assert not any(witnessed["wishes"])


def test_another_commitment_in_the_record_is_found() -> None:
    transcript = played()
    transcript.record[0]["contributions"][0]["commitment"] = OTHER
    assert transcript.wrong() == {"commitmentsBad"}


def test_a_commitment_that_comes_when_bytes_are_revealed_is_found() -> None:
    """The house's best friend waits for what the others reveal."""
    transcript = played()
    transcript.steps[REVEAL]["room"]["contributions"][0] = {"status": "silent"}
    assert transcript.wrong() == {"otherCommitments", "commitmentsBad"}


def test_nothing_is_revealed_while_ones_own_commitment_is_not_shown() -> None:
    transcript = played()
    contributions = transcript.steps[REVEAL]["room"]["contributions"]
    contributions[SEAT] = {"status": "committed", "commitment": OTHER}
    assert transcript.witnessed()["wishes"][REVEAL] is None


def test_ones_own_bytes_that_are_left_out_are_found() -> None:
    transcript = played()
    contributions = transcript.record[0]["contributions"]
    contributions[SEAT] = {"is": "withheld", "commitment": commitment_of(transcript)}
    assert transcript.wrong() == {"ownMissing"}
    contributions[SEAT] = {"is": "silent"}
    assert transcript.wrong() == {"ownMissing", "commitmentsBad"}


def commitment_of(transcript: Transcript) -> str:
    """Return the commitment of one's own seat."""
    return commit(transcript.code, transcript.steps[0]["room"]["seal"], SEAT, BYTES)


def test_a_table_that_is_dealt_again_gets_nothing_more() -> None:
    transcript = played()
    transcript.notes = transcript.witnessed()["notes"]
    for first in (0, COMMIT, REVEAL):  # from wherever the house begins anew
        again = played()
        again.notes, again.steps = transcript.notes, transcript.steps[first : REVEAL + 1]
        witnessed = again.witnessed()
        assert witnessed["notes"]["faults"] == ["dealtTwice"]
        assert not any(witnessed["wishes"])


def test_another_link_is_found_in_the_record_and_at_the_table() -> None:
    transcript = played()
    transcript.record[9]["chain"] = OTHER
    steps = [step["link"]["step"] for step in transcript.steps[PLAYING:]]
    assert 9 in steps, "there was a link for that step"
    assert transcript.wrong() == {"linksBad"}
    transcript = played()
    transcript.steps.append(deepcopy(transcript.steps[-1]))
    transcript.steps[-1]["link"]["chain"] = OTHER
    assert transcript.wrong() == {"otherStory"}


def test_an_event_that_changes_later_is_found() -> None:
    transcript = played()
    transcript.steps[-1]["events"][0]["params"]["seat"] += 1
    assert transcript.wrong() == {"otherStory", "eventsBad"}


def test_an_event_that_is_not_in_the_record_or_was_not_sent_is_found() -> None:
    transcript = played()
    facts = next(line["facts"] for line in transcript.record if line.get("facts"))
    facts[0]["seat"] += 1
    assert transcript.wrong() == {"eventsBad"}
    transcript = played()
    facts = next(line["facts"] for line in transcript.record if line.get("facts"))
    facts.insert(0, {"fact": "trustee", "seat": 2})
    assert transcript.wrong() == {"eventsBad"}
    transcript = played()
    next(line["facts"] for line in transcript.record if line.get("facts")).pop(0)
    assert transcript.wrong() == {"eventsBad"}


def test_the_record_of_another_table_is_found() -> None:
    transcript = played()
    transcript.record[0]["table"] = "another"
    assert transcript.wrong() == {"otherTable"}


def test_a_record_of_the_old_format_is_found_where_there_were_commitments() -> None:
    transcript = played()
    seal = transcript.record[0].pop("seal")
    transcript.record[0] |= {"format": 1, "commitment": seal, "entropy": {}}
    assert transcript.wrong() == {"olderFormat"}
