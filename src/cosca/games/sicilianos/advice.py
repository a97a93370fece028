"""What a move of Sicilianos is for: the most important fact, from what the seat knows."""

from collections.abc import Iterator
from itertools import combinations
from typing import Final

from cosca.core.errors import Param
from cosca.core.events import Listing, Reason
from cosca.core.move import Move
from cosca.core.names import Seat
from cosca.games.sicilianos.pieces import (
    BODYGUARD,
    BOMB,
    COLOURS,
    DEFECTOR,
    KINDS,
    MOST_OF_A_KIND,
    NOTE_WORTH,
    SECOND,
    THREE_KINDS,
    VALUES,
    WORTH_AS_DEFECTOR,
)
from cosca.games.sicilianos.position import NOBODY, Position

SMALL_NOTE: Final = 10
"""Thousands: a note that is easily lost."""
USUAL_CARD: Final = 6
"""The mean value of a card: a family is strong if it has more for each card of the others."""


def explain(position: Position, move: Move) -> Reason | None:
    """Return what a move is for: to win, to stop a win, to win the war, or to lose little."""
    return next(_Facts(position).reasons(move), None)


def _because(key: str, rule: str, **params: Param | Listing) -> Reason:
    return Reason(f"sicilianos.advice.{key}", params, rule)


