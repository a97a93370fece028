"""Ways to tamper with a record. Each is given the honest text and something to choose by."""

import itertools
import json
import random
import re
from collections.abc import Callable
from typing import Final

from cosca.match.sealed import commit, draw_number, seal
from tests.records.making import Line, chained, honest, key_of, lines_of, text_of

Tampering = Callable[[str, random.Random], str]


# --- What seal, chain and draws give away --------------------------------------------------------


def _other_digit(match: str, chosen: random.Random) -> str:
    """A hex text with one digit changed."""
    at = chosen.randrange(len(match))
    other = chosen.choice([digit for digit in "0123456789abcdef" if digit != match[at]])
    return match[:at] + other + match[at + 1 :]


def any_character_changed(text: str, chosen: random.Random) -> str:
    """One character becomes another."""
    at = chosen.randrange(len(text))
    other = chosen.choice([char for char in 'aAz019 "\\{[,:\n\x00é🂡' if char != text[at]])
    return text[:at] + other + text[at + 1 :]


def any_character_left_out(text: str, chosen: random.Random) -> str:
    """One character is gone."""
    at = chosen.randrange(len(text))
    return text[:at] + text[at + 1 :]


def any_digit_changed(text: str, chosen: random.Random) -> str:
    """One digit of a number becomes another, so that it still is a number."""
    found = chosen.choice(list(re.finditer(r":([1-9])[,}]", text)))
    other = chosen.choice([digit for digit in "123456789" if digit != found[1]])
    return text[: found.start(1)] + other + text[found.end(1) :]


def fact_changed(text: str, chosen: random.Random) -> str:
    """A number in a fact is one more."""
    lines = lines_of(text)
    fact = chosen.choice([fact for line in lines for fact in line.get("facts", ())])
    key = chosen.choice([key for key in fact if key != "fact"])
    fact[key] += 1
    return text_of(lines)


def fact_left_out(text: str, chosen: random.Random) -> str:
    """A fact is left out."""
    lines = lines_of(text)
    facts = chosen.choice([line["facts"] for line in lines if line.get("facts")])
    facts.pop(chosen.randrange(len(facts)))
    return text_of(lines)


def fact_made_secret(text: str, chosen: random.Random) -> str:
    """A fact is marked as known to some seats only."""
    lines = lines_of(text)
    fact = chosen.choice([fact for line in lines for fact in line.get("facts", ())])
    fact["for"] = [0]
    return text_of(lines)


def link_changed(text: str, chosen: random.Random) -> str:
    """One digit of one link is another."""
    lines = lines_of(text)
    line = chosen.choice(lines)
    line["chain"] = _other_digit(line["chain"], chosen)
    return text_of(lines)


def seal_changed(text: str, chosen: random.Random) -> str:
    """Something else was promised."""
    lines = lines_of(text)
    key = _seal_key(lines)
    lines[0][key] = _other_digit(lines[0][key], chosen)
    return text_of(lines)


def _seal_key(lines: list[Line]) -> str:
    """The key under which the header has its seal."""
    return "commitment" if lines[0]["format"] == 1 else "seal"


def seed_changed(text: str, chosen: random.Random) -> str:
    """Something else is revealed."""
    lines = lines_of(text)
    lines[-1]["seed"] = _other_digit(lines[-1]["seed"], chosen)
    return text_of(lines)


def contribution_changed(text: str, chosen: random.Random) -> str:
    """Somebody added something else, or something at all."""
    lines = lines_of(text)
    seat = chosen.randrange(lines[0]["seats"])
    if lines[0]["format"] == 1:
        entropy = lines[0]["entropy"]
        entropy[str(seat)] = _other_digit(entropy.get(str(seat), "0" * 32), chosen)
    else:
        given = lines[0]["contributions"][seat]
        changed = _other_digit(given.get("bytes", "0" * 32), chosen)
        given |= {"is": "revealed", "bytes": changed}
        given.setdefault("commitment", "0" * 64)
    return text_of(lines)


def name_changed(text: str, chosen: random.Random) -> str:
    """Somebody else sat there."""
    lines = lines_of(text)
    lines[0]["players"][chosen.randrange(lines[0]["seats"])] += "!"
    return text_of(lines)


def header_changed(text: str, chosen: random.Random) -> str:
    """Something else was agreed."""
    lines = lines_of(text)
    key = chosen.choice(["edition", "game", "table", "rules", "seats", "options", "extra"])
    values = {"rules": 2, "seats": 6, "options": {}}
    lines[0][key] = values.get(key, f"another {key}")
    return text_of(lines)


