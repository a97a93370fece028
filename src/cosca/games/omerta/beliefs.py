"""The beliefs of a seat in Omerta: odds of hidden cards, and sampled states that fit."""

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any, Final, NamedTuple, TypeAlias

from cosca.core.dice import Dice
from cosca.core.names import Action, Seat
from cosca.games.omerta.pieces import (
    KINDS,
    ON_TABLE,
    PASS,
    PEEK,
    PHASE_NAMES,
    PHASE_SETTLE,
    PHASE_WINDOW,
    PILES,
    PUBLIC,
    SHUFFLES,
    SLOT,
    WINDOW_NAMES,
)
from cosca.games.omerta.position import (
    NO_ANSWER,
    NOBODY,
    UNKNOWN,
    Learnt,
    Position,
    Track,
)
from cosca.games.omerta.rules import State

Label: TypeAlias = int
"""What is known of a card before a shuffle: its kind, or `wild(pile)`."""
Hypothesis: TypeAlias = tuple[float, dict[int, Label]]
"""A hypothesis about which card is which after all shuffles, with its weight."""

MOST_HYPOTHESES: Final = 2_000


def wild(pile: int) -> Label:
    """Return the label of a card of which only the draw pile is known."""
    return -1 - pile


class Beliefs:
    """The odds of every card that a seat has not seen.

    Without shuffles, an unseen card is any that its draw pile has left. After a lady (O-13) a kind
    seen before the shuffle and again after it may be one card or two. Each hypothesis decides that;
    all of them together give exact odds. If there are more than `MOST_HYPOTHESES`, one is sampled.
    """

    def __init__(self, learnt: Learnt, dice: Dice | None = None) -> None:
        self.learnt = learnt
        self.tracks = learnt.by_number()
        self._count()
        first = learnt.shuffle - learnt.shuffles
        self.shuffles = [(first + i) % SHUFFLES + 1 for i in range(learnt.shuffles)]
        self.sources = {number: self._in("into", number) for number in self.shuffles}
        self.outcomes = {number: self._in("origin", number) for number in self.shuffles}
        self.questions = [
            card
            for number in self.shuffles
            for card in self.outcomes[number]
            if card.kind != UNKNOWN or card.into
        ]
        self.hypotheses = self._list_hypotheses(dice)

    def _count(self) -> None:
        """Count what each draw pile has left for the unseen cards."""
        self.left = [list(pool) for pool in self.learnt.pools]
        for track in self.learnt.tracks:
            if track.origin == 0 and track.kind != UNKNOWN and not track.seen & PUBLIC:
                self.left[track.pile][track.kind] -= 1
        self.sizes = [sum(left) for left in self.left]

    def _in(self, field: str, number: int) -> list[Track]:
        return [track for track in self.learnt.tracks if getattr(track, field) == number]

    # --- Tales ----------------------------------------------------------------------------------

    def _list_hypotheses(self, dice: Dice | None) -> list[Hypothesis]:
        """Return all hypotheses with their weights, or a sampled one if there are too many."""
        hypotheses = list(
            islice(self._hypotheses(0, 1.0, {}, Counter(), None), MOST_HYPOTHESES + 1)
        )
        if len(hypotheses) > MOST_HYPOTHESES:
            self._count()
            hypotheses = [next(self._hypotheses(0, 1.0, {}, Counter(), dice or Dice(0)))]
            self._count()
        return hypotheses

    def label(self, card: Track, picks: dict[int, Label]) -> Label:
        """Return the label that a hypothesis gives to a card before a shuffle."""
        if card.kind != UNKNOWN:
            return card.kind
        return picks[card.number] if card.origin else wild(card.pile)

    def _hypotheses(
        self,
        at: int,
        weight: float,
        picks: dict[int, Label],
        there: Counter[Label],
        dice: Dice | None,
    ) -> Iterator[Hypothesis]:
        """Extend a hypothesis by the next card whose origin matters."""
        if at == len(self.questions):
            yield weight, dict(picks)
            return
        card = self.questions[at]
        if at == 0 or self.questions[at - 1].origin != card.origin:
            there = Counter(self.label(source, picks) for source in self.sources[card.origin])
        labels = [label for label, count in there.items() if count]
        if dice is not None:
            _mix(labels, dice)
        for label in labels:
            factor = there[label] * self._fit(card.kind, label)
            if not factor:
                continue
            there[label] -= 1
            picks[card.number] = label
            self._use(card.kind, label, 1)
            yield from self._hypotheses(at + 1, weight * factor, picks, there, dice)
            self._use(card.kind, label, -1)
            there[label] += 1

    def _fit(self, kind: int, label: Label) -> float:
        """Return the probability that a card with this label is of this kind."""
        if kind in (UNKNOWN, label):
            return 1.0
        if label >= 0:
            return 0.0
        pile = -1 - label
        return self.left[pile][kind] / self.sizes[pile] if self.sizes[pile] else 0.0

    def _use(self, kind: int, label: Label, number: int) -> None:
        """Count a card of this kind as used, or as free again, in the pool of its label."""
        if kind != UNKNOWN and label < 0:
            self.left[-1 - label][kind] -= number
            self.sizes[-1 - label] -= number

    def _remaining(self, number: int, picks: dict[int, Label]) -> Counter[Label]:
        """Return the labels of a shuffle that a hypothesis has not assigned."""
        there = Counter(self.label(source, picks) for source in self.sources[number])
        there.subtract(picks[card.number] for card in self.outcomes[number] if card.number in picks)
        return +there

    # --- Odds -----------------------------------------------------------------------------------

    def odds(self) -> dict[int, list[float]]:
        """Return for each track on the table the probability of each kind."""
        odds: dict[int, list[float]] = {}
        whole = sum(weight for weight, _ in self.hypotheses)
        for weight, picks in self.hypotheses:
            self._all(picks, 1)
            groups = {number: self._group(number, picks) for number in self.shuffles}
            piles = [self._pile(pile) for pile in range(PILES)]
            self._all(picks, -1)
            for track in self.learnt.tracks:
                if track.place == ON_TABLE and track.kind == UNKNOWN:
                    chances = groups[track.origin] if track.origin else piles[track.pile]
                    sums = odds.setdefault(track.number, [0.0] * KINDS)
                    for kind, chance in enumerate(chances):
                        sums[kind] += weight / whole * chance
        for track in self.learnt.tracks:
            if track.place == ON_TABLE and track.kind != UNKNOWN:
                odds[track.number] = [float(kind == track.kind) for kind in range(KINDS)]
        return odds

    def next_card(self) -> list[float]:
        """Return the probability of each kind for the top card of the draw pile."""
        chances = [0.0] * KINDS
        whole = sum(weight for weight, _ in self.hypotheses)
        for weight, picks in self.hypotheses:
            self._all(picks, 1)
            for kind, chance in enumerate(self._pile(self.learnt.pile)):
                chances[kind] += weight / whole * chance
            self._all(picks, -1)
        return chances

    def _all(self, picks: dict[int, Label], number: int) -> None:
        """Assume a hypothesis, or take the assumption back."""
        for card in self.questions:
            self._use(card.kind, picks[card.number], number)

    def _pile(self, pile: int) -> list[float]:
        """Return the odds of a card of which only the draw pile is known."""
        return [left / (self.sizes[pile] or 1) for left in self.left[pile]]

    def _group(self, number: int, picks: dict[int, Label]) -> list[float]:
        """Return the odds of a card of which only the shuffle is known."""
        there = self._remaining(number, picks)
        whole = there.total() or 1
        chances = [0.0] * KINDS
        for label, count in there.items():
            if label >= 0:
                chances[label] += count / whole
            else:
                for kind, chance in enumerate(self._pile(-1 - label)):
                    chances[kind] += chance * count / whole
        return chances

    # --- Sampling -------------------------------------------------------------------------------

    def world(self, dice: Dice) -> tuple[dict[int, int], list[int]]:
        """Sample the kind of every track, and what is left in the draw pile."""
        picks = self._pick(dice)
        parents = self._parents(picks, dice)
        kinds = {track.number: track.kind for track in self.learnt.tracks if track.origin == 0}
        left = [list(pool) for pool in self.left]
        for card in self.questions:
            root = self._root(card.number, parents)
            if card.kind != UNKNOWN and kinds[root] == UNKNOWN:
                kinds[root] = card.kind
                left[self.tracks[root].pile][card.kind] -= 1
        for number in sorted(kinds):
            if kinds[number] == UNKNOWN:
                kinds[number] = _drawn(left[self.tracks[number].pile], dice)
        for child in parents:
            kinds[child] = kinds[self._root(child, parents)]
        return kinds, left[self.learnt.pile]

    def _pick(self, dice: Dice) -> dict[int, Label]:
        """Sample a hypothesis by weight."""
        if len(self.hypotheses) == 1:
            return self.hypotheses[0][1]
        roll = dice.below(1 << 30) / (1 << 30) * sum(weight for weight, _ in self.hypotheses)
        for weight, picks in self.hypotheses:
            roll -= weight
            if roll < 0:
                return picks
        return self.hypotheses[-1][1]

    def _parents(self, picks: dict[int, Label], dice: Dice) -> dict[int, int]:
        """Sample which card each one was before its shuffle."""
        parents: dict[int, int] = {}
        for number in self.shuffles:
            sources = list(self.sources[number])
            _mix(sources, dice)
            for card in sorted(self.outcomes[number], key=lambda card: card.number not in picks):
                wanted = picks.get(card.number)
                fits = (s for s in sources if wanted in (None, self.label(s, picks)))
                source = next(fits)
                sources.remove(source)
                parents[card.number] = source.number
                picks = {**picks, card.number: self.label(source, picks)}
        return parents

    def _root(self, number: int, parents: dict[int, int]) -> int:
        """Return the track of a card before all shuffles."""
        while number in parents:
            number = parents[number]
        return number


