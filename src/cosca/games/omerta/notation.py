"""Moves and states of Omerta as one line of text, both ways.

Players go by the first letter of their gangster: c, l, h, t, m. A card of a row is its place, `3`;
of another player's row `h3`. A move: `omerta`, `draw`, `take`, `discard`, `3` (replace it, lay it
down, look at it), `3 5` (the driver's two), `c2<>h3` (the henchman), `3<>safe 2`, `on h` (lady,
mamma), `give h t` (the traitor), `watch h3` (the patrol), `peek 1 3`, or `-` for none.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Final

from cosca.core.errors import Refused
from cosca.core.move import SEVERAL, Move
from cosca.core.names import Action
from cosca.games.omerta.actions import to_actions, to_move
from cosca.games.omerta.pieces import (
    DECK_NAMES,
    DECKS,
    ENDINGS,
    GONE,
    KIND_NAMES,
    KINDS,
    MAMMA,
    NEXT,
    ON_TABLE,
    PASS,
    PATROL,
    PHASE_DEAL,
    PHASE_DRAW,
    PHASE_GIFT,
    PHASE_NAMES,
    PHASE_PENALTY,
    PHASE_SETTLE,
    PHASE_SHUFFLE,
    PHASE_START,
    PILES,
    PUBLIC,
    SAFE,
    TRACKS,
    WINDOW_NAMES,
)
from cosca.games.omerta.rules import State

WORDS: Final = (
    *("omerta", "draw", "take", "discard", "look", "pass", "peek", "swap", "with", "watch"),
    *("give", "on", "safe", "for", "and", "card"),
)
"""Words of a typed move that have others in each language."""
LETTERS: Final = "clhtm"
NAMES: Final = ("capone", "luciano", "hill", "torrio", "moran")
SAID: Final = {
    "call": ("omerta", "call"),
    "draw": ("draw",),
    "take": ("take",),
    "discard": ("discard", "away"),
    "look": ("look", "open", "look into the safe", "open the safe"),
    "pass": ("-", "pass", "no", "none"),
}
FILLERS: Final = re.compile(
    r"\b(card|cards|snap|lay|down|replace|place|and|with|for|at|to|into|by|the|both|swap|show)\b"
    r"|<>|→|>|,|;|\+|&"
)
CARD: Final = re.compile(r"([clhtm])\s*(\d{1,4})")


# --- Moves --------------------------------------------------------------------------------------


def format_move(move: Move) -> str:
    """Format a complete move, or a part of one."""
    verb, numbers = move
    if verb in SAID:
        return SAID[verb][0]
    if verb == "swap" and len(numbers) == 4:
        return "<>".join(_cards(numbers))
    if verb in ("swap", "watch"):
        return f"{verb} " + " ".join(_cards(numbers))
    if verb == "exchange":
        return f"{numbers[0]}<>safe {numbers[1]}"
    if verb in ("target", "give"):
        word = "on" if verb == "target" else verb
        return f"{word} " + " ".join(LETTERS[number - 1] for number in numbers)
    word = {"card": "", "into": "safe "}.get(verb, f"{verb} ")
    return word + " ".join(map(str, numbers))


def _cards(numbers: Sequence[int]) -> Iterator[str]:
    """Yield each card as owner and place, `h3`; in an incomplete move `h` alone."""
    for at in range(0, len(numbers), 2):
        yield LETTERS[numbers[at] - 1] + "".join(map(str, numbers[at + 1 : at + 2]))


def parse_move(text: str) -> Move:
    """Parse a move as typed. It need not be legal."""
    said = text.strip().lower()
    for verb, words in SAID.items():
        if said in words:
            return Move(verb)
    for letter, name in zip(LETTERS, NAMES, strict=True):
        said = re.sub(rf"\b{name}\b", letter, said)
    swaps = "swap" in said.split()
    said = CARD.sub(r" \1\2 ", FILLERS.sub(" ", said))
    move = _read(said.split(), swaps)
    if move is None:
        raise Refused("omerta.bad_move", text=text.strip()[:40])
    return move


def _read(words: list[str], swaps: bool) -> Move | None:
    """Return the move that these words mean, if any."""
    verb, rest = (words[0], words[1:]) if words else ("", [])
    if verb == "peek" and _all(r"\d{1,4}", rest):
        return Move("peek", _numbers(rest))
    if verb == SEVERAL and _all(r"\d{1,4}", rest):
        return Move(SEVERAL, _numbers(rest))
    if verb == "safe" and len(rest) == 1 and _all(r"\d{1,4}", rest):
        return Move("into", _numbers(rest))
    if verb in ("watch", "patrol") and rest and _all(r"[clhtm]\d*", rest):
        return Move("watch", _places(rest))
    if verb == "give" and _all(r"[clhtm]", rest) and len(rest) in (1, 2):
        return Move("give", tuple(sorted(_places(rest * 2 if len(rest) == 1 else rest))))
    if verb in ("on", "lady", "mamma") and len(rest) == 1 and _all(r"[clhtm]", rest):
        return Move("target", _places(rest))
    if len(words) == 3 and words[1] == "safe" and _all(r"\d{1,4}", words[::2]):
        return Move("exchange", _numbers(words[::2]))
    if _all(r"[clhtm]\d*", words) and (swaps or len(words) == 2):
        return Move("swap", _places(words))
    if len(words) == 1 and _all(r"[clhtm]", words):
        return Move("target", _places(words))
    if _all(r"\d{1,4}", words) and len(words) in (1, 2):
        return Move("card", _numbers(words))
    return None


def _all(pattern: str, words: Sequence[str]) -> bool:
    return bool(words) and all(re.fullmatch(pattern, word, re.ASCII) for word in words)


def _numbers(words: Sequence[str]) -> tuple[int, ...]:
    return tuple(int(word) for word in words)


def _places(words: Sequence[str]) -> tuple[int, ...]:
    """Return `h3 t` as numbers: owner and place of each card."""
    return tuple(
        number
        for word in words
        for number in (LETTERS.index(word[0]) + 1, *([int(word[1:])] if word[1:] else []))
    )


# --- Single actions, also of chance -------------------------------------------------------------

CARDS_DRAWN: Final = (PHASE_DEAL, PHASE_DRAW, PHASE_PENALTY, PHASE_GIFT)


def format_action(state: State, action: Action) -> str:
    """Format an action: a player's as in a move, one of chance as its word and outcome."""
    if state.actors() and state.actors()[0] >= 0:
        return format_move(to_move([action]))
    word = PHASE_NAMES[state.phase]
    if state.phase in CARDS_DRAWN:
        return f"{word} {KIND_NAMES[action]}"
    if state.phase == PHASE_SETTLE:
        return f"{word} -" if action == NEXT else f"{word} {LETTERS[action]}"
    if state.phase == PHASE_START:
        return f"{word} {LETTERS[action]}"
    return f"{word} {action + 1}" if state.phase == PHASE_SHUFFLE else word


