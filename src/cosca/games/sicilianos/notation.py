"""Moves and states of Sicilianos as one line of text, both ways.

A card is the first letter of its colour and its value: `r7`. A move: `roll`, `r7 20` (to war with
that card and a note of 20,000), `r7` (lay it, take it, hit it), `20`, `red` (draw there, choose
it), `look red`, `from 3` (steal), `laundry`, `defect`, `money`, `business`, or `-` for none.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from cosca.core.errors import Refused
from cosca.core.move import SEVERAL, Move
from cosca.core.names import CHANCE, Action
from cosca.games.sicilianos.actions import to_actions, to_move
from cosca.games.sicilianos.pieces import (
    BOMB_NAMES,
    COLOUR_NAMES,
    COLOURS,
    DEFECTOR_NAMES,
    DRAWN,
    ENDINGS,
    EVENTS,
    FACE_NAMES,
    FEWEST_SEATS,
    KIND_NAMES,
    KINDS,
    MOST_SEATS,
    NOTE_WORTH,
    NOTES,
    PHASE_DICE,
    PHASE_DRAFTED,
    PHASE_DRAW,
    PHASE_LOOK,
    PHASE_NAMES,
    PHASE_OVER,
    PHASE_START,
    PHASE_STOLEN,
    RETURNED,
    SHOWN,
    STOLEN,
    TAKEN,
    VALUES,
)
from cosca.games.sicilianos.rules import State

LETTERS: Final = "rgbypo"
WORDS: Final = (
    *("roll", "with", "look", "steal", "from", "defect", "money", "business", "pass", "and"),
    *(*COLOUR_NAMES, *KIND_NAMES, "r", "g", "b", "y", "p", "o"),
)
"""Words of a typed move that have others in each language; names stand for seats."""
FACES: Final = ("two", "one", "steal")
SAID: Final = {
    "roll": ("roll", "dice", "roll dice"),
    "pass": ("-", "pass", "no", "none", "no more", "keep", "stay", "stay out", "stay loyal"),
    "defect": ("defect", "join", "go over", "yes"),
    "money": ("money", "stakes", "both stakes"),
    "business": ("business", "shop"),
}
KIND_WORDS: Final = {
    **{name: number for number, name in enumerate(KIND_NAMES, start=1)},
    "antique": 3,
}
FILLERS: Final = re.compile(
    r"\b(go|war|card|cards|lay|down|play|draw|take|choose|hit|bomb|and|with|at|to|into|through|the|a|an"
    r"|of|note|stake|stack|buy|for|my|player|open|join|top|shop)\b|<>|→|>|,000\b|(?<=\d)k\b|,|;|\+|&|:"
)


# --- Moves --------------------------------------------------------------------------------------


def format_move(move: Move) -> str:
    """Format a complete move, or a part of one."""
    verb, numbers = move
    if verb in SAID:
        return SAID[verb][0]
    if verb in ("card", "war"):
        return " ".join([LETTERS[numbers[0] - 1] + str(numbers[1]), *map(str, numbers[2:])])
    if verb in ("colour", "look"):
        return "look " * (verb == "look") + COLOUR_NAMES[numbers[0] - 1]
    if verb == "kind":
        return KIND_NAMES[numbers[0] - 1]
    word = {"note": "", "victim": "from "}.get(verb, f"{verb} ")
    return word + " ".join(map(str, numbers))


def parse_move(text: str) -> Move:
    """Parse a move as typed. It need not be legal."""
    said = " ".join(text.lower().split())
    for verb, words in SAID.items():
        if said in words:
            return Move(verb)
    for letter, name in zip(LETTERS, COLOUR_NAMES, strict=True):
        said = re.sub(rf"\b{name}\b", letter, said)
    said = re.sub(r"\b([rgbypo])\s+(?=\d)", r"\1", FILLERS.sub(" ", said))
    move = _read(re.sub(r"\b([rgbypo])\s+(?=\d)", r"\1", said).split())
    if move is None:
        raise Refused("sicilianos.bad_move", text=text.strip()[:40])
    return move


def _read(words: list[str]) -> Move | None:
    """Return the move that these words mean, if any."""
    verb, rest = (words[0], words[1:]) if words else ("", [])
    if verb == SEVERAL and _all(r"\d{1,4}", rest):
        return Move(SEVERAL, tuple(map(int, rest)))
    if verb == "steal":
        verb, rest = (rest[0], rest[1:]) if rest else ("", [])
    if verb == "from" and len(rest) == 1:
        if _all(r"\d{1,4}", rest):
            return Move("victim", (int(rest[0]),))
        return Move("colour", (_letter(rest[0]),)) if _all(r"[rgbypo]", rest) else None
    if verb == "look" and len(rest) == 1 and _all(r"[rgbypo]", rest):
        return Move("look", (_letter(rest[0]),))
    if len(words) == 1 and verb in KIND_WORDS:
        return Move("kind", (KIND_WORDS[verb],))
    if not rest and _all(r"[rgbypo]", [verb]):
        return Move("colour", (_letter(verb),))
    if not rest and _all(r"\d{1,4}", [verb]):
        return Move("note", (int(verb),))
    if _all(r"[rgbypo]\d{1,4}", [verb]):
        if not rest:
            return Move("card", (_letter(verb), int(verb[1:])))
        if len(rest) == 1 and _all(r"\d{1,4}", rest):
            return Move("war", (_letter(verb), int(verb[1:]), int(rest[0])))
    return None


def _all(pattern: str, words: Sequence[str]) -> bool:
    return bool(words) and all(re.fullmatch(pattern, word, re.ASCII) for word in words)


def _letter(word: str) -> int:
    return LETTERS.index(word[0]) + 1


# --- Single actions, also of chance -------------------------------------------------------------

CARDS_SEEN: Final = (PHASE_DRAFTED, PHASE_DRAW, PHASE_STOLEN, PHASE_LOOK)


def format_action(state: State, action: Action) -> str:
    """Format an action: a player's as in a move, one of chance as its word and outcome."""
    if state.actors() != (CHANCE,):
        return format_move(to_move([action]))
    word = PHASE_NAMES[state.phase]
    if state.phase == PHASE_DICE:
        return f"die {(COLOUR_NAMES if state.rolled < 2 else FACES)[action]}"
    if state.phase in CARDS_SEEN:
        return f"{word} {action or '-'}"
    return f"{word} {action + 1}" if state.phase == PHASE_START else word