def result_changed(text: str, chosen: random.Random) -> str:
    """Somebody else has won, or for another reason."""
    lines = lines_of(text)
    result = lines[-1]["result"]
    if chosen.random() < 0.5:
        result["reason"] = "districts" if result["reason"] != "districts" else "points"
    else:
        result["winners"] = [(result["winners"][0] + 1) % lines[0]["seats"]]
    return text_of(lines)


def decision_changed(text: str, chosen: random.Random) -> str:
    """A player did something else."""
    lines = lines_of(text)
    line = chosen.choice([line for line in lines if isinstance(line.get("by"), int)])
    line["does"] = "1>13" if line["does"] != "1>13" else "-"
    return text_of(lines)


def lines_swapped(text: str, chosen: random.Random) -> str:
    """Two neighbours change places."""
    lines = text.split("\n")[:-1]
    at = chosen.randrange(len(lines) - 1)
    lines[at : at + 2] = [lines[at + 1], lines[at]]
    return "\n".join([*lines, ""])


def line_dropped(text: str, chosen: random.Random) -> str:
    """A line is gone."""
    lines = text.split("\n")[:-1]
    lines.pop(chosen.randrange(len(lines)))
    return "\n".join([*lines, ""])


def line_doubled(text: str, chosen: random.Random) -> str:
    """A line stands there twice."""
    lines = text.split("\n")[:-1]
    at = chosen.randrange(len(lines))
    return "\n".join([*lines[: at + 1], *lines[at:], ""])


def end_cut_off(text: str, chosen: random.Random) -> str:
    """The file stops somewhere."""
    return text[: chosen.randrange(len(text))]


def end_of_another_record(text: str, chosen: random.Random) -> str:
    """It ends as another game did."""
    other = honest(10_000 + chosen.randrange(10)).split("\n")
    return "\n".join([*text.split("\n")[:-2], *other[-2:]])


def written_otherwise(text: str, chosen: random.Random) -> str:
    """The same said in other characters."""
    lines = text.split("\n")[:-1]
    at = chosen.randrange(len(lines))
    line = lines[at]
    chain = '"chain":'
    ways = [
        line.replace(":", ": ", 1),
        line + " ",
        line + "\r",
        line.replace("chain", "\\u0063hain", 1),
        re.sub(r":(\d+)([,}\]])", r":\1.0\2", line) if ":1," in line else f" {line}",
        line.replace(chain, f'{chain}"",{chain}', 1),
        json.dumps(dict(reversed(json.loads(line).items())), separators=(",", ":")),
        json.dumps(json.loads(line)),
    ]
    lines[at] = chosen.choice(ways)
    return "\n".join([*lines, ""])


# --- With the chain made right: only seal and draws give it away ---------------------------------


def _a_draw(lines: list[Line], chosen: random.Random) -> Line:
    """A step of chance that could have come out otherwise."""
    steps = [line for line in lines if "draw" in line and len(line["draw"]["among"]) > 1]
    return chosen.choice(steps)


def another_card_drawn(text: str, chosen: random.Random) -> str:
    """The record claims another result of the dice."""
    lines = lines_of(text)
    line = _a_draw(lines, chosen)
    among = line["draw"]["among"]
    line["draw"]["rolled"] = (line["draw"]["rolled"] + 1) % len(among)
    line["does"] = among[line["draw"]["rolled"]][0]
    return chained(lines)


def another_card_taken(text: str, chosen: random.Random) -> str:
    """Something else happens than the dice said."""
    lines = lines_of(text)
    line = _a_draw(lines, chosen)
    outcomes = [outcome for outcome, _ in line["draw"]["among"]]
    line["does"] = chosen.choice([other for other in outcomes if other != line["does"]])
    return chained(lines)


def outcomes_in_another_order(text: str, chosen: random.Random) -> str:
    """What the dice showed is made to mean something else."""
    lines = lines_of(text)
    line = _a_draw(lines, chosen)
    among = line["draw"]["among"]
    among.append(among.pop(line["draw"]["rolled"]))
    if among[line["draw"]["rolled"]][0] == line["does"]:
        among.insert(0, among.pop())
    return chained(lines)


def draw_changed(text: str, chosen: random.Random) -> str:
    """A draw is of another number, for another purpose, or among more."""
    lines = lines_of(text)
    draw = _a_draw(lines, chosen)["draw"]
    key = chosen.choice(["index", "purpose", "rolled", "weight", "weightless", "extra"])
    if key == "weight":
        chosen.choice(draw["among"])[1] += 1_000_003
    elif key == "weightless":
        draw["among"].append([draw["among"][0][0], 0])
    elif key == "purpose":
        draw[key] = _purpose_that_rolls(lines, draw, as_told=False)
    else:
        draw[key] = draw.get(key, 0) + 1
    return chained(lines)


