"""What a move of Vendetta is for: the most important fact first, from what the seat knows."""

from collections.abc import Iterator, Sequence
from typing import Final

from cosca.core.errors import Param
from cosca.core.events import Listing, Reason
from cosca.core.move import Move
from cosca.core.names import Seat
from cosca.games.vendetta.pieces import (
    DISTRICTS,
    DISTRICTS_TO_WIN,
    POINTS,
    POINTS_TO_WIN,
    TURNS,
)
from cosca.games.vendetta.position import Position

NOBODY: Final = -1
Men = tuple[tuple[int, ...], ...]
"""The mafiosi of each seat in each district."""


def explain(position: Position, move: Move) -> Reason | None:
    """Return what a turn is for: to win, to stop a win, to gain districts, or to be safe."""
    if move.verb == "pass":
        return _keeping(position)
    return next(_Comparison(position, move).reasons(), None)


def _because(key: str, rule: str, **params: Param | Listing) -> Reason:
    return Reason(f"vendetta.advice.{key}", params, rule)


def _keeping(position: Position) -> Reason | None:
    """V-9, V-14: mafiosi in hand cannot be lost."""
    hand = position.hands[position.seat]
    if not hand:
        return None
    if position.turn == TURNS - 1:
        return _because("keeps_from_raid", "V-14", number=hand)
    return _because("keeps_in_hand", "V-9", number=hand)


