"""The record of a game: JSON lines that anyone can verify.

The format is specified in `docs/records.md`. A scribe writes the lines one after another; to verify
a record, a scribe writes it again and the lines are compared.
"""

import hashlib
import hmac
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from cosca.core.events import Event
from cosca.core.game import Game
from cosca.core.names import CHANCE, Action, Seat, pick
from cosca.core.options import Settings
from cosca.match.sealed import SealedDice, pack

BY_CHANCE: Final = "chance"

RecordLine = dict[str, Any]


def canonical_json(value: object) -> str:
    """Return JSON in the one form used in records: sorted keys, no spaces."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Contribution:
    """What one seat contributed to the sealed dice, or why it contributed nothing."""

    kind: Literal["revealed", "withheld", "silent", "bot"]
    commitment: str = ""
    """The hash published first; for `revealed` and `withheld` only."""
    random_bytes: bytes = b""
    """The bytes revealed after all commitments were known; for `revealed` only."""

    def to_json(self) -> dict[str, str]:
        """Return the contribution as the header of a record has it."""
        content = {"is": str(self.kind)}
        if self.kind in ("revealed", "withheld"):
            content["commitment"] = self.commitment
        if self.kind == "revealed":
            content["bytes"] = self.random_bytes.hex()
        return content


def revealed_bytes(contributions: Sequence[Contribution]) -> dict[Seat, bytes]:
    """Return the bytes that go into the sealed dice, by seat."""
    return {
        seat: contribution.random_bytes
        for seat, contribution in enumerate(contributions)
        if contribution.kind == "revealed"
    }


def deal_fields(dice: SealedDice, contributions: Sequence[Contribution]) -> RecordLine:
    """Return what the header says about the dice, in their format."""
    if dice.format == 1:
        added = {str(seat): dice.contributions[seat].hex() for seat in sorted(dice.contributions)}
        return {"commitment": dice.seal, "entropy": added}
    if revealed_bytes(contributions) != dice.contributions:
        raise ValueError("the dice were not made from these contributions")
    content = [contribution.to_json() for contribution in contributions]
    return {"seal": dice.seal, "contributions": content}


class Scribe:
    """Writes the record of one game, step by step. Its lines hold secrets until the game is over.

    It needs the `settings`, the number of `seats`, the sealed `dice`, the names of the `players`,
    and what each seat contributed to the deal (`contributions`).
    The format of the record is that of the dice. Format 1 has no contributions other than those in
    the dice.
    """

    def __init__(
        self,
        game: Game[Any, Any],
        settings: Settings,
        seats: int,
        dice: SealedDice,
        players: Sequence[str],
        contributions: Sequence[Contribution] = (),
    ) -> None:
        self.game = game
        self.dice = dice
        self.state = game.new(settings, seats)
        self.steps = 0
        """The number of steps written."""
        self.chain = ""
        """The newest link of the chain."""
        self.header = self._chained(
            {
                "cosca": "record",
                "format": dice.format,
                "game": game.name,
                "rules": game.version,
                "edition": game.edition_of(settings),
                "options": game.list_settings(settings, dice.format),
                "seats": seats,
                "players": list(players),
                "table": dice.table,
                **deal_fields(dice, contributions),
            }
        )

    def write(self, seat: Seat, action: Action) -> str:
        """Return the line for one action of a seat. Does not check that it is legal."""
        return self._step(seat, action, {})

    def write_chance(self) -> str:
        """Return the line for the next step of chance, which the sealed dice decide."""
        outcomes = self.state.chance_outcomes()
        index = self.dice.draws
        purpose = self.game.chance_purpose(self.state)
        roll = self.dice.draw(purpose, sum(weight for _, weight in outcomes))
        among = [[self.game.format_action(self.state, action), n] for action, n in outcomes]
        draw = {"purpose": purpose, "index": index, "among": among, "rolled": roll}
        return self._step(CHANCE, pick(outcomes, roll), {"draw": draw})

    def write_all(self, log: Sequence[tuple[Seat, Action]]) -> str:
        """Return the complete record of a finished game, before anything else was written."""
        lines = [self.header]
        for seat, action in log:
            lines.append(self.write_chance() if seat == CHANCE else self.write(seat, action))
        return "\n".join([*lines, self.write_end(), ""])

    def write_end(self) -> str:
        """Return the last line: the winners, the reason and the seed."""
        winners = [seat for seat in range(self.state.seats) if self.state.winners() >> seat & 1]
        reason = self.game.endings[self.state.ending()]
        result = {"reason": reason, "winners": winners}
        return self._chained({"result": result, "seed": self.dice.seed.hex()})

    def _step(self, seat: Seat, action: Action, more: RecordLine) -> str:
        self.steps += 1
        line = {
            "step": self.steps,
            "by": BY_CHANCE if seat == CHANCE else seat,
            "does": self.game.format_action(self.state, action),
            **self._facts(seat, action),
            **more,
        }
        self.state.apply(seat, action)
        return self._chained(line)

    def _facts(self, seat: Seat, action: Action) -> RecordLine:
        """Return the facts of a step, with the unspoken ones, which format 1 leaves out."""
        if self.dice.format == 1:
            return {"facts": list(map(_fact, self.game.format_1_events(self.state, seat, action)))}
        facts = list(map(_fact, self.game.events(self.state, seat, action)))
        unspoken = list(map(_fact, self.game.unspoken_events(self.state, seat, action)))
        return {"facts": facts, "unspoken": unspoken} if unspoken else {"facts": facts}

    def _chained(self, line: RecordLine) -> str:
        """Return a line with its link of the chain, which depends on all lines before it."""
        self.chain = chain_link(self.chain, line, self.dice.key, self.dice.format)
        return canonical_json({**line, "chain": self.chain})


def _fact(event: Event) -> RecordLine:
    """Return an event as a fact of the record, with its audience unless it is public."""
    audience = {} if event.audience is None else {"for": sorted(event.audience)}
    return {"fact": event.key.partition(".")[2], **event.params, **audience}


def chain_link(before: str, line: Mapping[str, Any], key: bytes, format: int) -> str:
    """Return the link of the chain for a line without one, given the link before it."""
    public = canonical_json(public_content(line, key, format))
    return hashlib.sha256(pack(f"cosca/chain/{format}", before, public)).hexdigest()


def public_content(line: Mapping[str, Any], key: bytes, format: int) -> RecordLine:
    """Return the part of a line that everybody may know while the game goes on.

    The secret part enters the chain as a keyed hash, which binds the house without revealing
    anything. A plain hash of one card among a few could be guessed at once. In format 2, whose
    links are published during the game, every draw is secret too: the weights of its outcomes show
    which cards have left the deck, and so what others hold.
    """
    secret = [fact for fact in line.get("facts", ()) if "for" in fact]
    if not secret and (format == 1 or "draw" not in line):
        return dict(line)
    hidden = {"does": line["does"], "draw": line.get("draw"), "facts": secret}
    packed = pack(f"cosca/blind/{format}", str(line["step"]), canonical_json(hidden))
    return {
        "step": line["step"],
        "by": line["by"],
        "facts": [fact for fact in line["facts"] if "for" not in fact],
        **({"unspoken": line["unspoken"]} if "unspoken" in line else {}),
        "secret": hmac.new(key, packed, "sha256").hexdigest(),
    }
