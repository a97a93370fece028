"""A table has the same events as its record."""

import io
import json
from pathlib import Path

from cosca.core.events import Event
from cosca.core.names import CHANCE
from cosca.match.sealed import SealedDice
from cosca.match.table import Table
from cosca.match.verification import make_scribe, read_record

OLD = Path(__file__).parents[1] / "records" / "kept" / "0.1.0" / "omerta-patrol.jsonl"


def test_a_table_of_format_1_has_the_events_of_its_record() -> None:
    """It shuffles a row with a patrol, and lifts a patrol together with a mamma."""
    record = read_record(io.BytesIO(OLD.read_bytes()))
    scribe = make_scribe(record)
    header = record.header
    dice = SealedDice(header["table"], scribe.dice.seed, scribe.dice.contributions, format=1)
    settings = scribe.game.settings("", {key: str(v) for key, v in header["options"].items()})
    table = Table(scribe.game, settings, header["seats"], dice)
    for step in record.steps:
        if step["by"] == "chance":
            scribe.write_chance()
        else:
            action = scribe.game.parse_action(scribe.state, step["does"])
            table.submit(step["by"], action)
            scribe.write(step["by"], action)
    assert table.is_over
    assert sum(seat == CHANCE for seat, _ in table.log) == dice.draws
    facts = [fact for step in record.steps for fact in step["facts"]]
    assert [as_fact(event) for event in table.events] == [
        json.dumps(f, sort_keys=True) for f in facts
    ]


def as_fact(event: Event) -> str:
    """Return an event as a record has it."""
    audience = {} if event.audience is None else {"for": sorted(event.audience)}
    fact = {"fact": event.key.partition(".")[2], **event.params, **audience}
    return json.dumps(fact, sort_keys=True)
