"""A referee for records of Omerta, written from docs/records.md and the rulebook alone.

It imports nothing of Cosca and rolls no dice: it lays out the cards as the facts of a finished
record say, moves them, and reports what does not follow or is against the rules.
"""

import json
from typing import Any

WORTH = [*range(1, 11), 15, 15, 15, 20, 15, 20, 15, 10, 0, 15, 15]  # O-M1, O-M2
ASSASSIN, MAMMA, PATROL = 14, 19, 20
CALL_LIMIT, FINE = 7, 20
SPOKEN = (
    *("starts", "picks", "reaches", "stays_put", "peeked", "declines", "looks", "loads"),
    *("loads_two", "bad_load", "opens_safe", "leaves_safe", "no_penalty", "no_gifts"),
    *("too_slow", "uncalled", "plays_henchman", "plays_lady", "plays_traitor"),
    *("plays_traitor_on_two", "plays_mamma", "plays_patrol"),
)
"""Facts that move no card."""


class Foul(Exception):
    """A fact that does not follow, or is against the rules."""


def demand(holds: bool, rule: str) -> None:
    """Stop the game if a rule is broken."""
    if not holds:
        raise Foul(rule)


class Card:
    """A card in a row, and the patrol on it."""

    def __init__(self, kind: int) -> None:
        self.kind = kind
        self.layer = -1
        self.turns = 0


