"""Omerta as its rulebook has it, for the laws. Who has seen what is worked out here once more."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from cosca.core.dice import Dice
from cosca.core.names import CHANCE, Seat
from cosca.games.omerta import pieces
from cosca.games.omerta.game import GAME
from cosca.games.omerta.rules import State
from cosca.match.table import Step
from cosca.testing.case import Case
from cosca.testing.walks import Log, Walk

MOST_TWINS = 4
ALL = frozenset({-2, 0, 1, 2, 3, 4})


def cards(state: State) -> list[int]:
    """O-M1, O-M3: how many of each kind there are, wherever they lie."""
    counts = list(state.pile if state.game else pieces.DECKS[state.deck])
    on_table = [
        card for seat in range(state.seats) for card in state.row[seat][: state.length[seat]]
    ]
    on_table += [card for card in (*state.safe, state.held) if card >= 0]
    for card in on_table:
        counts[state.kind[card]] += 1
    for kind in state.discards[: state.discarded]:
        counts[kind] += 1
    counts[pieces.MAMMA] += sum(seat >= 0 for seat in state.mamma[: state.seats])
    counts[pieces.PATROL] += sum(state.patrols[: state.seats])
    return counts


# --- Who has seen what ----------------------------------------------------------------------------


@dataclass(eq=False)
class Token:
    """A card that can be followed: from the step that drew it, or a shuffle, until the next."""

    step: int | None
    """The step of the log that drew it; none for a card that everybody knew."""
    before: "Token | None" = None
    seen_by: set[int] = field(default_factory=set)
    after: "Token | None" = None

    def is_hidden_from(self, seat: Seat) -> bool:
        """Whether that seat has not seen it, here or in what became of it."""
        return seat not in self.seen_by and (self.after is None or self.after.is_hidden_from(seat))


@dataclass
class Shuffle:
    """A lady: the steps in which chance put the cards in place, and what came out."""

    steps: list[int]
    tokens: list[Token]
    order: list[int]


class Witness:
    """Follows every card of a walk by the rulebook: section "What you may know"."""

    def __init__(self, walk: Walk) -> None:
        self.drawn: dict[int, Token] = {}
        self.pile_of: dict[int, int] = {}
        self.shuffles: list[Shuffle] = []
        self.windows: list[list[int]] = []
        self.pile = 0
        self.rows: list[list[Token]] = []
        self.safe: list[Token] = []
        self.held: Token | None = None
        states: list[Any] = list(walk.states())
        for number, (seat, action) in enumerate(walk.log):
            self.watch(number, states[number], states[number + 1], seat, action)
        self.end = states[-1]

    def watch(self, number: int, before: State, after: State, seat: Seat, action: int) -> None:
        """One step."""
        phase = pieces.PHASE_NAMES[before.phase]
        if seat == CHANCE:
            getattr(self, f"chance_{phase}")(number, before, action)
        elif phase == "window":
            if before.answered == 0:
                self.windows.append([])
            self.windows[-1].append(number)
        elif phase == "turn" and action == pieces.TAKE:
            self.held = Token(None, seen_by=set(ALL))
        elif phase == "place":
            self.placed(before, action)
        elif phase == "safe" and action < pieces.SLOT and action != pieces.PASS:
            row, slot, place = self.rows[seat], before.named[0], action - pieces.INTO
            row[slot], self.safe[place] = self.safe[place], row[slot]
        self.swapped(before, after, seat, action)
        if after.game > before.game or after.gen != before.gen:
            self.pile += 1  # after the draw: the last card comes from the old pile

    def draw(self, number: int) -> Token:
        """A card from the pile."""
        self.drawn[number] = Token(number)
        self.pile_of[number] = self.pile
        return self.drawn[number]

    def chance_start(self, number: int, before: State, action: int) -> None:
        pass

    def chance_deal(self, number: int, before: State, action: int) -> None:
        if before.dealt == 0:
            self.rows, self.safe = [[] for _ in range(before.seats)], []
        token = self.draw(number)
        if before.dealt < 4 * before.seats:
            self.rows[before.dealt // 4].append(token)
        elif before.dealt < 4 * before.seats + 4:
            self.safe.append(token)
        else:
            token.seen_by |= ALL

    def chance_draw(self, number: int, before: State, action: int) -> None:
        self.held = self.draw(number)
        self.held.seen_by.add(before.active)

    def placed(self, before: State, action: int) -> None:
        """O-3, O-4: replaced or discarded."""
        assert self.held
        if action == pieces.DISCARD:
            self.held.seen_by |= ALL
        else:
            row, slot = self.rows[before.active], action - pieces.SLOT
            row[slot], self.held = self.held, row[slot]

    def chance_turn_up(self, number: int, before: State, action: int) -> None:
        assert self.held
        self.held.seen_by |= ALL

    def chance_penalty(self, number: int, before: State, action: int) -> None:
        self.rows[before.receiver].append(self.draw(number))

    def chance_gift(self, number: int, before: State, action: int) -> None:
        self.rows[before.named[before.step]].append(self.draw(number))

    def chance_settle(self, number: int, before: State, action: int) -> None:
        if before.window == pieces.PEEKING:
            for seat in range(before.seats):
                pair = before.answer[seat] - pieces.PEEK
                for slot in pieces.PEEKS[2 * pair : 2 * pair + 2]:
                    self.rows[seat][slot].seen_by.add(seat)
        elif action != pieces.NEXT:
            slot = before.answer[action] - pieces.SLOT
            self.rows[action][slot].seen_by |= ALL
            kind = before.kind[before.row[action][slot]]
            wanted = pieces.ASSASSIN if before.window == pieces.KILLING else before.top()
            if kind == wanted:
                self.rows[action].pop(slot)

    def chance_look(self, number: int, before: State, action: int) -> None:
        seen = self.safe
        if before.top() == pieces.MOLE:
            seen = [self.rows[before.active][before.named[0]]]
        for token in seen:
            token.seen_by.add(before.active)

    def chance_lay(self, number: int, before: State, action: int) -> None:
        row = self.rows[before.active]
        named = [row[slot] for slot in before.named[: before.step]]
        kinds = [before.kind[before.row[before.active][n]] for n in before.named[: before.step]]
        for token in named:
            token.seen_by |= ALL
            if max(kinds) < 10:
                row.remove(token)

    def chance_shuffle(self, number: int, before: State, n: int) -> None:
        row = self.rows[before.receiver]
        free = [
            slot
            for slot, card in enumerate(before.row[before.receiver][: len(row)])
            if before.watcher[card] < 0
        ]
        if before.step == 0:
            self.shuffles.append(Shuffle([], [], list(range(len(free)))))
            for slot in free:
                old = row[slot]
                row[slot] = old.after = Token(old.step, before=old)
            self.shuffles[-1].tokens = [row[slot] for slot in free]
        shuffle = self.shuffles[-1]
        shuffle.steps.append(number)
        order, at = shuffle.order, before.step
        order[at], order[n] = order[n], order[at]
        if len(shuffle.steps) == len(free) - 1:
            befores = [token.before for token in shuffle.tokens]
            for source, token in zip(order, shuffle.tokens, strict=True):
                token.before = befores[source]
                assert token.before
                token.before.after = token
                token.step = token.before.step

    def chance_called(self, number: int, before: State, action: int) -> None:
        for row in self.rows:
            for token in row:
                token.seen_by |= ALL

    def swapped(self, before: State, after: State, seat: Seat, action: int) -> None:
        """O-12: the henchman, when nobody has stopped it."""
        if before.discarded == 0 or before.top() != pieces.HENCHMAN:
            return
        named = list(before.named)
        if before.phase == pieces.PHASE_USE and before.step == 3 and after.window == 0:
            named[3] = action - pieces.SLOT
        elif before.window != pieces.KILLING or after.window == pieces.KILLING:
            return
        if after.discarded and after.top() == pieces.ASSASSIN:
            return
        (a, i, b, j) = named
        self.rows[a][i], self.rows[b][j] = self.rows[b][j], self.rows[a][i]


# --- Other truths ---------------------------------------------------------------------------------


def twins(walk: Walk, seat: Seat, dice: Dice) -> list[Log]:
    """Games with other cards where this seat has seen none, other shuffles, other open answers."""
    witness = Witness(walk)
    found: list[Log] = []
    for kind in (other_cards, other_shuffles, other_answers):
        some = list(kind(walk, witness, seat))
        for _ in range(min(2, len(some))):
            found.append(some.pop(dice.below(len(some))))
    return found[:MOST_TWINS]


def changed(walk: Walk, changes: dict[int, Step]) -> Log:
    return tuple(changes.get(number, step) for number, step in enumerate(walk.log))


def other_cards(walk: Walk, witness: Witness, seat: Seat) -> Iterator[Log]:
    """Two unseen cards of one draw pile change, or one with what is still in the pile."""
    hidden = [n for n, token in witness.drawn.items() if token.is_hidden_from(seat)]
    last = {witness.pile_of[n]: n for n in hidden}
    for n in hidden:
        m = last[witness.pile_of[n]]
        kinds = walk.log[n][1], walk.log[m][1]
        if kinds[0] != kinds[1]:
            yield changed(walk, {n: (CHANCE, kinds[1]), m: (CHANCE, kinds[0])})
        if witness.pile_of[n] == witness.pile:
            for kind, count in enumerate(witness.end.pile):
                if count and kind != kinds[0]:
                    yield changed(walk, {n: (CHANCE, kind)})


def other_shuffles(walk: Walk, witness: Witness, seat: Seat) -> Iterator[Log]:
    """Two cards that this seat has not seen since came out of a shuffle the other way."""
    for shuffle in witness.shuffles:
        if len(shuffle.steps) != len(shuffle.order) - 1:
            continue
        hidden = [i for i, token in enumerate(shuffle.tokens) if token.is_hidden_from(seat)]
        for i, j in pairwise(hidden):
            order = list(shuffle.order)
            order[i], order[j] = order[j], order[i]
            steps = fisher_yates(order)
            yield changed(walk, {n: (CHANCE, k) for n, k in zip(shuffle.steps, steps, strict=True)})


def fisher_yates(order: list[int]) -> list[int]:
    """The choices that bring cards into this order."""
    now = list(range(len(order)))
    steps = []
    for at in range(len(order) - 1):
        n = now.index(order[at])
        now[at], now[n] = now[n], now[at]
        steps.append(n)
    return steps


def other_answers(walk: Walk, witness: Witness, seat: Seat) -> Iterator[Log]:
    """O-9: who of the others has answered in an open window, and what; the order of passes."""
    states: list[Any] = list(walk.states())
    for window in witness.windows:
        if witness.end.answered and window is witness.windows[-1]:
            yield from open_answers(walk, window, states, seat)
        for n, m in pairwise(window):
            (one, answer), (other, also) = walk.log[n], walk.log[m]
            harmless = pieces.PASS in (answer, also) or answer < pieces.TARGET
            if m == n + 1 and seat not in (one, other) and harmless:
                yield changed(walk, {n: (other, also), m: (one, answer)})


def open_answers(walk: Walk, window: list[int], states: list[State], seat: Seat) -> Iterator[Log]:
    """Another answer, or another who has answered."""
    answered = {walk.log[n][0] for n in window}
    for n in window:
        one, answer = walk.log[n]
        if one == seat:
            continue
        legal = states[n].legal_actions(one)
        yield changed(walk, {n: (one, legal[0] if legal[0] != answer else legal[-1])})
        for other in range(states[n].seats):
            if other not in answered and other != seat and states[n].asked >> other & 1:
                yield changed(walk, {n: (other, states[n].legal_actions(other)[0])})


PLAIN = frozenset(
    {
        *("starts", "first_discard", "dealt", "dealt_safe"),  # chance
        *("drew", "saw", "safe_holds", "penalty_card", "gift_card", "shuffled_in"),
        *("turned_up", "shown", "shows"),  # what a card is
        *("stays_put", "picks", "peeked", "reaches"),  # what a player chose
        *("called", "draws", "takes", "discards", "replaces", "declines", "looks"),
        *("opens_safe", "leaves_safe", "exchanged", "loads", "loads_two"),
        *("plays_henchman", "plays_lady", "plays_mamma", "plays_patrol"),
        *("plays_traitor", "plays_traitor_on_two"),
    }
)


def holdings(state: State, seat: Seat) -> tuple[object, ...]:
    """O-6, O-19m, O-19p, O-23: the row, Mamma and patrols on it, the total, and the win."""
    row = sorted(state.kind[card] for card in state.row[seat][: state.length[seat]])
    laid = state.mamma[seat] >= 0, state.patrols[seat]
    return row, laid, state.totals[seat], state.won >> seat & 1


CASE = Case(
    game=GAME,
    actions=104,
    has_secrets=True,
    pieces=cards,
    twins=twins,
    plain_events=PLAIN,
    holdings=holdings,
    dealing=frozenset({"deal"}),
    house_rules=[
        {"copies": "pairs"},
        {"copies": "singles"},
        {"memory": "aided"},
        {"reactions": "sealed", "first_call": "3"},
        {"first_discard": "up", "driver_snap": "each", "use": "must"},
        {"games": "1", "max_rounds": "0"},
        {"games": "1", "max_rounds": "12", "first_call": "12", "reactions": "sealed"},
    ],
    short={"games": "2"},
)
