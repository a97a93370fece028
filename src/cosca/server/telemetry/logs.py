"""What the house writes about itself: one line for each event, and no secret in any of them.

A line has fields that we name, and nothing that came from outside: no token, cookie, seed, name or
word of a chat, and not the code of a table, with which anybody could watch it. Of an error it has
the kind and the place; its text could hold any of these.
"""

import json
import logging
import sys
import traceback
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Final, TextIO

from cosca.server.ops.settings import Settings

OURS: Final = "cosca"
FRAMES: Final = 6
"""So many places of an error are told, the last ones."""

Field = str | int | float
"""What a line can hold."""

log = logging.getLogger("cosca.server")


def note(event: str, level: int = logging.INFO, /, **fields: Field) -> None:
    """Write down that something has happened."""
    log.log(level, event, extra={"fields": fields})


def set_up(settings: Settings, stream: TextIO | None = None) -> None:
    """Let everything that is logged here come out in the way the host wants it."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines() if settings.log == "json" else TextLines())
    root = logging.getLogger()
    root.handlers = [handler]
    level = logging.getLevelNamesMapping()[settings.log_level.upper()]
    root.setLevel(max(level, logging.WARNING))  # what others say in detail has cookies in it
    logging.getLogger(OURS).setLevel(level)


def told(record: logging.LogRecord) -> dict[str, Field]:
    """What may be said of an event."""
    fields: Mapping[str, Field] = getattr(record, "fields", {})
    return {"event": _event(record), **fields, **_error(record)}


def _event(record: logging.LogRecord) -> str:
    """The event; of what others log only the words that stand in their source."""
    is_ours = record.name.partition(".")[0] == OURS
    text = record.getMessage() if is_ours else str(record.msg)
    return (text.strip().splitlines() or [""])[0][:200]


def _error(record: logging.LogRecord) -> dict[str, Field]:
    """The kind of an error, and where it happened."""
    if not record.exc_info or record.exc_info[1] is None:
        return {}
    error = record.exc_info[1]
    frames = traceback.extract_tb(error.__traceback__)[-FRAMES:]
    places = [f"{frame.filename.rpartition('/')[2]}:{frame.lineno}" for frame in frames]
    return {"error": type(error).__name__, "at": " ".join(places)}


class JsonLines(logging.Formatter):
    """One JSON object for each event."""

    def format(self, record: logging.LogRecord) -> str:
        """The line of an event."""
        time = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        head = {"time": time, "level": record.levelname.lower(), "logger": record.name}
        return json.dumps(head | told(record), ensure_ascii=False)


class TextLines(logging.Formatter):
    """One line to be read for each event."""

    def format(self, record: logging.LogRecord) -> str:
        """The line of an event."""
        fields = told(record)
        event = fields.pop("event")
        rest = "".join(f" {name}={_plain(value)}" for name, value in fields.items())
        return f"{record.levelname} {record.name}: {event}{rest}"


def _plain(value: Field) -> str:
    text = str(value)
    return text if text.isprintable() and text and " " not in text else json.dumps(text)