def _mix(things: list[Any], dice: Dice) -> None:
    """Shuffle a list in place."""
    for i in range(len(things) - 1, 0, -1):
        j = dice.below(i + 1)
        things[i], things[j] = things[j], things[i]


def _drawn(left: list[int], dice: Dice) -> int:
    """Draw one card from what is left of a pile."""
    roll = dice.below(sum(left))
    kind = 0
    while roll >= left[kind]:
        roll -= left[kind]
        kind += 1
    left[kind] -= 1
    return kind


# --- Sampling a state -----------------------------------------------------------------------------


def sample(position: Position, dice: Dice) -> State:
    """Sample a state that fits the position: hidden cards by their odds, answers by a guess."""
    learnt = position.learnt
    kinds, pile = Beliefs(learnt, dice).world(dice)
    window = _guess_window(position, dice)
    state = State(position.seats)
    state.load(
        [
            position.seats,
            position.deck,
            position.games,
            position.sealed,
            position.snap_each,
            position.must_use,
            position.first_up,
            position.first_call,
            position.max_rounds,
            window.phase,
            position.game,
            position.turns,
            position.start,
            position.active,
            position.dealt,
            position.caller,
            position.ending,
            sum(1 << seat for seat in position.winners),
            learnt.held,
            position.from_discards,
            position.step,
            learnt.showing,
            WINDOW_NAMES.index(position.window),
            sum(1 << seat for seat in position.asked),
            window.answered,
            len(window.order),
            len(position.settled),
            position.receiver,
            position.discarded,
            learnt.pile,
            learnt.shuffle,
            learnt.shuffles,
            *_seats(position, window),
            *position.named,
            *learnt.safe,
            *learnt.discards,
            *pile,
            *(number for pool in learnt.pools for number in pool),
            *(n for t in learnt.tracks for n in (t.number, kinds[t.number], *t[2:])),
        ]
    )
    return state