def _purpose_that_rolls(lines: list[Line], draw: Line, *, as_told: bool) -> str:
    """Another purpose for which the sealed dice show what the draw says, or something else."""
    key, among = key_of(lines), sum(weight for _, weight in draw["among"])
    format = lines[0]["format"]
    purposes = (f"lot{number}" for number in itertools.count())
    return next(
        purpose
        for purpose in purposes
        if (draw_number(key, purpose, draw["index"], among, format) == draw["rolled"]) == as_told
    )


def another_seed(text: str, chosen: random.Random) -> str:
    """As if another seed had been promised."""
    lines = lines_of(text)
    lines[-1]["seed"] = chosen.randbytes(32).hex()
    if chosen.random() < 0.8:
        _seal_again(lines)
    return chained(lines)


def _seal_again(lines: list[Line]) -> None:
    """Make the seal fit the seed and the table, and each commitment what was revealed."""
    header, seed = lines[0], bytes.fromhex(lines[-1]["seed"])
    header[_seal_key(lines)] = seal(header["table"], seed, header["format"])
    for seat, given in enumerate(header.get("contributions", ())):
        if given["is"] == "revealed":
            added = bytes.fromhex(given["bytes"])
            given["commitment"] = commit(header["table"], header["seal"], seat, added)


def another_table(text: str, chosen: random.Random) -> str:
    """The game of one table as that of another."""
    lines = lines_of(text)
    lines[0]["table"] += "?"
    if chosen.random() < 0.5:
        _seal_again(lines)
    return chained(lines)


def other_contribution(text: str, chosen: random.Random) -> str:
    """As if somebody had committed to something else, and added it."""
    lines = lines_of(text)
    added = chosen.randbytes(16).hex()
    if lines[0]["format"] == 1:
        lines[0]["entropy"]["0"] = added
    else:
        lines[0]["contributions"][0] = {"is": "revealed", "bytes": added}
        _seal_again(lines)
    return chained(lines)


def draw_left_out(text: str, chosen: random.Random) -> str:
    """A draw that was not liked is gone, and the steps are numbered anew. Not the last draw."""
    lines = lines_of(text)
    lines.pop(chosen.choice([at for at, line in enumerate(lines) if "draw" in line][:-1]))
    for number, line in enumerate(lines[1:-1], start=1):
        line["step"] = number
    return chained(lines)


def step_of_another_number(text: str, chosen: random.Random) -> str:
    """Steps are not numbered one by one."""
    lines = lines_of(text)
    chosen.choice(lines[1:-1])["step"] += chosen.choice([-1, 1])
    return chained(lines)


CAUGHT_BY_BOTH: Final[tuple[Tampering, ...]] = (
    *(any_character_changed, any_character_left_out, any_digit_changed, fact_changed),
    *(fact_left_out, fact_made_secret, link_changed, seal_changed, seed_changed),
    *(contribution_changed, name_changed, header_changed, result_changed, decision_changed),
    *(lines_swapped, line_dropped, line_doubled, end_cut_off, end_of_another_record),
    *(written_otherwise, another_card_drawn, another_card_taken, outcomes_in_another_order),
    *(draw_changed, another_seed, another_table, other_contribution, draw_left_out),
    step_of_another_number,
)


# --- What was contributed, in format 2, with the chain made right ---------------------------------


def _a_contribution(lines: list[Line], chosen: random.Random) -> Line:
    """One of those that were revealed."""
    given: Line = chosen.choice(
        [given for given in lines[0]["contributions"] if given["is"] == "revealed"]
    )
    return given


def bytes_not_committed_to(text: str, chosen: random.Random) -> str:
    """Somebody reveals other bytes than those committed to."""
    lines = lines_of(text)
    _a_contribution(lines, chosen)["bytes"] = chosen.randbytes(16).hex()
    return chained(lines)


def commitment_that_does_not_fit(text: str, chosen: random.Random) -> str:
    """One digit of a commitment is another, and the bytes are as they were."""
    lines = lines_of(text)
    given = _a_contribution(lines, chosen)
    given["commitment"] = _other_digit(given["commitment"], chosen)
    return chained(lines)