def parse_action(state: State, text: str) -> Action:
    """Parse an action from a line of a story."""
    if state.actors() and state.actors()[0] >= 0:
        return to_actions(parse_move(text))[0]
    word, _, what = text.partition(" ")
    try:
        if word != PHASE_NAMES[state.phase]:
            raise ValueError(text)
        if state.phase in CARDS_DRAWN:
            return KIND_NAMES.index(what)
        if state.phase in (PHASE_SETTLE, PHASE_START):
            return NEXT if what == "-" else LETTERS.index(what) if what else -1
        return int(what) - 1 if state.phase == PHASE_SHUFFLE else 0
    except ValueError:
        raise Refused("omerta.bad_move", text=text[:40]) from None


# --- States -------------------------------------------------------------------------------------

NUMBERS: Final = {  # the key of each number, and its default
    "games": 0,
    "sealed": 0,
    "snap_each": 0,
    "must_use": 0,
    "first_up": 0,
    "first_call": 1,
    "max_rounds": 0,
    "game": 1,
    "turns": 0,
    "dealt": 0,
    "step": 0,
    "showing": 0,
    "taken": 0,
    "asked": 0,
    "answered": 0,
    "reached": 0,
    "settled": 0,
    "won": 0,
    "gen": 0,
    "shuffle": 0,
    "shuffles": 0,
}
FIELDS: Final = "svtoig"
"""Fields of a card: seen by, visible to, since when, origin, into, draw pile."""


