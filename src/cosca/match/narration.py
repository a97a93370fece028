"""What happened as lines of text: a line for each kind of event, with the reasons behind it."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby

from cosca.core.events import Event, Reason
from cosca.words import say


def event_lines(events: Iterable[Event], sentence: Callable[[Event], str]) -> list[str]:
    """Return a line for each run of events of one kind, each sentence as `sentence` returns it."""
    lines = []
    for _, alike in groupby(events, lambda event: event.key):
        lines.append(" ".join(_parts(list(alike), sentence)))
    return [line for line in lines if line]


def _parts(alike: list[Event], sentence: Callable[[Event], str]) -> Iterator[str]:
    """Yield the sentences of a line, each followed by its reason."""
    for event, reason in zip(alike, reasons_to_show(alike), strict=True):
        text = sentence(event)
        if text:
            yield text
        if text and reason is not None:
            yield reason_text(reason)


def reasons_to_show(events: Sequence[Event]) -> list[Reason | None]:
    """Return the reason of each event; one that several in a row share, after the last alone."""
    reasons = [event.reason for event in events]
    following = [*reasons[1:], None]
    return [
        None if reason == after else reason
        for reason, after in zip(reasons, following, strict=False)
    ]


def reason_text(reason: Reason) -> str:
    """Return the sentence of a reason with its rule."""
    return say("play.reason", {"text": say(reason.key, reason.params), "rule": reason.rule})
