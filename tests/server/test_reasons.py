"""Events go out with their reason, for people as a sentence and for programs as data."""

from cosca.core.events import Event, Reason
from cosca.server import wire
from cosca.server.live.views import event_data, event_text

TIED = Reason("vendetta.reason.next_of_tied", {"seat": 0, "seats": (0, 2), "number": 2}, "V-10")
FEWEST = Reason("vendetta.reason.fewest", {"seat": 0, "figures": ((0, 2), (2, 5))}, "V-9")


def lost(reason: Reason | None) -> Event:
    """Return a loss in a district, for this reason."""
    return Event("vendetta.lost", {"seat": 0, "district": 6, "number": 2}, reason=reason)


def test_people_read_the_reason_of_an_event_and_its_rule() -> None:
    reason = event_text(lost(TIED)).reason
    assert reason is not None and reason.rule == "V-10"
    assert reason.text == (
        "Red and Green tie for the fewest with 2. Red is next in turn, so Red loses."
    )


def test_programs_get_the_reason_as_data() -> None:
    sent = wire.write(event_data(lost(FEWEST)))
    assert b'"reason":{"key":"vendetta.reason.fewest"' in sent
    assert b'"figures":[[0,2],[2,5]]' in sent and b"text" not in sent


def test_an_event_without_a_reason_sends_none() -> None:
    assert b"reason" not in wire.write(event_text(lost(None)))