def contribution_dropped(text: str, chosen: random.Random) -> str:
    """The record claims that a contributor was silent, or withheld."""
    lines = lines_of(text)
    given = _a_contribution(lines, chosen)
    del given["bytes"]
    given["is"] = chosen.choice(["withheld", "silent", "bot"])
    if given["is"] != "withheld":
        del given["commitment"]
    return chained(lines)


def contribution_of_another_seat(text: str, chosen: random.Random) -> str:
    """The contributions of two seats change places."""
    lines = lines_of(text)
    contributions = lines[0]["contributions"]
    seat = contributions.index(_a_contribution(lines, chosen))
    other = (seat + chosen.randrange(1, len(contributions))) % len(contributions)
    contributions[seat], contributions[other] = contributions[other], contributions[seat]
    return chained(lines)


def contribution_of_another_kind(text: str, chosen: random.Random) -> str:
    """A contribution that has more or less than its kind has."""
    lines = lines_of(text)
    given = _a_contribution(lines, chosen)
    ways: list[Line] = [
        {"is": "withheld"},
        {"is": "revealed"},
        {"is": "ghost"},
        {"is": "bot", "commitment": given["commitment"]},
        {**given, "is": "withheld"},
        {**given, "bytes": given["bytes"].upper()},
    ]
    contributions = lines[0]["contributions"]
    contributions[contributions.index(given)] = chosen.choice([way for way in ways if way != given])
    return chained(lines)


def contribution_too_few(text: str, chosen: random.Random) -> str:
    """There is one for each seat but one."""
    lines = lines_of(text)
    lines[0]["contributions"].pop()
    return chained(lines)


CAUGHT_BY_BOTH_IN_FORMAT_2: Final[tuple[Tampering, ...]] = (
    *(bytes_not_committed_to, commitment_that_does_not_fit, contribution_dropped),
    *(contribution_of_another_seat, contribution_of_another_kind, contribution_too_few),
)


# --- What only the rules give away ---------------------------------------------------------------


def fact_rewritten(text: str, chosen: random.Random) -> str:
    """A fact is changed, and the chain after it."""
    return chained(lines_of(fact_changed(text, chosen)))


def fact_forgotten(text: str, chosen: random.Random) -> str:
    """A fact is left out, and the chain made anew."""
    return chained(lines_of(fact_left_out(text, chosen)))


def fact_hidden(text: str, chosen: random.Random) -> str:
    """A fact for everybody is made one for some."""
    return chained(lines_of(fact_made_secret(text, chosen)))


def decision_rewritten(text: str, chosen: random.Random) -> str:
    """A decision is changed, and the chain after it."""
    return chained(lines_of(decision_changed(text, chosen)))


def decision_forgotten(text: str, chosen: random.Random) -> str:
    """The end of a turn is left out, and the steps are numbered anew."""
    lines = lines_of(text)
    turns = [(at, line["by"]) for at, line in enumerate(lines) if isinstance(line.get("by"), int)]
    lines.pop(chosen.choice([at for at, seat in turns if lines[at + 1].get("by") != seat]))
    for number, line in enumerate(lines[1:-1], start=1):
        line["step"] = number
    return chained(lines)


def result_rewritten(text: str, chosen: random.Random) -> str:
    """The result is changed, and the last link."""
    return chained(lines_of(result_changed(text, chosen)))


def outcome_withheld(text: str, chosen: random.Random) -> str:
    """A card is kept out of the draw, and the draw made as the sealed dice then say."""
    lines = lines_of(text)
    line = _a_draw(lines, chosen)
    draw = line["draw"]
    draw["among"].pop(chosen.randrange(len(draw["among"])))
    draw["rolled"] = draw_number(key_of(lines), draw["purpose"], draw["index"], len(draw["among"]))
    line["does"] = draw["among"][draw["rolled"]][0]
    return chained(lines)


def draw_for_another_purpose(text: str, chosen: random.Random) -> str:
    """A draw is made for a purpose for which the dice show what is wanted."""
    lines = lines_of(text)
    draw = _a_draw(lines, chosen)["draw"]
    draw["purpose"] = _purpose_that_rolls(lines, draw, as_told=True)
    return chained(lines)


def other_options(text: str, chosen: random.Random) -> str:
    """As if other rules had been agreed on."""
    lines = lines_of(text)
    options = lines[0]["options"]
    options["control"] = "most" if options["control"] == "alone" else "alone"
    return chained(lines)


CAUGHT_BY_RULES: Final[tuple[Tampering, ...]] = (
    *(fact_rewritten, fact_forgotten, fact_hidden, decision_rewritten, decision_forgotten),
    *(result_rewritten, outcome_withheld, draw_for_another_purpose, other_options),
)