class _Comparison:
    """The map before and after a placement, as far as rules make a difference of it."""

    def __init__(self, position: Position, move: Move) -> None:
        self.at = position
        self.me = position.seat
        self.seats = len(position.hands)
        self.others = [(self.me + n) % self.seats for n in range(1, self.seats)]  # V-10: in turn
        numbers = move.numbers
        placed = sorted(zip(numbers[::2], numbers[1::2], strict=True))
        self.placed = [district - 1 for district, _ in placed]
        self.before: Men = position.men
        self.after = _with(position.men, self.me, placed)
        self.held = [self.count(self.before, seat) for seat in range(self.seats)]
        self.holds = [self.count(self.after, seat) for seat in range(self.seats)]

    def reasons(self) -> Iterator[Reason]:
        """Yield every reason that is true, the most important first."""
        yield from self.wins()
        yield from self.stops_a_win()
        yield from self.gains()
        yield from self.safety()

    # --- Control --------------------------------------------------------------------------------

    def controller(self, men: Men, district: int) -> Seat:
        """V-15, V-15e: the only player there, or the one with the most."""
        row = men[district]
        most = max(row)
        alone = sum(number > 0 for number in row) == 1
        leads = row.count(most) == 1 if self.at.most_controls else alone
        return row.index(most) if most and leads else NOBODY

    def count(self, men: Men, seat: Seat) -> int:
        """V-15: how many districts a player would control now."""
        return sum(self.controller(men, district) == seat for district in range(DISTRICTS))

    def would_score(self, seat: Seat, districts: int) -> int:
        """V-16: the points of a player after a round with so many districts."""
        return self.at.points[seat] + _points(districts)

    # --- Winning --------------------------------------------------------------------------------

    def wins(self) -> Iterator[Reason]:
        """V-17, V-18: enough districts or points, if it stays like this."""
        mine, before = self.holds[self.me], self.held[self.me]
        needed = DISTRICTS_TO_WIN[self.seats]
        if mine >= needed and mine > before:
            yield _because("enough_districts", "V-17", number=mine, needed=needed)
        total = self.would_score(self.me, mine)
        if total >= self.goal() > self.would_score(self.me, before):
            yield _because("enough_points", "V-18", number=mine, points=_points(mine), total=total)

    def goal(self) -> int:
        """V-18: the lowest total that wins."""
        return POINTS_TO_WIN[self.seats] + self.at.exceed_goal

    def stops_a_win(self) -> Iterator[Reason]:
        """V-17, V-18: another player no longer has enough."""
        needed = DISTRICTS_TO_WIN[self.seats]
        for seat in self.others:
            before, after = self.held[seat], self.holds[seat]
            if before >= needed > after:
                yield _because("keeps_from_winning", "V-17", seat=seat, needed=needed)
            elif self.would_score(seat, before) >= self.goal() > self.would_score(seat, after):
                total = self.would_score(seat, after)
                yield _because("keeps_from_points", "V-18", seat=seat, total=total)

    # --- Gaining --------------------------------------------------------------------------------

    def gains(self) -> Iterator[Reason]:
        """V-15, V-16: districts gained or taken, what scores more first."""
        gain = _points(self.holds[self.me]) - _points(self.held[self.me])
        losses = {
            seat: _points(self.held[seat]) - _points(self.holds[seat]) for seat in self.others
        }
        victim = max(self.others, key=lambda seat: losses[seat])
        if gain > 0 and gain >= losses[victim]:
            yield self.gained()
        if losses[victim] > 0:
            yield self.taken_from(victim)

    def gained(self) -> Reason:
        """V-16: which districts the player controls now, and what they score."""
        districts = tuple(
            at + 1
            for at in self.placed
            if self.controller(self.after, at) == self.me != self.controller(self.before, at)
        )
        number = self.holds[self.me]
        is_safe = all(at - 1 in self.at.turned_up for at in districts)
        key = "controls_safely" if is_safe else "controls"
        return _because(
            key,
            "V-16",
            district=districts,
            gained=len(districts),
            number=number,
            points=_points(number),
        )

    def taken_from(self, seat: Seat) -> Reason:
        """V-16: which districts another player no longer controls, and what that costs."""
        districts = tuple(
            at + 1
            for at in self.placed
            if self.controller(self.before, at) == seat != self.controller(self.after, at)
        )
        before, after = self.held[seat], self.holds[seat]
        figures = {"points": _points(after), "instead": _points(before), "needed": before}
        return _because("keeps_from", "V-16", seat=seat, district=districts, **figures)

    # --- Safety ---------------------------------------------------------------------------------

    def safety(self) -> Iterator[Reason]:
        """V-6, V-9, V-10: what holds in the districts of this move."""
        for fact in (self.locked, self.no_longer_fewest, self.wins_tie, self.calm, self.harder):
            for district in self.placed:
                reason = fact(district)
                if reason is not None:
                    yield reason

    def locked(self, district: int) -> Reason | None:
        """V-6: alone with so many that nobody can come."""
        row = self.after[district]
        mine = row[self.me]
        most = max(self.at.hands[seat] for seat in self.others)
        if sum(row) == mine > most:
            return _because("locked", "V-6", district=district + 1, number=mine)
        return None

    def no_longer_fewest(self, district: int) -> Reason | None:
        """V-9: somebody else has the fewest there, and had not before."""
        if district in self.at.turned_up:
            return None
        before, after = self.before[district], self.after[district]
        rivals = [seat for seat in self.others if after[seat]]
        if not rivals:
            return None
        fewest = min(after[seat] for seat in rivals)
        if after[self.me] <= fewest or before[self.me] > fewest:
            return None
        key = "not_the_fewest" if before[self.me] else "not_the_fewest_there"
        loser = next(seat for seat in self.others if after[seat] == fewest)
        return _because(key, "V-9", district=district + 1, seat=loser)

    def wins_tie(self, district: int) -> Reason | None:
        """V-10: the one who turns up the card comes last, so others lose the tie."""
        if district in self.at.turned_up:
            return None
        row = self.after[district]
        tied = [seat for seat in self.others if row[seat] == row[self.me]]
        if not tied or any(0 < number < row[self.me] for number in row):
            return None
        return _because("wins_tie", "V-10", district=district + 1, seat=tied[0])

    def calm(self, district: int) -> Reason | None:
        """V-14: the card is up, so neither a vendetta nor the raid comes there."""
        if district not in self.at.turned_up:
            return None
        return _because("calm", "V-14", district=district + 1)

    def harder(self, district: int) -> Reason | None:
        """V-6, V-15e: more mafiosi make it harder to come, or to overtake."""
        row = self.after[district]
        mine = row[self.me]
        if sum(row) == mine:
            return _because("harder", "V-6", district=district + 1, number=mine)
        second = max(row[seat] for seat in self.others)
        if self.at.most_controls and mine > second:
            return _because("leads", "V-15e", district=district + 1, number=mine - second)
        return None


def _with(men: Men, seat: Seat, placed: Sequence[tuple[int, int]]) -> Men:
    """V-4: the map with more mafiosi of a seat."""
    rows = [list(row) for row in men]
    for district, number in placed:
        rows[district - 1][seat] += number
    return tuple(tuple(row) for row in rows)


def _points(districts: int) -> int:
    """V-16: the points for districts controlled; more than seven count as seven."""
    return POINTS[min(districts, len(POINTS) - 1)]