class Referee:
    """Rows, safe and discards; checks every fact."""

    def __init__(self, header: dict[str, Any]) -> None:
        self.seats: int = header["seats"]
        self.totals = [0] * self.seats
        self.winners: list[int] = []
        self.new_game(0)

    def new_game(self, start: int) -> None:
        self.rows: list[list[Card]] = [[] for _ in range(self.seats)]
        self.safe: list[int] = []
        self.discarded: list[int] = []
        self.mammas = [-1] * self.seats
        self.turn_of = start
        self.held = self.receiver = self.caller = self.shuffled_row = -1
        self.into_slot = self.placed_at = 0
        self.lifts: list[tuple[str, int]] = []
        self.open_slots: list[int] = []
        self.shown: list[list[int]] = [[] for _ in range(self.seats)]

    def see(self, facts: list[dict[str, Any]]) -> None:
        """Follow the facts of one step."""
        self.laid_now: list[int] = []
        for fact in facts:
            name = fact["fact"]
            params = {key: value for key, value in fact.items() if key not in ("fact", "for")}
            if self.lifts or name in ("mamma_lifted", "patrol_lifted"):
                due = self.lifts.pop(0) if self.lifts else None
                demand((name, params.get("seat")) == due, f"O-19t: {name} instead of {due}")
            if name not in SPOKEN:
                getattr(self, name)(**params)
        demand(not self.lifts, "O-19t: something stays that should be lifted")

    def card(self, seat: int, slot: int) -> Card:
        """The card in a place of a row."""
        demand(1 <= slot <= len(self.rows[seat]), "there is no such card")
        return self.rows[seat][slot - 1]

    def free(self, seat: int, slot: int, rule: str) -> Card:
        """The same, if no patrol lies on it."""
        card = self.card(seat, slot)
        demand(card.layer < 0, f"{rule}: a patrol lies on it")
        return card

    def throw(self, kind: int) -> None:
        """Onto the discard pile."""
        self.discarded.append(kind)

    # --- Setting up -------------------------------------------------------------------------------

    def game(self, game: int, games: int, seat: int) -> None:
        self.new_game(seat)

    def dealt(self, card: int, seat: int, slot: int) -> None:
        demand(slot == len(self.rows[seat]) + 1 <= 4, "O-S2")
        self.rows[seat].append(Card(card))

    def dealt_safe(self, card: int, place: int) -> None:
        demand(place == len(self.safe) + 1 <= 4, "O-S2")
        self.safe.append(card)

    def first_discard(self, card: int) -> None:
        self.throw(card)

    def saw(self, seat: int, slot: int, card: int) -> None:
        demand(self.card(seat, slot).kind == card, "O-S3, O-14")

    # --- A turn -----------------------------------------------------------------------------------

    def at_turn(self, seat: int) -> None:
        demand(seat == self.turn_of, "O-2: it is the turn of another")
        demand(self.mammas[seat] < 0, "O-19m: that turn is skipped")

    def ends(self, seat: int) -> None:
        """The turn of that seat has begun: the next one in the story is its neighbour's."""
        self.turn_of = (seat + 1) % self.seats

    def lift_marks_of(self, layer: int) -> None:
        """O-19t: mammas go first, so that the patrol lies on top."""
        self.lifts = [("mamma_lifted", s) for s in range(self.seats) if self.mammas[s] == layer]
        for seat, row in enumerate(self.rows):
            for card in row:
                if card.layer == layer:
                    card.turns -= 1
                    if card.turns == 0:
                        self.lifts.append(("patrol_lifted", seat))

    def called(self, seat: int) -> None:
        self.at_turn(seat)
        demand(all(card.layer < 0 for card in self.rows[seat]), "O-19p: with a patrol nobody calls")
        self.caller = seat

    def draws(self, seat: int) -> None:
        self.at_turn(seat)

    def drew(self, seat: int, card: int) -> None:
        self.held = card
        self.ends(seat)
        self.lift_marks_of(seat)

    def takes(self, seat: int, card: int) -> None:
        self.at_turn(seat)
        demand(bool(self.discarded) and self.discarded.pop() == card, "O-2: it is not on top")
        self.drew(seat, card)

    def nothing_to_take(self, seat: int) -> None:
        self.at_turn(seat)
        demand(not self.discarded, "O-5: there is something to take")
        self.ends(seat)
        self.lift_marks_of(seat)

    def skipped(self, seat: int) -> None:
        demand(seat == self.turn_of and self.mammas[seat] >= 0, "O-19m: nobody skips that turn")
        self.ends(seat)
        self.lift_marks_of(seat)

    def mamma_lifted(self, seat: int) -> None:
        self.mammas[seat] = -1
        self.throw(MAMMA)

    def patrol_lifted(self, seat: int) -> None:
        for card in self.rows[seat]:
            if card.layer >= 0 and card.turns == 0:
                card.layer = -1
                self.throw(PATROL)
                return
        raise Foul("O-19t: there is no such patrol")

    def replaces(self, seat: int, slot: int) -> None:
        self.free(seat, slot, "O-19p")
        self.into_slot = slot

    def turned_up(self, seat: int, card: int) -> None:
        old = self.card(seat, self.into_slot)
        demand(old.kind == card, "O-3: another card lay there")
        self.rows[seat][self.into_slot - 1] = Card(self.held)
        self.throw(card)

    def discards(self, seat: int, card: int) -> None:
        demand(card == self.held, "O-4: another card was taken")
        self.throw(card)

    def reshuffled(self, number: int) -> None:
        kept = len(self.discarded) - number
        demand(kept in (0, 1), "O-5: not all discards were shuffled")
        self.discarded = self.discarded[-1:] if kept else []

    # --- Snaps and mistakes -----------------------------------------------------------------------

    def snapped(self, seat: int, slot: int, card: int) -> None:
        demand(self.free(seat, slot, "O-19p").kind == card, "O-7")
        demand(self.discarded[-1] == card < 10, "O-7: another number")
        self.rows[seat].pop(slot - 1)
        self.throw(card)

    def blocked(self, seat: int, slot: int, card: int) -> None:
        demand(self.free(seat, slot, "O-19p").kind == card == ASSASSIN, "O-16")
        self.rows[seat].pop(slot - 1)
        self.throw(card)

    def wrong(self, seat: int, slot: int, card: int) -> None:
        top = self.discarded[-1]
        right = top if top < 10 else ASSASSIN  # a snap, or an action that could be stopped
        demand(self.card(seat, slot).kind == card != right, "O-8, O-16")

    def penalty(self, seat: int) -> None:
        self.receiver = seat

    def penalty_card(self, card: int) -> None:
        self.rows[self.receiver].append(Card(card))

    gift, gift_card = penalty, penalty_card

    # --- Characters -------------------------------------------------------------------------------

    def swapped(self, one: int, slot: int, other: int, other_slot: int) -> None:
        first, second = self.free(one, slot, "O-12"), self.free(other, other_slot, "O-12")
        self.rows[one][slot - 1], self.rows[other][other_slot - 1] = second, first

    def shuffled(self, seat: int, other: int) -> None:
        demand(self.mammas[other] < 0, "O-13")
        row = enumerate(self.rows[other], start=1)
        self.open_slots = [slot for slot, card in row if card.layer < 0]
        demand(len(self.open_slots) > 1, "O-13")
        self.shuffled_row = other

    def shuffled_in(self, slot: int, other_slot: int) -> None:
        demand(len(self.open_slots) > 1 and other_slot == self.open_slots[0], "O-13: another place")
        demand(slot in self.open_slots, "O-13: a patrol lies on it, or it is in place")
        self.open_slots.pop(0)
        row = self.rows[self.shuffled_row]
        row[slot - 1], row[other_slot - 1] = row[other_slot - 1], row[slot - 1]

    def laid(self, seat: int, slot: int, card: int) -> None:
        now = slot - sum(before < slot for before in self.laid_now)
        demand(self.free(seat, now, "O-17").kind == card < 10, "O-17")
        self.laid_now.append(slot)
        self.rows[seat].pop(now - 1)
        self.throw(card)

    def shown_card(self, seat: int, slot: int, card: int) -> None:
        demand(self.card(seat, slot).kind == card, "O-17")

    def safe_holds(self, seat: int, place: int, card: int) -> None:
        demand(self.safe[place - 1] == card, "O-18")

    def exchanged(self, seat: int, slot: int, place: int) -> None:
        mine = self.free(seat, slot, "O-18")
        mine.kind, self.safe[place - 1] = self.safe[place - 1], mine.kind

    def mamma_laid(self, seat: int, other: int) -> None:
        demand(self.mammas[other] < 0 and seat != other, "O-19m")
        demand(self.discarded.pop() == MAMMA, "O-19m")
        self.mammas[other] = seat

    def patrol_laid(self, seat: int, other: int, slot: int) -> None:
        card = self.free(other, slot, "O-19p")
        demand(self.discarded.pop() == PATROL and seat != other, "O-19p")
        card.layer, card.turns = seat, 2

    # --- The end of a game ------------------------------------------------------------------------

    def shows(self, seat: int, card: int) -> None:
        self.shown[seat].append(card)

    def worth(self, seat: int) -> int:
        """O-20: the row as it is shown, which has to be the one that lies there."""
        demand(self.shown[seat] == [card.kind for card in self.rows[seat]], "O-20: other cards")
        return sum(WORTH[kind] for kind in self.shown[seat])

    def call(self, seat: int, worth: int) -> None:
        demand(seat == self.caller and worth == self.worth(seat), "O-21")

    good_call = bad_call = high_call = call

    def scored(self, seat: int, worth: int, points: int, total: int) -> None:
        demand(worth == self.worth(seat) and points == self.points(seat), "O-21 to O-24")
        self.totals[seat] += points
        demand(total == self.totals[seat], "O-23")

    def points(self, seat: int) -> int:
        """O-21, O-22, O-24: what a row scores."""
        worths = [self.worth(other) for other in range(self.seats)]
        if self.caller < 0:
            return 0 if worths[seat] == min(worths) else worths[seat]
        called = worths[self.caller]
        if called <= CALL_LIMIT and called == min(worths):
            return 0 if seat == self.caller else worths[seat]
        if seat == self.caller:
            return worths[seat] + FINE
        others = [worths[other] for other in range(self.seats) if other != self.caller]
        return 0 if worths[seat] == min(others) else worths[seat]

    def won(self, seat: int) -> None:
        demand(self.totals[seat] == min(self.totals), "O-23")
        self.winners.append(seat)

    shared = won


def referee(text: str) -> None:
    """Follow a whole record; raises Foul at the first thing that is against the rules."""
    header, *steps, last = [json.loads(line) for line in text.split("\n")[:-1]]
    watching = Referee(header)
    names = {"shown": "shown_card"}
    for step in steps:
        watching.see(
            [{**fact, "fact": names.get(fact["fact"], fact["fact"])} for fact in step["facts"]]
        )
    best = min(watching.totals)
    demand(
        [seat for seat, n in enumerate(watching.totals) if n == best] == watching.winners, "O-23"
    )
    demand(last["result"]["winners"] == watching.winners, "O-23")
