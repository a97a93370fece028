"""A referee for the stacks, hands and wars of Sicilianos, written from docs/records.md alone.

It imports nothing of Cosca: it stacks and lays the cards as the facts of a finished record say,
and says what does not follow or is against the rules.
"""

import json
from typing import Any

VALUES, COLOURS = 11, 6
BOMB, AS_DEFECTOR = 5, 4
SPOKEN = (
    *("starts", "drafts", "rolls", "die", "rolled", "in_vain", "chooses", "draws", "looks"),
    *("takes", "wants", "turns_to", "steals", "joins", "lays", "stakes", "stays_out"),
    *("lays_no_more", "stays", "keeps_bomb", "laundered", "takes_money", "takes_shop", "left"),
    *("takes_business", "shows", "three_kinds", "most_of_kind", "scored"),
    *("won_by_businesses", "won_by_money", "shared_by_money"),
)
"""Facts that move no card, or whose card is in a fact of its own."""


class Foul(Exception):
    """A fact that does not follow, or is against the rules."""


def demand(holds: bool, rule: str) -> None:
    """Stop the game if a rule is broken."""
    if not holds:
        raise Foul(rule)


class Referee:
    """Stacks, hands and the cards of a war; checks every fact."""

    def __init__(self, header: dict[str, Any]) -> None:
        self.seats: int = header["seats"]
        self.stacks: list[list[int | None]] = [[None] * VALUES for _ in range(COLOURS)]
        self.hands: list[set[int]] = [set() for _ in range(self.seats)]
        self.end_war()

    def end_war(self) -> None:
        self.opener = -1
        self.family: dict[int, int] = {}
        self.face_down: dict[int, int] = {}
        self.table: list[list[int]] = [[] for _ in range(self.seats)]
        self.joined: dict[int, int] = {}

    def see(self, facts: list[dict[str, Any]], unspoken: list[dict[str, Any]]) -> None:
        """Follow the facts of one step, and compare what it says besides."""
        self.fought: list[dict[str, Any]] = []
        self.returned: list[dict[str, Any]] = []
        for fact in facts:
            params = {key: value for key, value in fact.items() if key not in ("fact", "for")}
            if fact["fact"] not in SPOKEN:
                getattr(self, fact["fact"])(**params)
        self.returned.sort(key=lambda fact: (fact["card"] // VALUES, fact["place"]))
        demand(unspoken == [*self.fought, *self.returned], "S-13, S-16, S-21: it went otherwise")

    # --- Stacks and hands -------------------------------------------------------------------------

    def drew(self, seat: int, card: int) -> None:
        top = self.stacks[card // VALUES].pop(0)
        demand(top is None or top == card, "S-3: another card lay on top")
        self.hold(seat, card)

    drafted = drew

    def hold(self, seat: int, card: int) -> None:
        held = any(card in hand for hand in self.hands)
        demand(not held and all(card not in row for row in self.table), "S-M1: it is elsewhere")
        self.hands[seat].add(card)

    def lies(self, place: int, card: int) -> None:
        stack = self.stacks[card // VALUES]
        demand(stack[place - 1] is None and card not in stack, "S-4")
        stack[place - 1] = card

    def saw(self, seat: int, place: int, card: int) -> None:
        demand(self.stacks[card // VALUES][place - 1] == card, "S-4: another card lies there")

    def took(self, seat: int, card: int) -> None:
        demand(card in self.stacks[card // VALUES], "S-4: it is not there")
        self.stacks[card // VALUES].remove(card)
        self.hold(seat, card)

    def stolen(self, seat: int, other: int, card: int) -> None:
        demand(card in self.hands[other], "S-5")
        self.hands[other].remove(card)
        self.hold(seat, card)

    def put_under(self, card: int) -> None:
        """S-13, S-21: face down under the stack of its colour."""
        stack = self.stacks[card // VALUES]
        stack.append(card)
        self.returned.append({"fact": "returned", "card": card, "place": len(stack)})

    # --- War --------------------------------------------------------------------------------------

    def opens(self, seat: int, colour: int) -> None:
        demand(self.opener < 0, "S-6")
        self.opener = seat

    def laid(self, seat: int, card: int) -> None:
        demand(card in self.hands[seat], "S-6, S-7, S-14: it is not in hand")
        demand(self.family.setdefault(seat, card // VALUES) == card // VALUES, "S-14")
        self.hands[seat].remove(card)
        self.face_down[seat] = card

    def turned_up(self, seat: int, card: int) -> None:
        demand(self.face_down.pop(seat, -1) == card, "S-8: another card was laid")
        self.table[seat].append(card)

    def defects(self, seat: int, other: int) -> None:
        free = other not in self.joined and other not in self.joined.values()
        demand(free and seat not in self.joined.values(), "S-9")
        self.joined[seat] = other

    def bomb(self, seat: int, other: int, card: int) -> None:
        own = self.family[seat] * VALUES + BOMB - 1
        demand(own in self.table[seat] and card in self.table[other], "S-11")
        self.table[seat].remove(own)
        self.table[other].remove(card)
        self.put_under(own)
        self.put_under(card)

    def players(self) -> list[int]:
        """Those in the war, the opener first."""
        order = [(self.opener + n) % self.seats for n in range(self.seats)]
        return [seat for seat in order if seat in self.family]

    def strength(self, seat: int) -> int:
        """S-8, S-9, S-16: the sum of a family's cards, and 4 for an ally who still has any."""
        if seat in self.joined:
            return 0
        allies = [ally for ally, head in self.joined.items() if head == seat and self.table[ally]]
        return sum(card % VALUES + 1 for card in self.table[seat]) + AS_DEFECTOR * len(allies)

    def head(self) -> int:
        """S-16: the highest strength that one side alone has."""
        strengths = {seat: self.strength(seat) for seat in self.family}
        values = list(strengths.values())
        alone = [seat for seat, n in strengths.items() if n and values.count(n) == 1]
        return max(alone, key=lambda seat: strengths[seat], default=-1)

    def check_strengths(self) -> None:
        for seat in self.players():
            params = {"seat": seat, "colour": self.family[seat], "strength": self.strength(seat)}
            self.fought.append({"fact": "fought", **params})

    def wins(self, seat: int, colour: int, strength: int) -> None:
        demand(seat == self.head() and self.family[seat] == colour, "S-16")
        demand(strength == self.strength(seat), "S-16")
        self.check_strengths()

    def wins_for(self, seat: int, other: int, colour: int, strength: int) -> None:
        demand(self.joined.get(seat) == other and not self.table[other], "S-20")
        self.wins(other, colour, strength)

    def win_together(self, seat: int, other: int, colour: int, strength: int) -> None:
        demand(self.joined.get(other) == seat and bool(self.table[other]), "S-19")
        self.wins(seat, colour, strength)

    def nobody_wins(self) -> None:
        demand(self.head() < 0, "S-16")
        self.check_strengths()
        self.no_business()

    def no_business(self, colour: int = -1) -> None:
        """S-21: the war is over, and all cards go under their stacks."""
        for seat in self.players():
            for card in self.table[seat]:
                self.put_under(card)
        self.end_war()

    def bought(self, seat: int, colour: int, kind: int) -> None:
        self.no_business(colour)


def referee(text: str) -> None:
    """Follow a whole record; raises Foul at the first thing that is against the rules."""
    header, *steps, _ = [json.loads(line) for line in text.split("\n")[:-1]]
    watching = Referee(header)
    for step in steps:
        watching.see(step["facts"], step.get("unspoken", []))
