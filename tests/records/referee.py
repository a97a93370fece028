"""A referee for records of Vendetta, written from docs/records.md and the rulebook alone.

It imports nothing of Cosca and rolls no dice: it follows the facts with counters of its own, and
says what is against the rules.
"""

import json
from typing import Any

POINTS = [0, 1, 5, 20, 75, 250, 800, 1000]
TO_WIN = {3: (6, 800), 4: (5, 250), 5: (4, 75)}


class Foul(Exception):
    """A fact that is against the rules."""


def demand(holds: bool, rule: str) -> None:
    """Stop the game if a rule is broken."""
    if not holds:
        raise Foul(rule)


class Referee:
    """Counters on a map; checks every fact."""

    def __init__(self, header: dict[str, Any]) -> None:
        self.options = header["options"]
        self.seats: int = header["seats"]
        self.men = [[0] * self.seats for _ in range(14)]  # districts count from 1
        self.hand = [10] * self.seats
        self.points = [0] * self.seats
        self.up: set[int] = set()
        self.round = self.turn = 0
        self.start = self.options["trustee"] - 1
        self.active = -1
        self.dealt: list[tuple[int, int]] = []
        self.placed: list[int] = []
        self.due: list[dict[str, Any]] = []
        self.round_ended: list[dict[str, Any]] = []
        self.over = False
        self.reason = ""
        self.winners: list[int] = []

    def count(self, unspoken: list[dict[str, Any]]) -> None:
        """Compare what a step says besides with what the counters say, after each round."""
        expected = self.round_ended
        self.round_ended = []
        demand(unspoken == expected, "V-15, V-20: hands, boxes or districts are others")

    def box(self, seat: int) -> int:
        """V-M3: what is neither in hand nor on the map."""
        return 50 - self.hand[seat] - sum(row[seat] for row in self.men)

    def see(self, facts: list[dict[str, Any]]) -> None:
        """Follow the facts of one step."""
        self.due = []
        for fact in facts:
            params = {key: value for key, value in fact.items() if key != "fact"}
            if self.due:
                demand(fact == self.due.pop(0), f"what follows is not {fact['fact']}")
            else:
                getattr(self, fact["fact"])(**params)
        demand(not self.due, "something that should follow is missing")

    # --- Setup and rounds -----------------------------------------------------------------------

    def trustee(self, seat: int) -> None:
        demand(self.start < 0 and 0 <= seat < self.seats, "V-S1")
        self.start = seat

    def dealt_to(self, seat: int) -> list[int]:
        return [district for owner, district in self.dealt if owner == seat]

    def dealt_card(self, seat: int, district: int) -> None:
        demand(district not in [d for _, d in self.dealt] and 1 <= district <= 13, "V-S2")
        demand(len(self.dealt_to(seat)) < 2, "V-S2")
        self.dealt.append((seat, district))
        if len(self.dealt) == 2 * self.seats:
            self.settle()

    def settle(self) -> None:
        for seat in range(self.seats):
            for district in range(1, 14):
                own = district in self.dealt_to(seat)
                if own == (self.options["setup"] == "only"):
                    self.men[district][seat] = 2
        self.due = [{"fact": "round", "round": 1, "seat": self.start}]
        self.begin(self.start)

    def begin(self, start: int) -> None:
        self.round += 1
        self.turn, self.start, self.active = 0, start, start
        self.up, self.placed = set(), []

    # --- Turns ----------------------------------------------------------------------------------

    def placed_men(self, seat: int, district: int, number: int) -> None:
        row = self.men[district]
        there = [other for other in range(self.seats) if row[other]]
        limited = self.options["limit"] == "every" or self.turn == 0
        most = 1 if seat == self.start and limited else 2
        demand(seat == self.active and not self.over, "V-2")
        demand(1 <= number <= self.hand[seat], "V-5")
        demand(len(self.placed) < most and district not in self.placed, "V-4, V-7")
        if len(there) == 1 and there != [seat]:
            demand(number >= row[there[0]], "V-6")
        self.hand[seat] -= number
        row[seat] += number
        self.placed.append(district)

    def passed(self, seat: int) -> None:
        demand(seat == self.active and not self.placed, "V-3")

    def done(self, seat: int) -> None:
        demand(seat == self.active and len(self.placed) == 1, "V-3")

    def empty_handed(self, seat: int) -> None:
        demand(seat == self.active and self.hand[seat] == 0, "V-3")

    def cannot_place(self, seat: int) -> None:
        demand(seat == self.active and self.hand[seat] > 0 and not self.placed, "V-3")
        for row in self.men[1:]:
            there = [other for other in range(self.seats) if row[other]]
            alone = len(there) == 1 and there != [seat]
            demand(alone and row[there[0]] > self.hand[seat], "V-6: there is room somewhere")

    def turned_up(self, seat: int, district: int) -> None:
        demand(seat == self.active and district not in self.up and 1 <= district <= 13, "V-2, V-3")
        self.up.add(district)
        order = [(seat + step) % self.seats for step in range(1, self.seats + 1)]
        row = self.men[district]
        there = [other for other in order if row[other]]
        if len(there) > 1:
            loser = min(there, key=lambda other: row[other])  # of equals the first: V-10
            self.expect("lost", seat=loser, district=district, number=row[loser])
            row[loser] = 0
        for other in range(self.seats):
            if row[other]:
                self.receive(other, 1, "collected")
        self.turn += 1
        self.active = (self.active + 1) % self.seats
        self.placed = []
        if self.turn == 11:
            self.end_round()

    def receive(self, seat: int, number: int, fact: str) -> None:
        number = min(number, self.box(seat))
        self.hand[seat] += number
        if number:
            self.expect(fact, seat=seat, number=number)

    def expect(self, fact: str, **params: int) -> None:
        """Note a fact that must come next."""
        self.due.append({"fact": fact, **params})

    # --- The end of a round ---------------------------------------------------------------------

    def end_round(self) -> None:
        for district in sorted(set(range(1, 14)) - self.up):
            self.expect("raided", district=district, number=sum(self.men[district]))
            self.men[district] = [0] * self.seats
        held = [self.controller(district) for district in range(1, 14)]
        count = [held.count(seat) for seat in range(self.seats)]
        need, goal = TO_WIN[self.seats]
        goal += self.options.get("goal") == "exceed"  # V-18: more than that many
        by_districts = max(count) >= need
        for seat in range(self.seats):
            scores = self.options["final_points"] == "yes" or not by_districts
            points = POINTS[min(count[seat], 7)] if scores else 0
            self.points[seat] += points
            if count[seat]:
                total = self.points[seat]
                self.expect("scored", seat=seat, districts=count[seat], points=points, total=total)
        self.decide(count, need, goal)
        self.round_ended = [
            {"fact": "controls", "seat": seat, "district": district}
            for district, seat in enumerate(held, start=1)
            if seat is not None
        ]
        self.round_ended += [
            {"fact": "holds", "seat": seat, "hand": self.hand[seat], "box": self.box(seat)}
            for seat in range(self.seats)
        ]

    def controller(self, district: int) -> int | None:
        row = self.men[district]
        best = [seat for seat in range(self.seats) if row[seat] == max(row) > 0]
        there = [seat for seat in range(self.seats) if row[seat]]
        alone_only = self.options["control"] == "alone"
        return best[0] if len(best) == 1 and (len(there) == 1 or not alone_only) else None

    def decide(self, count: list[int], need: int, goal: int) -> None:
        seats = range(self.seats)
        if max(count) >= need:
            claims = {s: (count[s], self.points[s]) for s in seats if count[s] >= need}
            self.finish("districts", claims)
        elif max(self.points) >= goal:
            claims = {s: (self.points[s], count[s]) for s in seats if self.points[s] >= goal}
            self.finish("points", claims)
        elif self.round == self.options["max_rounds"]:
            self.finish("max_rounds", {s: (self.points[s], count[s]) for s in seats})
        else:
            for seat in seats:
                self.receive(seat, 3, "reinforced")
            self.expect("round", round=self.round + 1, seat=self.active)
            self.begin(self.active)

    def finish(self, reason: str, claims: dict[int, tuple[int, int]]) -> None:
        self.over = True
        self.reason = reason
        self.winners = [seat for seat in claims if claims[seat] == max(claims.values())]
        word = "won" if len(self.winners) == 1 else "shared"
        for seat in self.winners:
            self.expect(f"{word}_by_{reason}", seat=seat)


def referee(text: str) -> None:
    """Follow a whole record; raises Foul at the first thing that is against the rules."""
    header, *steps, last = [json.loads(line) for line in text.splitlines()]
    watching = Referee(header)
    names = {"dealt": "dealt_card", "placed": "placed_men"}  # those are counters here
    for step in steps:
        demand(not watching.over, "the game was over")
        first, *rest = step["facts"]
        watching.see([{**first, "fact": names.get(first["fact"], first["fact"])}, *rest])
        if header["format"] > 1:
            watching.count(step.get("unspoken", []))
    demand(watching.over, "V-17, V-18")
    demand(last["result"] == {"reason": watching.reason, "winners": watching.winners}, "V-19")