def parse_action(state: State, text: str) -> Action:
    """Parse an action from a line of a story."""
    if state.actors() != (CHANCE,):
        return to_actions(parse_move(text))[0]
    word, _, what = text.partition(" ")
    try:
        if word != ("die" if state.phase == PHASE_DICE else PHASE_NAMES[state.phase]):
            raise ValueError(text)
        if state.phase == PHASE_DICE:
            return COLOUR_NAMES.index(what) if state.rolled < 2 else FACES.index(what)
        if state.phase in CARDS_SEEN:
            return 0 if what == "-" else int(what)
        return int(what) - 1 if state.phase == PHASE_START else 0
    except ValueError:
        raise Refused("sicilianos.bad_move", text=text[:40]) from None


# --- States -------------------------------------------------------------------------------------

USUAL_NOTES: Final = "2.2.2.2.2"
DEEDS: Final = "dtswr"
"""Letters of the deeds: drawn, taken after a look, stolen, shown in a war, returned."""
DONE: Final = re.compile(r"([dtsw])([1-6])(?:/(\d{1,2}))?:(\d{1,2})|r:(\d{1,2})", re.ASCII)
NUMBER: Final = re.compile(r"-?\d{1,6}", re.ASCII)


def format_state(state: State) -> str:
    """Format the whole state as one line, without default values."""
    seats = range(state.seats)
    words = {
        "seats": str(state.seats),
        "defectors": DEFECTOR_NAMES[state.defectors] if state.defectors else "",
        "bombs": BOMB_NAMES[state.bombs] if state.bombs else "",
        "influence": FACE_NAMES[state.faces] if state.faces else "",
        "hand_limit": _unless(state.hand_limit, 10),
        "phase": PHASE_NAMES[state.phase],
        "turns": _unless(state.turns, 0),
        "active": "" if state.active == 0 else _counted(state.active),
        "mover": "" if state.mover == state.active else _counted(state.mover),
        "ending": ENDINGS[state.reason],
        "won": _unless(state.won, 0),
        "dice": ",".join(
            (FACES if number == 2 else COLOUR_NAMES)[face]
            for number, face in enumerate(state.die[: state.rolled])
        ),
        "queue": ",".join(_colour_name(colour) for colour in _trimmed(state.queue)),
        "queued": _unless(state.queued, len(_trimmed(state.queue))),
        "colour": _colour_name(state.colour, ""),
        "victim": "" if state.victim < 0 else _counted(state.victim),
        "war_pass": _unless(state.war_pass, 0),
        "at": _unless(state.at, 0),
        "winner": "" if state.winner < 0 else _counted(state.winner),
        "prize": _colour_name(state.prize, ""),
        "laundered": _listed(state.laundered[: state.seats], 0),
        "counted": _listed(state.money[: state.seats], 0),
        "family": _signed(state, state.family, -1, LETTERS),
        "stake": _signed(state, state.stake, -1, NOTE_WORTH),
        "passed": _listed(state.passed[: state.seats], 0),
        "joined": _signed(state, state.joined, -1, range(1, MOST_SEATS + 1)),
        "down": _signed(state, state.face_down, 0, range(VALUES + 1)),
        "fresh": _signed(state, state.fresh, 0, range(VALUES + 1)),
        **{f"laid{seat + 1}": ",".join(map(str, _laid(state, seat))) for seat in seats},
        **{f"money{seat + 1}": _format_money(state, seat) for seat in seats},
        **{f"hand{seat + 1}": _format_hand(state, seat) for seat in seats},
    }
    for colour, name in enumerate(COLOUR_NAMES):
        words[name] = _format_stack(state, colour)
        words[f"{name}_shops"] = _format_shops(state, colour)
        words[f"{name}_log"] = ",".join(_format_deed(*deed) for deed in _deeds(state, colour))
        before = state.before[colour * 7 : colour * 7 + 7]
        if before != _usual_before(state, colour):
            words[f"{name}_was"] = ".".join(map(str, before))
    return " ".join(f"{key}={value}" for key, value in words.items() if value)