def format_state(state: State) -> str:
    """Format the whole state as one line."""
    seats = range(state.seats)
    numbers = {
        "games": 0 if state.games == state.seats else state.games,
        "sealed": int(state.sealed),
        "snap_each": int(state.snap_each),
        "must_use": int(state.must_use),
        "first_up": int(state.first_up),
        "first_call": state.first_call,
        "max_rounds": state.max_rounds,
        "game": state.game,
        "turns": state.turns,
        "dealt": state.dealt,
        "step": state.step,
        "showing": int(state.showing),
        "taken": int(state.from_discards),
        "asked": state.asked,
        "answered": state.answered,
        "reached": state.reached,
        "settled": state.settled,
        "won": state.won,
        "gen": state.gen,
        "shuffle": state.shuffle,
        "shuffles": state.shuffles,
    }
    words = {
        "seats": str(state.seats),
        "copies": DECK_NAMES[state.deck] if state.deck else "",
        "phase": PHASE_NAMES[state.phase],
        "start": _who(state.start),
        "active": _who(state.active),
        "caller": _who(state.caller),
        "receiver": _who(state.receiver),
        "ending": ENDINGS[state.reason],
        "window": WINDOW_NAMES[state.window],
        **{key: str(n) for key, n in numbers.items() if n != NUMBERS[key]},
        "totals": _listed(state.totals[: state.seats], 0),
        "scores": _listed(state.scores[: state.seats], 0),
        "mamma": _listed(state.mamma[: state.seats], -1),
        "answer": _listed(state.answer[: state.seats], PASS),
        "order": _listed(state.order[: state.seats], -1),
        "named": _listed(state.named, -1),
        **_format_cards(state),
        "discards": ",".join(KIND_NAMES[kind] for kind in state.discards[: state.discarded]),
    }
    usual = _usual_piles(state)
    piles = (list(state.pile), list(state.pools))
    words |= {
        key: "" if parts == meant else ".".join(map(str, parts))
        for key, parts, meant in zip(("pile", "pools"), piles, usual, strict=True)
    }
    words |= {f"row{seat + 1}": words[f"row{seat + 1}"] for seat in seats}
    return " ".join(f"{key}={value}" for key, value in words.items() if value)


def _who(seat: int) -> str:
    return LETTERS[seat] if seat >= 0 else ""


def _listed(numbers: Sequence[int], usual: int) -> str:
    return "" if all(number == usual for number in numbers) else ".".join(map(str, numbers))


def _format_cards(state: State) -> dict[str, str]:
    """Format the rows, the safe, the card in hand, and the cards before shuffles."""
    groups = _groups(state)
    count = 0
    words = {}
    for key, tracks in groups.items():
        parts = []
        for track in tracks:
            parts.append(_format_track(state, track, count) if track >= 0 else "-")
            count += track >= 0
        words[key] = ",".join(parts)
    return words


def _groups(state: State) -> dict[str, list[int]]:
    """Return all tracks in use, by their place."""
    rows = {f"row{seat + 1}": state.row[seat][: state.length[seat]] for seat in range(state.seats)}
    safe = list(state.safe) if any(track >= 0 for track in state.safe) else []
    held = [state.held] if state.held >= 0 else []
    gone = [track for track in range(TRACKS) if state.place[track] == GONE]
    return {**rows, "safe": safe, "held": held, "gone": gone}


def _format_track(state: State, track: int, usual: int) -> str:
    """Format a card: its kind, then what is known of it, without default values."""
    known = (
        state.seen[track],
        state.shown[track],
        state.since[track],
        state.origin[track],
        state.into[track],
        state.pile_of[track],
    )
    parts = [f"{letter}{number}" for letter, number in zip(FIELDS, known, strict=True) if number]
    if state.watcher[track] >= 0:
        parts.append(f"w{state.watcher[track] + 1}/{state.watches[track]}")
    if track != usual:
        parts.append(f"@{track}")
    return ":".join([KIND_NAMES[state.kind[track]], *parts])


def _usual_piles(state: State) -> tuple[list[int], list[int]]:
    """Return the default draw pile, and the part of it that is not public."""
    pile = list(DECKS[state.deck])
    pools = [0] * KINDS * PILES
    on_table = [track for key, group in _groups(state).items() if key != "gone" for track in group]
    for track in on_table:
        if track >= 0:
            pile[state.kind[track]] -= 1
            pools[state.kind[track]] += not state.seen[track] & PUBLIC
    for kind in state.discards[: state.discarded]:
        pile[kind] -= 1
    pile[MAMMA] -= sum(seat >= 0 for seat in state.mamma[: state.seats])
    pile[PATROL] -= sum(state.patrols[: state.seats])
    for kind in range(KINDS):
        pools[kind] += pile[kind]
    return pile, pools


def parse_state(text: str) -> State:
    """Parse a state from one line. Missing values are those of the start of a first turn."""
    try:
        return _parse_state(dict(word.split("=", 1) for word in text.split()))
    except (ValueError, IndexError, KeyError):
        raise Refused("omerta.bad_state", text=text[:60]) from None


