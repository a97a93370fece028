"""Verifying a record: rules, consequences, result, chain and sealed dice.

A scribe writes the record again from its decisions and the revealed seed. Every line must match
exactly; the first one that does not is reported with what is wrong in it.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO, Final

from cosca.catalog import GAMES
from cosca.core.errors import Param, Refused
from cosca.core.names import CHANCE, Action, Seat
from cosca.match.record import BY_CHANCE, Contribution, Scribe, revealed_bytes
from cosca.match.sealed import (
    CONTRIBUTION_BYTES,
    FORMAT,
    FORMATS,
    SEED_BYTES,
    SealedDice,
    commit,
)

LONGEST_LINE: Final = 1_000_000
MOST_LINES: Final = 100_000
MOST_BYTES: Final = 64_000_000
HASH_BYTES: Final = 32
PARTS: Final = ("step", "by", "draw", "does", "facts", "unspoken", "result", "seed", "chain")
"""The parts of a line, in the order in which they are checked."""


class UnreadableRecord(Refused):
    """The file is not a record that can be read here."""


class InvalidRecord(Exception):
    """A record that fails verification: the line, and a key for the reason."""

    def __init__(self, line: int, key: str, **params: Param) -> None:
        super().__init__(line, key, params)
        self.line = line
        self.key = key
        self.params = params


@dataclass(frozen=True, slots=True)
class Record:
    """A record that was read: its lines, and their contents."""

    lines: Sequence[str]
    """The lines as they stand in the file, without line feeds."""
    contents: Sequence[dict[str, Any]]
    """The JSON object of each line."""

    @property
    def header(self) -> dict[str, Any]:
        """Return what was agreed before the game."""
        return self.contents[0]

    @property
    def is_finished(self) -> bool:
        """Return whether the seed has been revealed."""
        return "result" in self.contents[-1]

    @property
    def steps(self) -> Sequence[dict[str, Any]]:
        """Return the contents of the lines for steps."""
        return self.contents[1:-1] if self.is_finished else self.contents[1:]


# --- Reading -------------------------------------------------------------------------------------


def read_record(file: BinaryIO, *, growing: bool = False) -> Record:
    """Read a record from a file and check its form alone. Memory stays bounded whatever comes.

    In a file that is still being written (`growing`), an unterminated last line is ignored.
    """
    lines: list[str] = []
    contents: list[dict[str, Any]] = []
    size = 0
    for raw in _raw_lines(file, growing):
        size += len(raw)
        if len(lines) >= MOST_LINES or size > MOST_BYTES:
            raise UnreadableRecord("record.too_long", lines=MOST_LINES)
        number = len(lines) + 1
        try:
            line = raw.decode()
            content = json.loads(line, parse_constant=_no_number)
        except (ValueError, RecursionError):
            raise UnreadableRecord("record.not_json", line=number) from None
        if not isinstance(content, dict):
            raise UnreadableRecord("record.not_json", line=number)
        if number == 1:
            _check_kind(content)
        lines.append(line.removesuffix("\n"))
        contents.append(content)
    if not lines:
        raise UnreadableRecord("record.empty")
    return Record(lines, contents)


def _no_number(word: str) -> None:
    """Refuse NaN and Infinity, which Python accepts although they are not JSON."""
    raise ValueError(word)


def _raw_lines(file: BinaryIO, growing: bool) -> Iterator[bytes]:
    number = 0
    while raw := file.readline(LONGEST_LINE + 1):
        number += 1
        if len(raw) > LONGEST_LINE:
            raise UnreadableRecord("record.long_line", line=number, most=LONGEST_LINE)
        if not raw.endswith(b"\n"):
            if growing:
                return
            raise UnreadableRecord("record.cut_line", line=number)
        yield raw


def _check_kind(header: dict[str, Any]) -> None:
    """Refuse a file that is no record, or has an unknown format, game or version of the rules."""
    if header.get("cosca") != "record" or type(header.get("format")) is not int:
        raise UnreadableRecord("record.no_header")
    if header["format"] not in FORMATS:
        raise UnreadableRecord(
            "record.other_format", format=str(header["format"])[:20], known=FORMAT
        )
    game = GAMES.get(str(header.get("game")))
    if game is None:
        raise UnreadableRecord("record.other_game", game=str(header.get("game"))[:40])
    if header.get("rules") != game.version:
        raise UnreadableRecord("record.other_rules", rules=str(header.get("rules"))[:20])


# --- Checking ------------------------------------------------------------------------------------


def verify(record: Record) -> None:
    """Raise InvalidRecord unless the rules, the dice and the chain all confirm the record."""
    if not record.is_finished:
        raise InvalidRecord(len(record.lines), "record.unfinished")
    scribe = make_scribe(record)
    _check_seal(record.header, scribe)
    if record.lines[0] != scribe.header:
        raise InvalidRecord(1, _header_fault(record, json.loads(scribe.header)))
    for number, content in enumerate(record.steps, start=2):
        if scribe.state.is_over:
            raise InvalidRecord(number, "record.after_the_end")
        _compare(number, record.lines[number - 1], _rewrite(scribe, content, number))
    if not scribe.state.is_over:
        raise InvalidRecord(len(record.lines), "record.ends_early")
    _compare(len(record.lines), record.lines[-1], scribe.write_end())


def _check_seal(header: dict[str, Any], scribe: Scribe) -> None:
    """Refuse a seed that was not sealed, and bytes that do not match their commitment."""
    if header.get("commitment" if header["format"] == 1 else "seal") != scribe.dice.seal:
        raise InvalidRecord(1, "record.bad_commitment")
    for seat, given in enumerate(contributions_of(header)):
        if given.kind == "revealed":
            bound = commit(header["table"], header["seal"], seat, given.random_bytes)
            if given.commitment != bound:
                raise InvalidRecord(1, "record.bad_contribution", seat=seat + 1)


def make_scribe(record: Record) -> Scribe:
    """Return a scribe ready to write this record again."""
    header = record.header
    game = GAMES[header["game"]]
    try:
        game.check_seats(header["seats"])
        players = [str(name) for name in header["players"]]
        given = contributions_of(header)
        added = _entropy(header) if header["format"] == 1 else revealed_bytes(given)
        if len(players) != header["seats"] or not set(added) <= set(range(header["seats"])):
            raise ValueError("players or contributions do not match the seats")
        seed = _bytes(record.contents[-1]["seed"], SEED_BYTES)
        dice = SealedDice(str(header["table"]), seed, added, format=header["format"])
        settings = game.read_settings(header["options"])
        return Scribe(game, settings, header["seats"], dice, players, given)
    except (Refused, KeyError, TypeError, ValueError, AttributeError):
        raise InvalidRecord(1, "record.bad_header") from None


def contributions_of(header: dict[str, Any]) -> list[Contribution]:
    """Return the contributions in a header of format 2; format 1 has none."""
    if header["format"] == 1:
        return []
    given = [_contribution(content) for content in header["contributions"]]
    if len(given) != header["seats"]:
        raise ValueError("there must be one contribution for each seat")
    return given


def _contribution(content: dict[str, str]) -> Contribution:
    kind = content["is"]
    if kind == "revealed":
        revealed = _bytes(content["bytes"], CONTRIBUTION_BYTES)
        return Contribution("revealed", _hash(content["commitment"]), revealed)
    if kind == "withheld":
        return Contribution("withheld", _hash(content["commitment"]))
    if kind == "silent":
        return Contribution("silent")
    if kind == "bot":
        return Contribution("bot")
    raise ValueError("a contribution must be revealed, withheld, silent or bot")


def _entropy(header: dict[str, Any]) -> dict[Seat, bytes]:
    """Return what people added in format 1."""
    return {
        int(seat): _bytes(digits, CONTRIBUTION_BYTES) for seat, digits in header["entropy"].items()
    }


def _hash(digits: str) -> str:
    return _bytes(digits, HASH_BYTES).hex()


def _bytes(digits: str, length: int) -> bytes:
    value = bytes.fromhex(digits)
    if len(value) != length:
        raise ValueError(f"expected {length} bytes, got {len(value)}")
    return value


def _header_fault(record: Record, again: dict[str, Any]) -> str:
    """Return what is wrong with a header that does not match."""
    if {**record.header, "chain": ""} != {**again, "chain": ""}:
        return "record.bad_header"
    return "record.bad_chain" if record.header != again else "record.not_canonical"


def _rewrite(scribe: Scribe, content: dict[str, Any], number: int) -> str:
    """Return the line as it must be, if its decision is legal."""
    if scribe.state.actors() == (CHANCE,):
        return scribe.write_chance()
    seat = content.get("by")
    if type(seat) is not int or seat not in scribe.state.actors():
        raise InvalidRecord(number, "record.bad_by")
    return scribe.write(seat, _action(scribe, seat, content, number))


def _action(scribe: Scribe, seat: int, content: dict[str, Any], number: int) -> Action:
    try:
        action = scribe.game.parse_action(scribe.state, content["does"])
    except (Refused, KeyError, TypeError, ValueError, AttributeError):
        raise InvalidRecord(number, "record.bad_does") from None
    if action not in scribe.state.legal_actions(seat):
        raise InvalidRecord(number, "record.illegal", does=str(content["does"])[:40])
    return int(action)


def _compare(number: int, line: str, again: str) -> None:
    """Refuse a line that does not match exactly, and say which part differs."""
    if line == again:
        return
    content, right = json.loads(line), json.loads(again)
    for part in PARTS:
        if content.get(part) != right.get(part):
            by_chance = right.get("by") == BY_CHANCE and part == "does"
            fault = "draw" if by_chance else "facts" if part == "unspoken" else part
            raise InvalidRecord(number, f"record.bad_{fault}")
    raise InvalidRecord(number, "record.not_canonical")
