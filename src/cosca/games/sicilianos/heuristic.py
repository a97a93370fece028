"""The heuristic policy of Sicilianos' bot. It reads positions only: what its seat knows.

`capo` prices every move in thousands. A war is priced by the chance to win it, computed from the
odds of all hands; a note by its gain if the war is won, and by how soon the game may end.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from math import exp
from typing import Final, TypeAlias

from cosca.core.dice import Dice
from cosca.core.move import Move
from cosca.core.names import Action, Seat
from cosca.games.sicilianos.actions import to_move
from cosca.games.sicilianos.beliefs import colour_beliefs
from cosca.games.sicilianos.pieces import (
    BOMB,
    BUSINESS,
    CARD,
    COLOUR,
    COLOURS,
    DEFECT,
    KIND,
    KINDS,
    LOOK,
    MONEY,
    MOST_OF_A_KIND,
    NOTE,
    NOTE_WORTH,
    PASS,
    ROLL,
    SECOND,
    THREE_KINDS,
    VALUES,
    VICTIM,
    WORTH_AS_DEFECTOR,
)
from cosca.games.sicilianos.position import NOBODY, UNKNOWN, Position

Plan: TypeAlias = tuple[float, list[Action]]
"""A complete move, or the rest of one, with its value in thousands."""
Chances: TypeAlias = list[float]
"""The probability of each strength, or of each value."""

ROLLING: Final = 40.0
"""Value of a roll: a war must be worth more to be opened."""
USUAL: Final = 0.6
"""Probability of winning with a note that is kept for a better war."""
CARD_COST: Final = 3.0
"""Value of any card in hand."""
POINT_COST: Final = 1.0
"""Value of each point of its strength."""
SHOP_WORTH: Final = 60.0
"""Average value of a business (S-26, S-27)."""
SECOND_SHOP: Final = 60.0
"""Additional value of the second of a colour while the third is free (S-23)."""
MONOPOLY: Final = 1000.0
"""Value of the third business of a colour (S-23)."""
DANGER: Final = 300.0
"""Value of keeping it from another player."""
JOINING: Final = 0.9
"""Probability that a player who can join a war does so."""
GAME: Final = 400.0
"""Value of winning the game when it may end."""
HOPE: Final = 0.8
"""Probability of winning it if it continues."""
DOUBT: Final = 60.0
"""Lead, in thousands, that makes the win rather sure."""
CANDIDATES: Final = 8


def capo(position: Position, dice: Dice) -> Action:
    """Return the next action of the best plan; ties are broken at random."""
    found = plans(position)
    best = max(value for value, _ in found)
    among = [actions for value, actions in found if value >= best - 1e-9]
    return among[dice.below(len(among))][0]


def candidates(position: Position) -> list[Move]:
    """Return the candidate moves, the best first."""
    ranked = sorted(plans(position), key=lambda plan: -plan[0])
    return list(dict.fromkeys(to_move(actions) for _, actions in ranked))[:CANDIDATES]


def plans(position: Position) -> list[Plan]:
    """Return every sensible move with its price, or the rest of a move already begun."""
    pricing = _Pricing(position)
    found = {
        "draft": pricing.draw,
        "turn": pricing.turn,
        "which": pricing.draw,
        "one": pricing.one,
        "take": pricing.take,
        "steal": pricing.steal,
        "victim": pricing.victim,
        "stake": pricing.stake,
        "join": pricing.join,
        "defect": pricing.defect,
        "bomb": pricing.bomb,
        "lay": pricing.lay,
        "share": pricing.share,
        "shop": pricing.shop,
    }[position.phase]()
    return list(found)


class _Pricing:
    """Prices the moves of one position."""

    def __init__(self, position: Position) -> None:
        self.at = position
        self.me = position.seat
        self.others = [seat for seat in range(position.seats) if seat != self.me]
        self.mine = [_values(mask) for mask in position.mine]
        self.odds: dict[int, list[list[float]]] = {}
        self.finals: dict[tuple[Seat, int], Chances] = {}

    # --- Estimating opponents -------------------------------------------------------------------

    def odds_of(self, colour: int) -> list[list[float]]:
        """Return for each hand the probability of each value of a colour; cached."""
        if colour not in self.odds:
            self.odds[colour] = colour_beliefs(self.at.learnt[colour]).odds()
        return self.odds[colour]

    def in_stack(self, colour: int) -> Chances:
        """Return the probability of each value, from 1, to be in the stack of its colour."""
        odds = self.odds_of(colour)
        left = [max(0.0, 1 - sum(hand[value] for hand in odds)) for value in range(VALUES + 1)]
        left[0] = 0.0
        return left

    def final(self, seat: Seat, colour: int) -> Chances:
        """S-14: the probability of each final strength of a family."""
        key = seat, colour
        if key not in self.finals:
            self.finals[key] = self._final(seat, colour)
        return self.finals[key]

    def _final(self, seat: Seat, colour: int) -> Chances:
        at = self.at
        inside = at.family[seat] == colour
        sums = [0.0] * (sum(at.laid[seat]) if inside else 0) + [1.0]
        hand = self.odds_of(colour)[seat]
        number = sum(hand)
        if number < 0.5 or (inside and at.passed[seat] and not at.face_down[seat]):
            return sums
        card = [chance / number for chance in hand]
        if at.face_down[seat] or not inside:
            sums = _plus(sums, card)
            number -= 1
        if inside and at.passed[seat]:
            return sums
        return self._laying(sums, card, round(number))

    def _laying(self, sums: Chances, card: Chances, number: int) -> Chances:
        """S-14: the strengths with any number of further cards, all equally likely."""
        whole = [0.0] * (len(sums) + number * VALUES)
        likely = 1.0
        for left in range(number, -1, -1):
            stops = likely / (left + 1)
            for strength, chance in enumerate(sums):
                whole[strength] += stops * chance
            likely -= stops
            if left:
                sums = _plus(sums, card)
        return whole

    def below(self, seat: Seat, strength: int, taken: Sequence[int]) -> float:
        """S-16: the probability that a player stays below a strength, in the war or not yet."""
        at = self.at
        if at.family[seat] >= 0:
            if at.joined[seat] != NOBODY:
                return 1.0
            ally = at.joined_by[seat]
            more = WORTH_AS_DEFECTOR if ally != NOBODY and at.laid[ally] else 0
            return sum(self.final(seat, at.family[seat])[: max(0, strength - more)])
        colours = [c for c in range(COLOURS) if at.hands[seat][c] and c not in taken]
        number = sum(at.hands[seat][c] for c in colours)
        if not number or not any(at.notes[seat]):
            return 1.0
        stays = sum(at.hands[seat][c] * sum(self.final(seat, c)[:strength]) for c in colours)
        return 1 - JOINING * (1 - stays / number)

    def chance(self, strength: int, colour: int, asked: Sequence[Seat]) -> float:
        """S-16: the probability that this strength beats all who are or may be in the war."""
        at = self.at
        taken = [*at.family, colour]
        likely = 1.0
        for seat in self.others:
            if at.family[seat] >= 0 or seat in asked:
                if at.joined[self.me] == seat or at.joined_by[self.me] == seat:
                    continue
                likely *= self.below(seat, strength, taken)
        return likely

    def still_asked(self) -> list[Seat]:
        """S-7: the players who may still join after me."""
        at = self.at
        if at.phase == "turn":
            return self.others
        if at.phase not in ("join", "stake"):
            return []
        return [(at.active + n) % at.seats for n in range(at.at + 1, at.seats)]

    # --- Value of a war -------------------------------------------------------------------------

    def worth_of_shop(self, colour: int) -> float:
        """S-18, S-23, S-26, S-27: the value of a business of a colour for me."""
        owners = self.at.owners[colour]
        left = owners.count(NOBODY)
        if not left:
            return 0.0
        mine = owners.count(self.me)
        if mine == KINDS - 1:
            return MONOPOLY
        return SHOP_WORTH + (SECOND_SHOP if mine and left == KINDS - 1 else 0.0)

    @cached_property
    def danger(self) -> float:
        """S-23: the value of keeping others from winning this war."""
        at = self.at
        return DANGER * sum(
            at.owners[at.family[seat]].count(seat) == KINDS - 1
            for seat in self.others
            if at.family[seat] >= 0 and NOBODY in at.owners[at.family[seat]]
        )

    @cached_property
    def ends_anyway(self) -> bool:
        """S-24: whether another has staked the last note."""
        at = self.at
        return any(not any(at.notes[seat]) for seat in self.others)

    @cached_property
    def hurry(self) -> float:
        """S-24: the probability that the game ends before a note can be staked."""
        notes = sum(self.at.notes[self.me])
        rounds = min(sum(self.at.notes[seat]) for seat in self.others)
        return min(1.0, max(0.0, (notes - rounds) / (notes or 1)))

    def worth_of_note(self, note: int, likely: float) -> float:
        """S-17, S-25: the value of staking a note now instead of keeping it."""
        worth = NOTE_WORTH[note]
        if self.ends_anyway:
            return worth * (1 + 2 * likely)
        price = worth * (self.hurry + 2 * (likely - USUAL))
        return price + self.worth_of_ending(note, likely)

    def worth_of_ending(self, note: int, likely: float) -> float:
        """S-24: the value of staking the last note."""
        if sum(self.at.notes[self.me]) > 1:
            return 0.0
        worth = NOTE_WORTH[note]
        wins = _surely(self.lead + 3 * worth + SHOP_WORTH)
        loses = _surely(self.lead - worth)
        return GAME * (likely * wins + (1 - likely) * loses - HOPE)

    @cached_property
    def lead(self) -> float:
        """S-25 to S-27: my lead over the best opponent."""
        money = [self.money(seat) for seat in range(self.at.seats)]
        return money[self.me] - max(money[seat] for seat in self.others)

    def money(self, seat: Seat) -> float:
        """S-25 to S-27: a player's money if the game ended now; unknown kinds on average."""
        at = self.at
        black = sum(n * worth for n, worth in zip(at.notes[seat], NOTE_WORTH, strict=True))
        shops = sum(MOST_OF_A_KIND * self.leads(seat, kind) for kind in range(KINDS))
        numbers = [self.kinds[seat][kind] for kind in range(KINDS)]
        return at.laundered[seat] - black + shops + THREE_KINDS * min(1.0, min(numbers))

    @cached_property
    def kinds(self) -> list[list[float]]:
        """S-18: the number of businesses of each kind for each player; unknown ones on average."""
        at = self.at
        numbers = [[0.0] * KINDS for _ in range(at.seats)]
        for owners, known in zip(at.owners, at.known_kinds, strict=True):
            open_ = [kind for kind in range(KINDS) if kind not in known]
            for owner, kind in zip(owners, known, strict=True):
                if owner != NOBODY:
                    for likely in [kind] if kind != UNKNOWN else open_:
                        numbers[owner][likely] += 1.0 if kind != UNKNOWN else 1 / len(open_)
        return numbers

    def leads(self, seat: Seat, kind: int, more: float = 0.0) -> float:
        """S-27: the probability that a player has the most of a kind, with `more` added."""
        own = self.kinds[seat][kind] + more
        best = max(self.kinds[other][kind] for other in range(self.at.seats) if other != seat)
        return min(1.0, max(0.0, own - best))

    def cost(self, value: int) -> float:
        """Return the value of a card that leaves the hand."""
        return 0.0 if self.ends_anyway else CARD_COST + POINT_COST * value

    def campaign(self, strength: int, colour: int, cards: list[int], prize: float) -> float:
        """S-14: the best value of a war with any number of cards, the strongest first."""
        asked = self.still_asked()
        best = prize * self.chance(strength, colour, asked) if strength else 0.0
        spent = 0.0
        for value in sorted(cards, reverse=True):
            strength += value
            spent += self.cost(value)
            best = max(best, prize * self.chance(strength, colour, asked) - spent)
        return best

    # --- Opening and joining --------------------------------------------------------------------

    def turn(self) -> Iterator[Plan]:
        """S-1, S-6: roll, or a war that is worth more."""
        if ROLL in self.at.legal:
            yield ROLLING, [ROLL]
        yield from self.wars()

    def join(self) -> Iterator[Plan]:
        """S-7: stay out, or take part."""
        yield 0.0, [PASS]
        yield from self.wars()

    def wars(self) -> Iterator[Plan]:
        """S-6, S-7: the value of going to war with each first card and note."""
        notes = [note for note, number in enumerate(self.at.notes[self.me]) if number]
        asked = self.still_asked()
        for colour, cards in enumerate(self.mine):
            for value in cards:
                card = CARD + colour * VALUES + value - 1
                if card in self.at.legal:
                    rest = [other for other in cards if other != value]
                    for price, note in self.stakes(colour, value, rest, notes, asked):
                        yield price - self.cost(value), [card, NOTE + note]

    def stakes(
        self, colour: int, first: int, rest: list[int], notes: list[int], asked: list[Seat]
    ) -> Iterator[tuple[float, int]]:
        """S-6, S-7: the value of a war that begins with this card, for each note."""
        ways = [(self.chance(first, colour, asked), 0.0)]
        strength, spent = first, 0.0
        for value in sorted(rest, reverse=True):
            strength += value
            spent += self.cost(value)
            ways.append((self.chance(strength, colour, asked), spent))
        prize = self.worth_of_shop(colour) + self.danger
        for note in notes:
            worths = [
                likely * prize + self.worth_of_note(note, likely) - cost for likely, cost in ways
            ]
            yield max(worths), note

    def stake(self) -> Iterator[Plan]:
        """S-6, S-7: the note for the card that lies there."""
        colour = self.at.family[self.me]
        notes = [action - NOTE for action in self.at.legal]
        first, asked = self.at.mine_down, self.still_asked()
        for price, note in self.stakes(colour, first, self.mine[colour], notes, asked):
            yield price, [NOTE + note]

    # --- In the war -----------------------------------------------------------------------------

    @cached_property
    def prize(self) -> float:
        """S-17, S-18: the value of winning the current war."""
        note, colour = self.at.stake[self.me], self.at.family[self.me]
        return 2 * NOTE_WORTH[note] + self.worth_of_shop(colour) + self.danger

    def strength(self) -> int:
        """S-8, S-9: my strength on the table, with an ally's help."""
        ally = self.at.joined_by[self.me]
        helps = ally != NOBODY and bool(self.at.laid[ally])
        return sum(self.at.laid[self.me]) + (WORTH_AS_DEFECTOR if helps else 0)

    def lay(self) -> Iterator[Plan]:
        """S-14: as few cards as needed."""
        colour, strength, cards = self.at.family[self.me], self.strength(), self.mine
        now = self.prize * self.chance(strength, colour, [])
        yield now, [PASS]
        for value in cards[colour]:
            rest = [other for other in cards[colour] if other != value]
            gain = self.campaign(strength + value, colour, rest, self.prize) - self.cost(value)
            yield gain + 0.01 * value, [CARD + colour * VALUES + value - 1]

    def defect(self) -> Iterator[Plan]:
        """S-9: alone with 8, or a share of what another wins with 4 more."""
        at = self.at
        colour = at.family[self.me]
        yield self.campaign(self.strength(), colour, self.mine[colour], self.prize), [PASS]
        second = SECOND[at.defectors][colour]
        head = at.family.index(second)
        likely = 1.0
        ahead = self.final(head, second)
        strength = round(sum(n * chance for n, chance in enumerate(ahead))) + WORTH_AS_DEFECTOR
        for seat in self.others:
            if seat != head and at.family[seat] >= 0:
                likely *= self.below(seat, strength, at.family)
        yield likely * min(self.prize, SHOP_WORTH), [DEFECT]

    def bomb(self) -> Iterator[Plan]:
        """S-11: the hit that helps me most to win, then the one that hurts the strongest."""
        at = self.at
        colour, strength = at.family[self.me], self.strength()
        cards = self.mine[colour]
        yield self.campaign(strength, colour, cards, self.prize), [PASS]
        for action in at.legal:
            if action >= CARD:
                hit, value = divmod(action - CARD, VALUES)
                seat = at.family.index(hit)
                before = self.final(seat, hit)
                self.finals[seat, hit] = before[value + 1 :] or [1.0]
                price = self.campaign(max(0, strength - BOMB), colour, cards, self.prize)
                self.finals[seat, hit] = before
                yield price, [action]

    def share(self) -> Iterator[Plan]:
        """S-19: both stakes, or the business."""
        at = self.at
        ally = at.joined_by[self.me]
        both = NOTE_WORTH[at.stake[self.me]] + NOTE_WORTH[at.stake[ally]]
        threat = DANGER if at.owners[at.prize].count(ally) == KINDS - 1 else 0.0
        yield float(both), [MONEY]
        yield self.worth_of_shop(at.prize) + threat, [BUSINESS]

    def shop(self) -> Iterator[Plan]:
        """S-26, S-27: the most valuable kind."""
        for action in self.at.legal:
            kind = action - KIND
            most = self.leads(self.me, kind, 1.0) - self.leads(self.me, kind)
            fresh = not self.kinds[self.me][kind]
            rivals = max(self.kinds[seat][kind] for seat in self.others)
            price = MOST_OF_A_KIND * most + THREE_KINDS / KINDS * fresh
            yield price - abs(self.kinds[self.me][kind] - rivals), [action]

    # --- Cards ----------------------------------------------------------------------------------

    def liking(self, colour: int) -> float:
        """Return how well another card of a colour goes with mine."""
        return 0.5 * sum(self.mine[colour]) + 0.1 * self.worth_of_shop(colour)

    def draw(self) -> Iterator[Plan]:
        """S-S3, S-1: the stack with the most valuable top card."""
        for action in self.at.legal:
            yield self.drawing(action - COLOUR), [action]

    def drawing(self, colour: int) -> float:
        """S-3, S-4: the value of the top card of a stack."""
        return self.liking(colour) + _mean(self.in_stack(colour))

    def one(self) -> Iterator[Plan]:
        """S-4: a top card, or the best of a stack."""
        for action in self.at.legal:
            if action < LOOK:
                yield self.drawing(action - COLOUR), [action]
            else:
                colour = action - LOOK
                yield self.liking(colour) + _highest(self.in_stack(colour)), [action]

    def take(self) -> Iterator[Plan]:
        """S-4: the strongest card."""
        for action in self.at.legal:
            yield float((action - CARD) % VALUES), [action]

    def steal(self) -> Iterator[Plan]:
        """S-5: the colour with the best victim."""
        for action in self.at.legal:
            colour = action - COLOUR
            seats = [seat for seat in self.others if self.at.hands[seat][colour]]
            yield max(self.robbing(seat, colour) for seat in seats), [action]

    def victim(self) -> Iterator[Plan]:
        """S-5: the player with the strongest cards."""
        for action in self.at.legal:
            yield self.robbing(action - VICTIM, self.at.colour), [action]

    def robbing(self, seat: Seat, colour: int) -> float:
        """S-5: the value of a card from another hand."""
        return self.liking(colour) + _mean(self.odds_of(colour)[seat])


def _values(mask: int) -> list[int]:
    """Return the values in a bit mask."""
    return [value for value in range(1, VALUES + 1) if mask >> (value - 1) & 1]


def _plus(sums: Chances, card: Chances) -> Chances:
    """Return the probability of each strength with one more card."""
    more = [0.0] * (len(sums) + VALUES)
    for value, chance in enumerate(card):
        if chance:
            for strength, likely in enumerate(sums):
                more[strength + value] += likely * chance
    return more


def _mean(chances: Sequence[float]) -> float:
    """Return the mean value of a card."""
    whole = sum(chances)
    return sum(value * chance for value, chance in enumerate(chances)) / whole if whole else 0.0


def _highest(chances: Sequence[float]) -> float:
    """Return the mean of the highest of several cards."""
    missing, mean = 1.0, 0.0
    for value in range(len(chances) - 1, 0, -1):
        mean += missing * chances[value] * value
        missing *= 1 - chances[value]
    return mean


def _surely(lead: float) -> float:
    """Return the probability that a lead wins."""
    return 1 / (1 + exp(-max(-500.0, min(500.0, lead)) / DOUBT * 2))