def _parse_state(words: dict[str, str]) -> State:
    seats = int(words.pop("seats", "3"))
    state = State(seats, DECK_NAMES.index(words.pop("copies", DECK_NAMES[0])))
    numbers = {key: int(words.pop(key, str(usual))) for key, usual in NUMBERS.items()}
    state.games = numbers["games"] or seats
    state.sealed = bool(numbers["sealed"])
    state.snap_each = bool(numbers["snap_each"])
    state.must_use = bool(numbers["must_use"])
    state.first_up = bool(numbers["first_up"])
    state.first_call = numbers["first_call"]
    state.max_rounds = numbers["max_rounds"]
    state.phase = PHASE_NAMES.index(words.pop("phase", "turn"))
    state.game = numbers["game"]
    state.turns = numbers["turns"]
    state.start = _seat(words.pop("start", "c" if state.game else ""))
    state.active = _seat(words.pop("active", "c" if state.game else ""))
    state.dealt = numbers["dealt"]
    state.caller = _seat(words.pop("caller", ""))
    state.receiver = _seat(words.pop("receiver", ""))
    state.reason = ENDINGS.index(words.pop("ending", ""))
    state.won = numbers["won"]
    state.step = numbers["step"]
    state.from_discards = bool(numbers["taken"])
    state.window = WINDOW_NAMES.index(words.pop("window", ""))
    state.asked = numbers["asked"]
    state.answered = numbers["answered"]
    state.reached = numbers["reached"]
    state.settled = numbers["settled"]
    state.gen = numbers["gen"]
    state.shuffle = numbers["shuffle"]
    state.shuffles = numbers["shuffles"]
    five = [0] * (5 - seats)
    state.totals = _numbered(words.pop("totals", ""), seats, 0) + five
    state.scores = _numbered(words.pop("scores", ""), seats, 0) + five
    state.mamma = _numbered(words.pop("mamma", ""), seats, -1) + [-1] * len(five)
    state.answer = _numbered(words.pop("answer", ""), seats, PASS) + five
    state.order = _numbered(words.pop("order", ""), seats, -1) + [-1] * len(five)
    state.named = _numbered(words.pop("named", ""), 4, -1)
    return _parse_cards(state, words, bool(numbers["showing"]))


def _seat(letter: str) -> int:
    return LETTERS.index(letter) if letter else -1


def _numbered(text: str, count: int, usual: int) -> list[int]:
    numbers = [int(number) for number in text.split(".")] if text else [usual] * count
    if len(numbers) != count:
        raise ValueError(text)
    return numbers


def _parse_cards(state: State, words: dict[str, str], showing: bool) -> State:
    """Parse rows, safe and other cards; then the piles, which hold the rest by default."""
    keys = [f"row{seat + 1}" for seat in range(state.seats)]
    tracks: dict[str, list[list[int]]] = {}
    count = 0
    for key in (*keys, "safe", "held", "gone"):
        tracks[key] = []
        for card in filter(None, words.pop(key, "").split(",")):
            if card != "-":
                tracks[key].append(_parse_track(card, count, GONE if key == "gone" else ON_TABLE))
                count += 1
    discards = [KIND_NAMES.index(name) for name in words.pop("discards", "").split(",") if name]
    safe = [track[0] for track in tracks["safe"]]
    state.held = tracks["held"][0][0] if tracks["held"] else -1
    state.discarded = len(discards)
    state.showing = showing
    parts = {key: words.pop(key, "") for key in ("pile", "pools")}
    if words:
        raise Refused("omerta.bad_state", text=next(iter(words))[:60])
    start = state.ints()[:32]
    state.load(
        [
            *start,
            *(n for seat in range(state.seats) for n in _parsed_seat(state, seat, tracks)),
            *state.named,
            *(*safe, *[-1] * (SAFE - len(safe))),
            *discards,
            *[0] * KINDS * (1 + PILES),
            *(n for track in sorted(chain(*tracks.values())) for n in track),
        ]
    )
    pile, pools = _usual_piles(state)
    state.pile = _numbered(parts["pile"], KINDS, 0) if parts["pile"] else pile
    state.pools = _numbered(parts["pools"], KINDS * PILES, 0) if parts["pools"] else pools
    if min(state.pile) < 0:
        raise Refused("omerta.too_many_cards")
    state.load(state.ints())
    return state


def _parsed_seat(state: State, seat: int, tracks: dict[str, list[list[int]]]) -> list[int]:
    row = [track[0] for track in tracks[f"row{seat + 1}"]]
    return [
        state.totals[seat],
        state.scores[seat],
        state.mamma[seat],
        state.answer[seat],
        state.order[seat],
        len(row),
        *row,
    ]


def _parse_track(text: str, usual: int, place: int) -> list[int]:
    """Parse a card and what is known of it, as integers of a state."""
    name, *parts = text.split(":")
    known = dict.fromkeys(FIELDS, 0)
    track, watcher, watches = usual, -1, 0
    for word in parts:
        if word[0] == "@":
            track = int(word[1:])
        elif word[0] == "w":
            watcher, watches = (int(number) for number in word[1:].split("/"))
            watcher -= 1
        else:
            known[word[0]] = int(word[1:])
    seen, shown, since, origin, into, pile = known.values()
    kind = KIND_NAMES.index(name)
    return [track, kind, place, seen, shown, since, origin, into, pile, watcher, watches]
