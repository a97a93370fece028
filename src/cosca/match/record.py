"""The record of a game: facts at the table, line by line, that anybody can check.

The format is told in full in `docs/records.md`. A scribe writes the lines one after another; to
check a record is to let a scribe write it again and to compare.
"""

import hashlib
import hmac
import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from cosca.core.events import Event
from cosca.core.game import Game
from cosca.core.names import CHANCE, Action, Seat, pick
from cosca.core.options import Settings
from cosca.match.chance import purpose
from cosca.match.sealed import SealedDice, pack

FORMAT: Final = 1
BY_CHANCE: Final = "chance"

Line = dict[str, Any]


def canonical(value: object) -> str:
    """Plain JSON in the one way it is written in a record: keys in order, no spaces."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


class Scribe:
    """Writes the record of one game, step by step. Knows the truth: its lines are for the end."""

    def __init__(
        self,
        game: Game[Any, Any],
        settings: Settings,
        seats: int,
        dice: SealedDice,
        players: Sequence[str],
    ) -> None:
        self.game = game
        self.dice = dice
        self.state = game.new(settings, seats)
        self.steps = 0
        self.chain = ""
        self.header = self._chained(
            {
                "cosca": "record",
                "format": FORMAT,
                "game": game.name,
                "rules": game.version,
                "edition": game.edition_of(settings),
                "options": dict(settings),
                "seats": seats,
                "players": list(players),
                "table": dice.table,
                "commitment": dice.commitment,
                "entropy": {str(seat): dice.entropy[seat].hex() for seat in sorted(dice.entropy)},
            }
        )

    def write(self, seat: Seat, action: Action) -> str:
        """The line for one step of a seat. Trusts that it is legal."""
        return self._step(seat, action, {})

    def write_chance(self) -> str:
        """The line for the next step of chance, which the sealed dice decide."""
        outcomes = self.state.chance()
        index = self.dice.draws
        purposed = purpose(self.game, self.state)
        roll = self.dice.draw(purposed, sum(weight for _, weight in outcomes))
        among = [[self.game.format_action(self.state, action), n] for action, n in outcomes]
        draw = {"purpose": purposed, "index": index, "among": among, "rolled": roll}
        return self._step(CHANCE, pick(outcomes, roll), {"draw": draw})

    def whole(self, log: Sequence[tuple[Seat, Action]]) -> str:
        """The whole record of a finished game, of which nothing was written yet."""
        lines = [self.header]
        for seat, action in log:
            lines.append(self.write_chance() if seat == CHANCE else self.write(seat, action))
        return "\n".join([*lines, self.end(), ""])

    def end(self) -> str:
        """The last line: who has won and why, and the seed."""
        winners = [seat for seat in range(self.state.seats) if self.state.winners() >> seat & 1]
        reason = self.game.endings[self.state.ending()]
        result = {"reason": reason, "winners": winners}
        return self._chained({"result": result, "seed": self.dice.seed.hex()})

    def _step(self, seat: Seat, action: Action, more: Line) -> str:
        self.steps += 1
        line = {
            "step": self.steps,
            "by": BY_CHANCE if seat == CHANCE else seat,
            "does": self.game.format_action(self.state, action),
            "facts": [_fact(event) for event in self.game.events(self.state, seat, action)],
            **more,
        }
        self.state.apply(seat, action)
        return self._chained(line)

    def _chained(self, line: Line) -> str:
        """A line with its link of the chain, which hangs on all lines before it."""
        public = canonical(public_part(line, self.dice.key))
        self.chain = hashlib.sha256(pack("cosca/chain/1", self.chain, public)).hexdigest()
        return canonical({**line, "chain": self.chain})


def _fact(event: Event) -> Line:
    """What happened, in the words of the rules; with whom may know, if not everybody."""
    audience = {} if event.audience is None else {"for": sorted(event.audience)}
    return {"fact": event.key.partition(".")[2], **event.params, **audience}


def public_part(line: Mapping[str, Any], key: bytes) -> Line:
    """What of a line everybody may know while the game goes on.

    What is secret goes into the chain as a keyed hash, which binds the house and tells nothing. A
    plain hash of one card among a few would be guessed at once.
    """
    secret = [fact for fact in line.get("facts", ()) if "for" in fact]
    if not secret:
        return dict(line)
    hidden = {"does": line["does"], "draw": line.get("draw"), "facts": secret}
    blind = hmac.new(key, pack("cosca/blind/1", str(line["step"]), canonical(hidden)), "sha256")
    return {
        "step": line["step"],
        "by": line["by"],
        "facts": [fact for fact in line["facts"] if "for" not in fact],
        "secret": blind.hexdigest(),
    }
