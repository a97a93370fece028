"""Moves and states of Vendetta as one line of text, both ways.

A move: `3>6 4>11` (three into district 6, four into 11), or `-` for none. People may type `3 into 6
and 4 into 11`, or `pass`. A state: words `key=value`, without default values; seats and districts
count from 1 as on the map, and the box is what remains of fifty.
"""

import re
from typing import Final

from cosca.core.errors import Refused
from cosca.core.move import Move
from cosca.core.names import Action
from cosca.games.vendetta.actions import to_actions, to_move
from cosca.games.vendetta.pieces import DISTRICTS, ENDINGS, MAFIOSI, PHASE_NAMES, PHASE_PLACE
from cosca.games.vendetta.rules import State

NO_MOVE: Final = ("-", "pass", "none", "0")
WORDS: Final = ("into", "and", "pass", "place", "mafiosi", "district")
"""Words of a typed move that have others in each language; names stand for numbers."""
FILLERS: Final = re.compile(r"\b(place|put|mafiosi|mafioso|men|man|district|districts)\b")
INTO: Final = r"\s*(?:>|→|into|in|to|on)\s*"
PLACE: Final = re.compile(rf"(\d{{1,6}}){INTO}(\d{{1,6}})(?:\s+\2\b(?!{INTO}))?")
"""A number and a district; its name may follow its number: `3 into 6 Chiesa Madre`."""
AND: Final = re.compile(r"[\s,;+&]*(?:and\s*)?")


def format_move(move: Move) -> str:
    """Format a complete turn: `3>6 4>11`, or `-`."""
    pairs = zip(move.numbers[::2], move.numbers[1::2], strict=True)
    return " ".join(f"{number}>{district}" for district, number in pairs) or "-"


def parse_move(text: str) -> Move:
    """Parse a complete turn as typed. It need not be legal."""
    typed = text.strip()
    text = FILLERS.sub(" ", typed.lower()).strip()
    if text in NO_MOVE:
        return Move("pass")
    numbers: list[int] = []
    at = 0
    while at < len(text):
        match = PLACE.match(text, at)
        if match is None or len(numbers) == 4:
            raise Refused("vendetta.bad_move", text=typed[:40])
        numbers += [int(match[2]), int(match[1])]
        at = match.end()
        between = AND.match(text, at)
        at = between.end() if between else at
    if not numbers:
        raise Refused("vendetta.bad_move", text=typed[:40])
    return Move("place", tuple(numbers))


# --- Single actions, also of chance -----------------------------------------------------------


def format_action(state: State, action: Action) -> str:
    """Format an action: `3>6` or `-` of a player, `trustee 2`, `deal 6` or `card 6` of chance."""
    if state.phase == PHASE_PLACE:
        return format_move(to_move([action]))
    return f"{PHASE_NAMES[state.phase]} {action + 1}"


def parse_action(state: State, text: str) -> Action:
    """Parse an action from a line of a story."""
    if state.phase == PHASE_PLACE:
        return to_actions(parse_move(text))[0]
    word, _, number = text.partition(" ")
    if word != PHASE_NAMES[state.phase] or not number.isdecimal():
        raise Refused("vendetta.bad_move", text=text[:40])
    return int(number) - 1


# --- States -----------------------------------------------------------------------------------


def format_state(state: State) -> str:
    """Format the whole state as one line."""
    words = {
        "seats": str(state.seats),
        "setup": "only" if state.only_own_cards else "",
        "limit": "every" if state.limit_every_turn else "",
        "control": "most" if state.most_controls else "",
        "final_points": "" if state.final_points else "no",
        "goal": "exceed" if state.exceed_goal else "",
        "max_rounds": str(state.max_rounds or ""),
        "phase": PHASE_NAMES[state.phase],
        "round": str(state.round),
        "turn": str(state.turn + 1),
        "start": str(state.start + 1 or "-"),
        "active": str(state.active + 1 or "-"),
        "used": str(state.districts_used or ""),
        "last": str(state.last_placed + 1 or ""),
        "dealt": str(state.dealt or ""),
        "men": ",".join(
            f"{d + 1}:{_dotted(row[: state.seats])}" for d, row in enumerate(state.men) if any(row)
        ),
        "hands": _dotted(state.hand[: state.seats]),
        "points": _dotted(state.points[: state.seats]),
        "controlled": _dotted(state.controlled[: state.seats]),
        "up": ",".join(str(d + 1) for d, up in enumerate(state.turned_up) if up),
        "ending": ENDINGS[state.reason],
        "won": ",".join(str(s + 1) for s in range(state.seats) if state.won >> s & 1),
    }
    return " ".join(f"{key}={value}" for key, value in words.items() if value)


def _dotted(numbers: list[int]) -> str:
    return ".".join(map(str, numbers))


def parse_state(text: str) -> State:
    """Parse a state from one line. Missing values are those of the start of a first turn."""
    words = dict(_word(word) for word in text.split())
    seats = int(words.get("seats", "3"))
    none = _dotted([0] * seats)
    men = _parse_men(words.get("men", ""), seats)
    hands = _parse_seats(words.get("hands", none), seats)
    start = _index(words.get("start", "1"))
    ints = [
        seats,
        words.get("setup") == "only",
        words.get("limit") == "every",
        words.get("control") == "most",
        words.get("final_points") != "no",
        words.get("goal") == "exceed",
        int(words.get("max_rounds", "0")),
        PHASE_NAMES.index(words.get("phase", "place")),
        int(words.get("round", "1")),
        int(words.get("turn", "1")) - 1,
        start,
        _index(words["active"]) if "active" in words else start,
        int(words.get("used", "0")),
        _index(words.get("last", "-")),
        int(words.get("dealt", "0")),
        ENDINGS.index(words.get("ending", "")),
        sum(1 << seat for seat in _parse_set(words.get("won", ""))),
        *hands,
        *_boxes(men, hands, seats),
        *_parse_seats(words.get("points", none), seats),
        *_parse_seats(words.get("controlled", none), seats),
        *(int(d in _parse_set(words.get("up", ""))) for d in range(DISTRICTS)),
        *(number for row in men for number in row),
    ]
    state = State(seats)
    state.load(ints)
    return state


def _word(word: str) -> tuple[str, str]:
    key, equals, value = word.partition("=")
    if not equals:
        raise Refused("vendetta.bad_state", text=word[:40])
    return key, value


def _index(text: str) -> int:
    return -1 if text == "-" else int(text) - 1


def _parse_set(text: str) -> set[int]:
    return {int(number) - 1 for number in text.split(",") if number}


def _parse_seats(text: str, seats: int) -> list[int]:
    numbers = [int(number) for number in text.split(".")]
    if len(numbers) != seats:
        raise Refused("vendetta.bad_state", text=text[:40])
    return numbers + [0] * (5 - seats)


def _parse_men(text: str, seats: int) -> list[list[int]]:
    men = [[0] * 5 for _ in range(DISTRICTS)]
    for word in filter(None, text.split(",")):
        district, _, row = word.partition(":")
        men[int(district) - 1] = _parse_seats(row, seats)
    return men


def _boxes(men: list[list[int]], hands: list[int], seats: int) -> list[int]:
    """V-M3: what is neither in hand nor on the map."""
    boxes = [MAFIOSI - hands[s] - sum(row[s] for row in men) for s in range(seats)]
    if min(boxes) < 0:
        raise Refused("vendetta.too_many_men")
    return boxes + [0] * (5 - seats)
