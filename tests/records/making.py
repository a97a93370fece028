"""Records to test with: short random games, as varied as possible."""

import io
import json
import random
from collections.abc import Mapping, Sequence
from typing import Any

from cosca.bots.roster import find_bot
from cosca.catalog import find
from cosca.core.dice import Dice
from cosca.core.game import Game
from cosca.core.names import CHANCE_BIT
from cosca.core.options import Settings
from cosca.core.playout import random_actor
from cosca.match.record import Contribution, Scribe, canonical_json, chain_link
from cosca.match.sealed import CONTRIBUTION_BYTES, SEED_BYTES, SealedDice, commit, dealing_key
from cosca.match.verification import InvalidRecord, UnreadableRecord, read_record, verify

VENDETTA = find("vendetta")
NAMES = (
    *("Rosa", "Don Ciccio", "il “Dottore”", "Ó Briain", "日本", "🂡 and 🂮", "\ufb00\U00010000"),
    *(
        '"quoted"',
        "back\\slash",
        "two\nlines",
        "\t\r\b\f",
        "\x00\x1f\x7f",
        "\u2028\u2029",
        "</script>",
    ),
    *("", "__proto__", "e\u0301 and \u00e9"),
)
"""Names of players and tables, including all that could be encoded in more than one way."""


def record_of(
    game: Game[Any, Any],
    settings: Settings,
    dice: SealedDice,
    players: Sequence[str],
    minds: Dice,
    contributions: Sequence[Contribution] = (),
) -> str:
    """Return the record of a random game; all players are bots unless given otherwise."""
    given = contributions or [Contribution("bot")] * len(players)
    scribe = Scribe(game, settings, len(players), dice, players, given)
    bot = find_bot(game, "random")
    lines = [scribe.header]
    while acting := scribe.state.acting():
        if acting == CHANCE_BIT:
            lines.append(scribe.write_chance())
        else:
            seat = random_actor(acting, minds)
            action = bot(game.position(scribe.state, seat), minds)
            lines.append(scribe.write(seat, action))
    return "\n".join([*lines, scribe.write_end(), ""])


def honest(number: int, rounds: int = 1, format: int = 2) -> str:
    """Return the record with that number: always the same, and unlike the others."""
    chosen = random.Random(number)
    seats = chosen.choice(VENDETTA.seats)
    options = {"max_rounds": str(rounds), "trustee": str(chosen.randrange(seats + 1))}
    options["hands"] = chosen.choice(["open", "hidden"])
    settings = VENDETTA.settings(chosen.choice(["", *VENDETTA.editions]), options)
    adding = [seat for seat in range(seats) if chosen.random() < 0.5]
    added = {seat: chosen.randbytes(CONTRIBUTION_BYTES) for seat in adding}
    table = f"{chosen.choice(NAMES)} {number}"
    dice = SealedDice(table, chosen.randbytes(SEED_BYTES), added, format=format)
    players = chosen.choices(NAMES, k=seats)
    given = [contribution(dice, seat, chosen) for seat in range(seats)]
    return record_of(VENDETTA, settings, dice, players, Dice(number), given)


def contribution(dice: SealedDice, seat: int, chosen: random.Random) -> Contribution:
    """Return the contribution of a seat, or a reason why there is none."""
    revealed = dice.contributions.get(seat)
    bound = commit(dice.table, dice.seal, seat, revealed or chosen.randbytes(CONTRIBUTION_BYTES))
    if revealed:
        return Contribution("revealed", bound, revealed)
    others = Contribution("withheld", bound), Contribution("silent"), Contribution("bot")
    return chosen.choice(others)


def dealt_by(game: Game[Any, Any], kinds: str) -> str:
    """Return a record whose seats revealed, withheld, were silent or bots, by initials."""
    added = {seat: bytes([seat] * 16) for seat, kind in enumerate(kinds) if kind == "r"}
    dice = SealedDice("example", bytes(32), added)
    given = [_given(dice, seat, kind) for seat, kind in enumerate(kinds)]
    players = ["Rosa", "Ugo", "Pia", "Leo"][: len(kinds)]
    return record_of(
        game, game.settings("", game.random_play_options), dice, players, Dice(1), given
    )


def _given(dice: SealedDice, seat: int, kind: str) -> Contribution:
    bound = commit(dice.table, dice.seal, seat, dice.contributions.get(seat, bytes(16)))
    if kind == "r":
        return Contribution("revealed", bound, dice.contributions[seat])
    if kind == "w":
        return Contribution("withheld", bound)
    return Contribution("silent") if kind == "s" else Contribution("bot")


def is_good(text: str | bytes) -> bool:
    """Return whether `cosca verify` accepts a record."""
    raw = text.encode() if isinstance(text, str) else text
    try:
        verify(read_record(io.BytesIO(raw)))
    except (InvalidRecord, UnreadableRecord):
        return False
    return True


# --- Taken apart and put together again ----------------------------------------------------------

Line = dict[str, Any]


def lines_of(text: str) -> list[Line]:
    """Return the contents of the lines of a record."""
    return [json.loads(line) for line in text.split("\n")[:-1]]


def text_of(lines: Sequence[Mapping[str, Any]]) -> str:
    """Return lines in canonical form, keeping their chain."""
    return "\n".join([*map(canonical_json, lines), ""])


def key_of(lines: Sequence[Mapping[str, Any]]) -> bytes:
    """Return the key of all draws of a record."""
    header, seed = lines[0], bytes.fromhex(lines[-1]["seed"])
    if header["format"] == 1:
        added = dict(header["entropy"])
    else:
        added = {seat: given.get("bytes") for seat, given in enumerate(header["contributions"])}
    revealed = {int(seat): bytes.fromhex(given) for seat, given in added.items() if given}
    return dealing_key(header["table"], seed, revealed, header["format"])


def chained(lines: Sequence[Mapping[str, Any]]) -> str:
    """Return lines in canonical form, with a consistent chain."""
    key = key_of(lines)
    chain = ""
    done: list[Line] = []
    for line in lines:
        bare = {part: value for part, value in line.items() if part != "chain"}
        chain = chain_link(chain, bare, key, lines[0]["format"])
        done.append({**bare, "chain": chain})
    return text_of(done)