def _unless(number: int, usual: int) -> str:
    return "" if number == usual else str(number)


def _counted(seat: int) -> str:
    return "-" if seat < 0 else str(seat + 1)


def _colour_name(colour: int, none: str = "-") -> str:
    return none if colour < 0 else COLOUR_NAMES[colour]


def _trimmed(queue: Sequence[int]) -> list[int]:
    """Return the numbers without empty entries at the end."""
    return list(queue[: 2 if queue[1] >= 0 else queue[0] >= 0])


def _listed(numbers: Sequence[int], usual: int) -> str:
    return "" if all(number == usual for number in numbers) else ".".join(map(str, numbers))


def _signed(state: State, numbers: Sequence[int], none: int, signs: Sequence[object]) -> str:
    """Format one entry for each player, `-` for none."""
    had = list(numbers[: state.seats])
    if all(number == none for number in had):
        return ""
    return ".".join("-" if number == none else str(signs[number]) for number in had)


def _laid(state: State, seat: int) -> list[int]:
    return list(state.laid[seat * VALUES : seat * VALUES + state.cards[seat]])


def _format_money(state: State, seat: int) -> str:
    parts = ".".join(map(str, state.notes[seat * NOTES : seat * NOTES + NOTES]))
    return "" if parts == USUAL_NOTES else parts


def _held(state: State, seat: int, colour: int) -> list[int]:
    """Return the values of a colour in a hand."""
    hand = state.hand[seat * COLOURS + colour]
    return [value for value in range(1, VALUES + 1) if hand >> (value - 1) & 1]


def _format_hand(state: State, seat: int) -> str:
    return ",".join(
        f"{letter}{value}"
        for colour, letter in enumerate(LETTERS)
        for value in _held(state, seat, colour)
    )


def _format_stack(state: State, colour: int) -> str:
    """Format the seen cards, with `?` for the others unless those are all on top."""
    stack = list(state.stack[colour * VALUES : colour * VALUES + state.size[colour]])
    known = [value for value in stack if value]
    on_top = stack == [0] * (len(stack) - len(known)) + known
    return ",".join(str(value or "?") for value in (known if on_top else stack))