class _Facts:
    """What a seat knows of the table, and what follows for its moves."""

    def __init__(self, position: Position) -> None:
        self.at = position
        self.me = position.seat
        self.others = [seat for seat in range(position.seats) if seat != self.me]
        self.mine = [
            [value for value in range(1, VALUES + 1) if mask >> (value - 1) & 1]
            for mask in position.mine
        ]

    def reasons(self, move: Move) -> Iterator[Reason]:
        """Yield every reason that is true of a move, the most important first."""
        yield from {
            "draft": self.draw,
            "turn": self.turn,
            "which": self.draw,
            "one": self.draw,
            "take": self.take,
            "steal": self.draw,
            "victim": self.steal,
            "stake": self.stake,
            "join": self.join,
            "defect": self.defect,
            "bomb": self.bomb,
            "lay": self.lay,
            "share": self.share,
            "shop": self.shop,
        }[self.at.phase](move)

    # --- Businesses -----------------------------------------------------------------------------

    def owned(self, seat: Seat, colour: int) -> int:
        """S-23: how many businesses of a colour a player owns, if one is left; else none."""
        owners = self.at.owners[colour]
        return owners.count(seat) if NOBODY in owners else 0

    def for_business(self, colour: int) -> Iterator[Reason]:
        """S-23: what one more business of a colour would mean."""
        owned = self.owned(self.me, colour)
        if owned == KINDS - 1:
            yield _because("third_wins", "S-23", colour=colour)
        elif owned:
            yield _because("second_business", "S-23", colour=colour)

    def threats(self) -> Iterator[Reason]:
        """S-23: who would win the game by winning this war."""
        for seat in self.others:
            colour = self.at.family[seat]
            if colour >= 0 and self.owned(seat, colour) == KINDS - 1:
                yield _because("stops_third", "S-23", seat=seat, colour=colour)

    # --- Roll, or go to war ---------------------------------------------------------------------

    def turn(self, move: Move) -> Iterator[Reason]:
        """S-1, S-2, S-6: more cards first, or a war."""
        if move.verb != "roll":
            yield from self.war(move)
        elif any(self.mine):
            colour = max(range(COLOURS), key=lambda each: sum(self.mine[each]))
            yield _because("roll", "S-8", colour=colour, strength=sum(self.mine[colour]))
        else:
            yield _because("must_roll", "S-1")

    def join(self, move: Move) -> Iterator[Reason]:
        """S-7: take part, or stay out."""
        if move.verb != "pass":
            yield from self.war(move)
            return
        free = [sum(self.mine[c]) for c in range(COLOURS) if c not in self.at.family]
        if any(free):
            yield _because("stays_out", "S-17", strength=max(free))
        else:
            yield _because("cannot_join", "S-7")

    def war(self, move: Move) -> Iterator[Reason]:
        """S-6, S-7: a business, the strength of the family, or the note."""
        colour = move.numbers[0] - 1
        business = list(self.for_business(colour))
        threats = [] if self.at.phase == "turn" else list(self.threats())
        is_third = self.owned(self.me, colour) == KINDS - 1
        yield from [*business, *threats] if is_third else [*threats, *business]
        strength, number = sum(self.mine[colour]), self.most_cards(colour)
        if strength > USUAL_CARD * number:
            key = "war_open" if self.at.phase == "turn" else "war_join"
            yield _because(key, "S-8", colour=colour, strength=strength, number=number)
        if len(move.numbers) > 2:
            yield from self.staked(move.numbers[2])
        else:
            yield _because("strength", "S-8", colour=colour, strength=strength)

    def most_cards(self, colour: int) -> int:
        """S-1, S-14: the most cards anyone else could bring into this war in one colour."""
        at = self.at
        if at.phase == "turn":
            rest = [c for c in range(COLOURS) if c != colour]
            return max(at.hands[seat][c] for seat in self.others for c in rest)
        inside = [seat for seat in self.others if at.family[seat] >= 0]
        return max(at.hands[seat][at.family[seat]] + at.face_down[seat] for seat in inside)

    def stake(self, move: Move) -> Iterator[Reason]:
        """S-6, S-7: the note alone."""
        yield from self.staked(move.numbers[0])

    def staked(self, note: int) -> Iterator[Reason]:
        """S-17, S-24: what a note can win or lose."""
        if sum(self.at.notes[self.me]) == 1:
            yield _because("last_money", "S-24")
        elif note <= SMALL_NOTE:
            yield _because("small_note", "S-17", note=note, double=2 * note)
        else:
            yield _because("note", "S-17", note=note, double=2 * note)

    # --- Cards ----------------------------------------------------------------------------------

    def draw(self, move: Move) -> Iterator[Reason]:
        """S-S3, S-3 to S-5: a card of this colour."""
        colour = move.numbers[0] - 1
        if move.verb == "look":
            yield _because("look", "S-4", colour=colour)
            return
        number = self.at.hands[self.me][colour]
        owned = self.owned(self.me, colour)
        if owned and number:
            yield _because("for_business", "S-23", colour=colour, number=owned)
        if number:
            yield _because("more_colour", "S-8", colour=colour, number=number)
        else:
            yield _because("new_colour", "S-7", colour=colour)

    def take(self, move: Move) -> Iterator[Reason]:
        """S-4, S-9, S-11, S-12: what the card of the stack can do."""
        colour, value = move.numbers[0] - 1, move.numbers[1]
        special = {BODYGUARD: ("take_bodyguard", "S-12"), BOMB: ("take_bomb", "S-11")}
        special[DEFECTOR] = ("take_defector", "S-9")
        strength = sum(self.mine[colour]) + value
        if value == max(self.at.looking, default=0):
            yield _because("strongest_card", "S-8", colour=colour, strength=strength)
        elif value in special:
            key, rule = special[value]
            yield _because(key, rule, colour=colour)
        else:
            yield _because("adds", "S-8", colour=colour, strength=strength)

    def steal(self, move: Move) -> Iterator[Reason]:
        """S-5, S-23: a card that its owner will miss."""
        seat, colour = move.numbers[0] - 1, self.at.colour
        if self.owned(seat, colour) == KINDS - 1:
            yield _because("steal_from_third", "S-23", seat=seat, colour=colour)
        yield _because("steal", "S-5", seat=seat, colour=colour)

    # --- In the war -----------------------------------------------------------------------------

    def strength(self, seat: Seat) -> int:
        """S-8, S-9: the strength of a family on the table, with an ally's help."""
        ally = self.at.joined_by[seat]
        helps = ally != NOBODY and bool(self.at.laid[ally])
        return sum(self.at.laid[seat]) + (WORTH_AS_DEFECTOR if helps else 0)

    def most(self) -> int:
        """S-16: the strength of the strongest other side."""
        at = self.at
        sides = [
            self.strength(seat)
            for seat in self.others
            if at.family[seat] >= 0 and at.joined[seat] == NOBODY and at.joined[self.me] != seat
        ]
        return max(sides, default=0)

    def defect(self, move: Move) -> Iterator[Reason]:
        """S-9, S-19: alone, or with an ally."""
        family = self.at.family[self.me]
        if move.verb == "pass":
            yield _because("loyal", "S-9", strength=self.strength(self.me))
        else:
            head = self.at.family.index(SECOND[self.at.defectors][family])
            yield _because(
                "defect", "S-19", seat=head, strength=self.strength(head) + WORTH_AS_DEFECTOR
            )

    def bomb(self, move: Move) -> Iterator[Reason]:
        """S-11, S-12: a card of another out of the war, or five for the own family."""
        if move.verb == "pass":
            yield _because("bomb_stays", "S-11", strength=self.strength(self.me))
            return
        colour, value = move.numbers[0] - 1, move.numbers[1]
        seat = self.at.family.index(colour)
        if self.owned(seat, colour) == KINDS - 1:
            yield _because("bomb_third", "S-23", seat=seat, colour=colour)
        card = colour * VALUES + value - 1
        if value == BODYGUARD:
            yield _because("bomb_guard", "S-12", seat=seat)
        elif self.at.joined[seat] != NOBODY:
            yield _because("bomb_ally", "S-20", seat=seat, card=card)
        else:
            left = self.strength(seat) - value
            yield _because("bomb", "S-11", seat=seat, card=card, strength=left)

    def lay(self, move: Move) -> Iterator[Reason]:
        """S-14, S-16: one more card, or no more."""
        strength, most = self.strength(self.me), self.most()
        colour = self.at.family[self.me]
        rest = sum(self.mine[colour])
        if move.verb != "pass":
            after = strength + move.numbers[1]
            key = "lay_ahead" if after > most else "lay_behind"
            yield _because(key, "S-16", strength=after, most=most)
        elif strength > most:
            yield _because("lay_enough", "S-16", strength=strength, most=most)
        elif strength + rest <= most:
            yield _because(
                "lay_hopeless", "S-16", colour=colour, strength=strength + rest, most=most
            )
        else:
            yield _because("lay_keeps", "S-14", colour=colour)

    # --- The prize ------------------------------------------------------------------------------

    def share(self, move: Move) -> Iterator[Reason]:
        """S-19: both stakes, or the business."""
        at, colour = self.at, self.at.prize
        ally = at.joined_by[self.me]
        if move.verb == "money":
            amount = NOTE_WORTH[at.stake[self.me]] + NOTE_WORTH[at.stake[ally]]
            yield _because("share_money", "S-19", amount=amount)
            return
        if self.owned(self.me, colour) == KINDS - 1:
            yield _because("third_wins", "S-23", colour=colour)
        if self.owned(ally, colour) == KINDS - 1:
            yield _because("share_blocks", "S-23", seat=ally, colour=colour)
        if self.owned(self.me, colour):
            yield _because("two_businesses", "S-23", colour=colour)
        yield _because("share_business", "S-27", most=MOST_OF_A_KIND)

    def shop(self, move: Move) -> Iterator[Reason]:
        """S-23, S-26, S-27: what this kind is good for."""
        kind, colour = move.numbers[0] - 1, self.at.prize
        if self.owned(self.me, colour) == KINDS - 1:
            yield _because("third_wins", "S-23", colour=colour)
        owned = [
            (c, known)
            for c in range(COLOURS)
            for owner, known in zip(self.at.owners[c], self.at.known_kinds[c], strict=True)
            if owner == self.me
        ]
        if _is_set([*owned, (colour, kind)]) and not _is_set(owned):
            yield _because("three_kinds", "S-26", bonus=THREE_KINDS)
        number = sum(known == kind for _, known in owned) + 1
        yield _because("most_kind", "S-27", kind=kind, number=number, most=MOST_OF_A_KIND)


def _is_set(owned: list[tuple[int, int]]) -> bool:
    """S-26: whether three different kinds in three different colours are among them."""
    return any(
        {kind for _, kind in three} == set(range(KINDS)) and len({c for c, _ in three}) == KINDS
        for three in combinations(owned, KINDS)
    )
