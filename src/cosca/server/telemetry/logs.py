"""Structured logging: one line for each event, without secrets.

A line has fields that this program names, and nothing that came from outside: no token, cookie,
seed, name or chat text, and no code of a table, which would let anybody watch it. An error is
logged by its type and its place in the code, because its text could hold any of these.
"""

import json
import logging
import sys
import traceback
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Final, Literal, TextIO

LogFormat = Literal["text", "json"]
LogLevel = Literal["debug", "info", "warning", "error"]

OWN_LOGGER: Final = "cosca"
MAX_FRAMES: Final = 6
"""The most stack frames logged with an error, the innermost ones."""
MAX_EVENT: Final = 200
"""The most characters of an event's name."""

Field = str | int | float
"""The value of a field."""

log = logging.getLogger("cosca.server")


def log_event(event: str, level: int = logging.INFO, /, **fields: Field) -> None:
    """Log an event with its fields. Never pass anything that came from outside."""
    log.log(level, event, extra={"fields": fields})


def configure_logging(
    format: LogFormat = "text", level: LogLevel = "info", stream: TextIO | None = None
) -> None:
    """Send all logs of this process to a stream, in the host's format and from a level on."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonFormatter() if format == "json" else TextFormatter())
    root = logging.getLogger()
    root.handlers = [handler]
    number = logging.getLevelNamesMapping()[level.upper()]
    root.setLevel(max(number, logging.WARNING))  # libraries log cookies at lower levels
    logging.getLogger(OWN_LOGGER).setLevel(number)


def event_fields(record: logging.LogRecord) -> dict[str, Field]:
    """Return the event, its fields and its error, as far as they may be logged."""
    fields: Mapping[str, Field] = getattr(record, "fields", {})
    return {"event": _event(record), **fields, **_error(record)}


def _event(record: logging.LogRecord) -> str:
    """Return the event's name; for a library's record its message without the arguments."""
    is_own = record.name.partition(".")[0] == OWN_LOGGER
    text = record.getMessage() if is_own else str(record.msg)
    return (text.strip().splitlines() or [""])[0][:MAX_EVENT]


def _error(record: logging.LogRecord) -> dict[str, Field]:
    """Return the type of the record's error and where it happened, if there is one."""
    if not record.exc_info or record.exc_info[1] is None:
        return {}
    error = record.exc_info[1]
    frames = traceback.extract_tb(error.__traceback__)[-MAX_FRAMES:]
    places = [f"{frame.filename.rpartition('/')[2]}:{frame.lineno}" for frame in frames]
    return {"error": type(error).__name__, "at": " ".join(places)}


class JsonFormatter(logging.Formatter):
    """Formats each event as a JSON object on one line."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of an event."""
        time = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        head = {"time": time, "level": record.levelname.lower(), "logger": record.name}
        return json.dumps(head | event_fields(record), ensure_ascii=False)


class TextFormatter(logging.Formatter):
    """Formats each event as one line of text, with fields as `name=value`."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of an event."""
        fields = event_fields(record)
        event = fields.pop("event")
        rest = "".join(f" {name}={_text(value)}" for name, value in fields.items())
        return f"{record.levelname} {record.name}: {event}{rest}"


def _text(value: Field) -> str:
    """Return a value as text, quoted where it would not be one printable word."""
    text = str(value)
    return text if text.isprintable() and text and " " not in text else json.dumps(text)