def _format_shops(state: State, colour: int) -> str:
    """Format kinds and owners of businesses, in the order they were bought."""
    kinds = [kind for kind in state.bought[colour * KINDS : colour * KINDS + KINDS] if kind >= 0]
    return ",".join(
        f"{KIND_NAMES[kind]}/{state.owner[colour * KINDS + kind] + 1}" for kind in kinds
    )


def _deeds(state: State, colour: int) -> list[tuple[int, int, int, int]]:
    """Return the deeds of a colour: what, by whom, from whom or where, and the value."""
    places = range(colour * EVENTS, colour * EVENTS + state.happened[colour])
    deeds, values = state.deed, state.value
    return [(deeds[i] % 8, deeds[i] // 8 % 8, deeds[i] // 64, values[i]) for i in places]


def _format_deed(deed: int, seat: int, other: int, value: int) -> str:
    if deed == RETURNED:
        return f"r:{value}"
    where = f"/{other + 1}" if deed in (TAKEN, STOLEN) else ""
    return f"{DEEDS[deed]}{seat + 1}{where}:{value}"


def _usual_before(state: State, colour: int) -> list[int]:
    """Return the number of cards in each place before the deeds, counted back from now."""
    before = [0] * 7
    for seat in range(state.seats):
        before[seat] = len(_held(state, seat, colour))
        before[seat] += state.family[seat] == colour and state.face_down[seat] > 0
    before[MOST_SEATS] = state.size[colour]
    for deed, seat, other, _ in _deeds(state, colour):
        if deed in (DRAWN, TAKEN):
            before[MOST_SEATS] += 1
            before[seat] -= 1
        elif deed == STOLEN:
            before[other] += 1
            before[seat] -= 1
        elif deed == SHOWN:
            before[seat] += 1
        else:
            before[MOST_SEATS] -= 1
    return before


# --- Parsing states -----------------------------------------------------------------------------


def parse_state(text: str) -> State:
    """Parse a state from one line. Missing values mean a new turn with all cards unseen."""
    try:
        words: dict[str, str] = {}
        for word in text.split():
            key, value = word.split("=", 1)
            if key in words:
                raise ValueError(key)
            words[key] = value
        state = _parse_numbers(words)
        _parse_seats(state, words)
        _parse_war(state, words)
        _parse_stacks(state, words)
        _parse_shops(state, words)
        _parse_records(state, words)
        if words:
            raise ValueError(next(iter(words)))
        state.load(state.ints())
        return state
    except (ValueError, IndexError, KeyError, OverflowError):
        raise Refused("sicilianos.bad_state", text=text[:60]) from None


def _number(text: str, least: int, most: int) -> int:
    if not NUMBER.fullmatch(text) or not least <= int(text) <= most:
        raise ValueError(text)
    return int(text)


def _parse_numbers(words: dict[str, str]) -> State:
    """Parse the options and the progress of the game."""
    state = State(
        _number(words.pop("seats", "3"), FEWEST_SEATS, MOST_SEATS),
        DEFECTOR_NAMES.index(words.pop("defectors", DEFECTOR_NAMES[0])),
        BOMB_NAMES.index(words.pop("bombs", BOMB_NAMES[0])),
        FACE_NAMES.index(words.pop("influence", FACE_NAMES[0])),
        _number(words.pop("hand_limit", "10"), 1, 66),
    )
    state.phase = PHASE_NAMES.index(words.pop("phase", "turn"))
    state.turns = _number(words.pop("turns", "0"), 0, 999_999)
    state.active = _seat(state, words.pop("active", "1"))
    state.mover = _seat(state, words.pop("mover", _counted(state.active)))
    if state.phase not in (PHASE_START, PHASE_OVER) and min(state.active, state.mover) < 0:
        raise ValueError("nobody moves")
    state.reason = ENDINGS.index(words.pop("ending", ""))
    state.won = _number(words.pop("won", "0"), 0, (1 << state.seats) - 1)
    dice = _split(words.pop("dice", ""))
    state.rolled = len(dice)
    faces = [
        (FACES if number == 2 else COLOUR_NAMES).index(face) for number, face in enumerate(dice)
    ]
    state.die = _filled(faces, 3, -1)
    queue = [_colour(name) for name in _split(words.pop("queue", ""))]
    state.queue = _filled(queue, 2, -1)
    state.queued = _number(words.pop("queued", str(len(queue))), 0, 2)
    state.colour = _colour(words.pop("colour", "-"))
    state.victim = _seat(state, words.pop("victim", "-"))
    state.war_pass = _number(words.pop("war_pass", "0"), 0, 99)
    state.at = _number(words.pop("at", "0"), -1, MOST_SEATS)
    state.winner = _seat(state, words.pop("winner", "-"))
    state.prize = _colour(words.pop("prize", "-"))
    return state


def _seat(state: State, text: str) -> int:
    return -1 if text == "-" else _number(text, 1, state.seats) - 1


def _split(text: str) -> list[str]:
    return text.split(",") if text else []


def _filled(numbers: Iterable[int], count: int, usual: int) -> list[int]:
    """Return `count` numbers, padded with the default."""
    parts = list(numbers)
    if len(parts) > count:
        raise ValueError("too many")
    return parts + [usual] * (count - len(parts))


def _colour(name: str) -> int:
    if name == "-":
        return -1
    return LETTERS.index(name) if len(name) == 1 else COLOUR_NAMES.index(name)


def _numbers(state: State, text: str, least: int) -> list[int]:
    """Parse a number for each player; `-` and missing ones are 0."""
    parts = text.split(".") if text else ["-"] * state.seats
    if len(parts) != state.seats:
        raise ValueError(text)
    numbers = [0 if one == "-" else _number(one, least, 999_999) for one in parts]
    return _filled(numbers, MOST_SEATS, 0)


def _signs(state: State, text: str, signs: Sequence[object]) -> list[int]:
    """Parse a sign for each player as its index; `-` and missing ones are -1."""
    parts = text.split(".") if text else ["-"] * state.seats
    if len(parts) != state.seats:
        raise ValueError(text)
    names = [str(sign) for sign in signs]
    return _filled((-1 if one == "-" else names.index(one) for one in parts), MOST_SEATS, -1)


def _parse_seats(state: State, words: dict[str, str]) -> None:
    """Parse the money and cards of each player."""
    state.laundered = _numbers(state, words.pop("laundered", ""), 0)
    state.money = _numbers(state, words.pop("counted", ""), -999_999)
    notes: list[int] = []
    hands: list[int] = []
    for seat in range(state.seats):
        parts = words.pop(f"money{seat + 1}", USUAL_NOTES).split(".")
        if len(parts) != NOTES:
            raise ValueError(f"money{seat + 1}")
        notes += [_number(one, 0, 99) for one in parts]
        hand = [0] * COLOURS
        for card in _split(words.pop(f"hand{seat + 1}", "")):
            for value in _range(card[1:]):
                _add(hand, LETTERS.index(card[0]), value)
        hands += hand
    state.notes = _filled(notes, MOST_SEATS * NOTES, 0)
    state.hand = _filled(hands, MOST_SEATS * COLOURS, 0)


def _range(text: str) -> range:
    """Parse a value or a range of values: `2-5`."""
    first, _, last = text.partition("-")
    return range(_number(first, 1, VALUES), _number(last or first, 1, VALUES) + 1)


def _add(masks: list[int], colour: int, value: int) -> None:
    """Add a card to a bit mask; refuse one that is already there."""
    if masks[colour] >> (value - 1) & 1:
        raise ValueError(f"{LETTERS[colour]}{value}")
    masks[colour] += 1 << (value - 1)


def _parse_war(state: State, words: dict[str, str]) -> None:
    """Parse the war on the table."""
    state.family = _signs(state, words.pop("family", ""), LETTERS)
    state.stake = _signs(state, words.pop("stake", ""), NOTE_WORTH)
    state.passed = _numbers(state, words.pop("passed", ""), 0)
    state.joined = _signs(state, words.pop("joined", ""), range(1, state.seats + 1))
    joined_by = [-1] * MOST_SEATS
    for seat, other in enumerate(state.joined):
        if other >= 0:
            joined_by[other] = seat
    state.joined_by = joined_by
    state.face_down = _numbers(state, words.pop("down", ""), 1)
    state.fresh = _numbers(state, words.pop("fresh", ""), 1)
    cards: list[int] = []
    laid: list[int] = []
    for seat in range(state.seats):
        values = [_number(one, 1, VALUES) for one in _split(words.pop(f"laid{seat + 1}", ""))]
        cards.append(len(values))
        laid += _filled(values, VALUES, 0)
    state.cards = _filled(cards, MOST_SEATS, 0)
    state.laid = _filled(laid, MOST_SEATS * VALUES, 0)


def _parse_stacks(state: State, words: dict[str, str]) -> None:
    """Parse the stacks: all cards that are nowhere else, unseen by default."""
    elsewhere = _elsewhere(state)
    pools: list[int] = []
    sizes: list[int] = []
    stacks: list[int] = []
    for colour, name in enumerate(COLOUR_NAMES):
        parts = _split(words.pop(name, ""))
        stack = [0 if one == "?" else _number(one, 1, VALUES) for one in parts]
        for value in filter(None, stack):
            _add(elsewhere, colour, value)
        pool = (1 << VALUES) - 1 - elsewhere[colour]
        unseen = pool.bit_count()
        if 0 in stack and stack.count(0) != unseen:
            raise ValueError(name)
        if 0 not in stack:
            stack = [0] * unseen + stack
        pools.append(pool)
        sizes.append(len(stack))
        stacks += _filled(stack, VALUES, 0)
    state.pool = pools
    state.size = sizes
    state.stack = stacks


def _elsewhere(state: State) -> list[int]:
    """Return for each colour the values in hands and on the table."""
    masks = [0] * COLOURS
    for seat in range(state.seats):
        for colour in range(COLOURS):
            for value in _held(state, seat, colour):
                _add(masks, colour, value)
        down = [state.face_down[seat]] if state.face_down[seat] else []
        for value in (*_laid(state, seat), *down):
            if state.family[seat] < 0:
                raise ValueError("family")
            _add(masks, state.family[seat], value)
    return masks


def _parse_shops(state: State, words: dict[str, str]) -> None:
    """Parse the owners of businesses, in the order they were bought."""
    owners: list[int] = []
    bought: list[int] = []
    for name in COLOUR_NAMES:
        owner = [-1] * KINDS
        kinds: list[int] = []
        for shop in _split(words.pop(f"{name}_shops", "")):
            kind, _, seat = shop.partition("/")
            kinds.append(KIND_NAMES.index(kind))
            if owner[kinds[-1]] >= 0:
                raise ValueError(shop)
            owner[kinds[-1]] = _number(seat, 1, state.seats) - 1
        owners += owner
        bought += _filled(kinds, KINDS, -1)
    state.owner = owners
    state.bought = bought


def _parse_records(state: State, words: dict[str, str]) -> None:
    """Parse the records of each colour, and the numbers of cards before them."""
    happened: list[int] = []
    deeds: list[int] = []
    values: list[int] = []
    for name in COLOUR_NAMES:
        parts = [_parse_deed(state, deed) for deed in _split(words.pop(f"{name}_log", ""))]
        happened.append(len(parts))
        deeds += _filled((deed for deed, _ in parts), EVENTS, 0)
        values += _filled((value for _, value in parts), EVENTS, 0)
    state.happened = happened
    state.deed = deeds
    state.value = values
    before: list[int] = []
    for colour, name in enumerate(COLOUR_NAMES):
        was = words.pop(f"{name}_was", "")
        row = [_number(one, -99, 99) for one in was.split(".")] if was else []
        if was and len(row) != MOST_SEATS + 1:
            raise ValueError(was)
        before += row or _usual_before(state, colour)
    state.before = before


def _parse_deed(state: State, text: str) -> tuple[int, int]:
    """Parse a deed as the two numbers of a record."""
    match = DONE.fullmatch(text)
    if not match:
        raise ValueError(text)
    letter, seat, other, value, returned = match.groups()
    if returned:
        return RETURNED, _number(returned, 1, VALUES)
    deed = DEEDS.index(letter)
    if (deed in (TAKEN, STOLEN)) != bool(other):
        raise ValueError(text)
    most = state.seats if deed == STOLEN else VALUES
    where = _number(other, 1, most) - 1 if other else 0
    by = _number(seat, 1, state.seats) - 1
    return deed + 8 * by + 64 * where, _number(value, 1, VALUES)