def _seats(position: Position, window: "Window") -> Iterator[int]:
    for seat in range(position.seats):
        yield position.totals[seat]
        yield position.scores[seat]
        yield position.mammas[seat]
        yield window.answers.get(seat, PASS)
        yield window.order[seat] if seat < len(window.order) else NOBODY
        yield len(position.learnt.rows[seat])
        yield from position.learnt.rows[seat]


class Window(NamedTuple):
    """Sampled answers in a window."""

    phase: int
    answered: int
    answers: dict[Seat, Action]
    order: list[Seat]


def _guess_window(position: Position, dice: Dice) -> Window:
    """O-9: the others may have answered or not; most of those who have passed."""
    phase = PHASE_NAMES.index(position.phase)
    answers = dict(position.settled)
    order = list(answers)
    others = [seat for seat in position.asked if seat not in answers]
    later: list[Seat] = []
    eager = dice.below(4) == 0
    for seat in others:
        if seat == position.seat:
            answer = position.answer
        elif phase == PHASE_WINDOW and dice.below(2):
            answer = NO_ANSWER
        else:
            answer = _guess_answer(position, seat, dice, eager)
        if answer != NO_ANSWER:
            answers[seat] = answer
            later += [seat] if answer != PASS else []
    if phase == PHASE_SETTLE and not later:
        late = [seat for seat in others if seat != position.seat]
        seat = late[dice.below(len(late))]
        answers[seat] = _guess_slot(position, seat, dice)
        later = [seat]
    _mix(later, dice)
    answered = sum(1 << seat for seat in answers)
    if phase == PHASE_WINDOW and len(answers) == len(position.asked):
        phase = PHASE_SETTLE
    return Window(phase, answered, answers, order + later)


def _guess_answer(position: Position, seat: Seat, dice: Dice, eager: bool) -> Action:
    """O-S3, O-7: two cards to peek at; otherwise most likely a pass."""
    if position.window == "peek":
        return PEEK + dice.below(6)
    return _guess_slot(position, seat, dice) if eager and dice.below(2) else PASS


def _guess_slot(position: Position, seat: Seat, dice: Dice) -> Action:
    """O-7: any free card."""
    free = position.free(seat)
    return SLOT + free[dice.below(len(free))]
