"""Kuhn poker with mistakes planted in it, one at a time: the laws must find every one.

The first part is what this folder is for: each of those reveals to a seat what it may not know. The
second part plays false in other ways.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from cosca.core.buffers import Outcomes, Spans
from cosca.core.choice import Choice
from cosca.core.dice import Dice
from cosca.core.drawing import Drawing, Layout, Piece, Say, best_seats
from cosca.core.errors import Refused
from cosca.core.events import EVERYONE, Event, Reason
from cosca.core.game import Game
from cosca.core.move import Move
from cosca.core.names import CHANCE_BIT, Action, Seat
from cosca.core.options import Settings
from tests.kuhn import actions, events, notation
from tests.kuhn.drawing import render_drawing, render_layout
from tests.kuhn.game import GAME, ranking
from tests.kuhn.pieces import BET, CARDS, PASS, SEATS, UNKNOWN
from tests.kuhn.position import Position, position, sample
from tests.kuhn.rules import State

Kuhn = Game[State, Position]


def with_state(kind: type[State]) -> Kuhn:
    """The game with another kind of state, wherever one is made."""

    def made(state: State) -> State:
        other = kind()
        other.load(state.ints())
        return other

    return replace(
        GAME,
        initial_state=lambda settings, seats: made(GAME.new(settings, seats)),
        sample=lambda position, dice: made(sample(position, dice)),
        parse_state=lambda text: made(notation.parse_state(text)),
    )


# --- Leaks ------------------------------------------------------------------------------------


def position_with_next_card(state: State, seat: Seat) -> Position:
    """Also shows the card of the seat on the left."""
    true = position(state, seat)
    left = (seat + 1) % SEATS
    cards = [state.cards[s] if s == left else card for s, card in enumerate(true.cards)]
    return replace(true, cards=tuple(cards))


def position_with_a_hint(state: State, seat: Seat) -> Position:
    """Shows no card, but writes the pot as one more while somebody else has the highest card."""
    true = position(state, seat)
    best = CARDS - 1
    return replace(true, pot=true.pot + (best in state.cards and true.cards[true.active] != best))


def events_for_all(before: State, seat: Seat, action: Action) -> list[Event]:
    """Reveals to everybody which card was dealt."""
    return [replace(event, audience=EVERYONE) for event in events.events(before, seat, action)]


def events_for_the_next(before: State, seat: Seat, action: Action) -> list[Event]:
    """Reveals to the next seat, too, which card was dealt."""
    true = events.events(before, seat, action)
    other = frozenset([before.dealt, (before.dealt + 1) % SEATS])
    return [replace(event, audience=other) if event.audience else event for event in true]


def events_with_a_telling_reason(before: State, seat: Seat, action: Action) -> list[Event]:
    """Gives a bet a reason that names the card."""
    card = before.cards[seat] if seat >= 0 else UNKNOWN
    reason = Reason("kuhn.reason.highest", {"figures": ((seat, card),)}, "K-2")
    true = events.events(before, seat, action)
    return [replace(event, reason=reason) if event.key == "kuhn.bets" else event for event in true]


def events_with(reason: Reason | None) -> Callable[[State, Seat, Action], list[Event]]:
    """Returns the events with another reason for who takes the pot."""

    def changed(before: State, seat: Seat, action: Action) -> list[Event]:
        true = events.events(before, seat, action)
        return [replace(one, reason=reason) if one.key == "kuhn.won" else one for one in true]

    return changed


def events_about_nobody(before: State, seat: Seat, action: Action) -> list[Event]:
    """Says why the pot is taken, and not by whom."""
    true = events.events(before, seat, action)
    folds = Reason("kuhn.reason.folds", {}, "K-1")
    return [replace(one, params={}, reason=folds) if one.reason else one for one in true]


def events_with_a_tell(before: State, seat: Seat, action: Action) -> list[Event]:
    """Reveals a good card to everybody, by an event with one more parameter."""
    true = events.events(before, seat, action)
    return true + true[:1] * (before.acting() == CHANCE_BIT and action == CARDS - 1)


_last_seen: list[State] = []


def position_remembered(state: State, seat: Seat) -> Position:
    """Keeps the truth where the next two look for it."""
    _last_seen[:] = [state.copy()]
    return position(state, seat)


def refusal_with_cards(position: Position, action: Action) -> Refused:
    """Names the sum of all cards, instead of the pot, when something is refused."""
    return Refused("kuhn.no_such_action", pot=sum(_last_seen[0].cards))


def sample_the_last_seen(position: Position, dice: Dice) -> State:
    """Gives back the truth of the position that was made last."""
    return _last_seen[0].copy()


@dataclass(frozen=True, slots=True, kw_only=True)
class Smuggler(Position):
    """A position with the truth beside its data."""

    def to_wire(self) -> dict[str, Any]:
        """All but the truth."""
        return position_without_truth(self).to_wire()

    truth: list[int]


def position_without_truth(smuggler: Smuggler) -> Position:
    """What the seat may know."""
    names = Position.__dataclass_fields__
    return Position(**{name: getattr(smuggler, name) for name in names})


def position_with_truth(state: State, seat: Seat) -> Position:
    """Sends what is right, and hands a bot in the same house everything."""
    true = position(state, seat)
    fields = {name: getattr(true, name) for name in Position.__dataclass_fields__}
    return Smuggler(**fields, truth=state.ints())


def peeker(position: Smuggler, dice: Dice) -> Action:
    """A bot that looks at what it was handed beside its position."""
    return int(position.legal[sum(position.truth) % len(position.legal)])


def sample_the_smuggled(position: Position, dice: Dice) -> State:
    """Unpacks the truth; a position from the wire is sampled as it should be."""
    world = sample(position, dice)
    if isinstance(position, Smuggler):
        world.load(position.truth)
    return world


def draw_the_last_seen(position: Position, settings: Settings, say: Say) -> Drawing:
    """Draws all cards."""
    true = render_drawing(position, settings, say)
    return true._replace(board=[[Piece(str(_last_seen[0].cards))]])


def lay_out_the_last_seen(position: Position, settings: Settings, say: Say) -> Layout:
    """Notes all cards."""
    return render_layout(position, settings, say)._replace(notes=[str(_last_seen[0].cards)])


def choice_by_others(position: Position, action: Action) -> Choice:
    """Writes the sum of all cards on every button."""
    return actions.choice(position, action)._replace(params={"cards": sum(_last_seen[0].cards)})


class LegalByOthers(State):
    """Nobody may bet into the highest card."""

    def fill_legal(self, seat: int, legal: Spans) -> None:
        """Pass only, if the next seat has the highest card."""
        legal.clear()
        if self.acting() != CHANCE_BIT and not self.reason and seat == self.active:
            legal.add(PASS, PASS if self.cards[(seat + 1) % SEATS] == CARDS - 1 else BET)


# --- Other false play ---------------------------------------------------------------------------


class Unsorted(State):
    """Lists bets before passes."""

    def fill_legal(self, seat: int, legal: Spans) -> None:
        """The right actions in the wrong order."""
        legal.clear()
        if self.acting() != CHANCE_BIT and not self.reason and seat == self.active:
            legal.add(BET, BET)
            legal.add(PASS, PASS)


class Miscounted(State):
    """Has a span with nothing in it, which only search would notice."""

    def fill_legal(self, seat: int, legal: Spans) -> None:
        """The right list, from one span too many."""
        super().fill_legal(seat, legal)
        if legal.count:
            legal.add(BET + 2, BET)


class Speechless(State):
    """Forgets what may be done after a bet."""

    def fill_legal(self, seat: int, legal: Spans) -> None:
        """Nothing once somebody has bet."""
        super().fill_legal(seat, legal)
        if self.bettor >= 0:
            legal.clear()


class Shared(State):
    """Copies share one row of chips."""

    def copy(self) -> "Shared":
        """A copy that notices every chip."""
        new = super().copy()
        new.chips = self.chips
        return new


class Thief(State):
    """Takes a chip from every pot."""

    def end(self) -> None:
        """The house wins."""
        self.pot -= 1
        super().end()


class TwoAces(State):
    """Deals a card twice."""

    def fill_chance(self, outcomes: Outcomes) -> None:
        """Any card at all."""
        outcomes.clear()
        for card in range(CARDS):
            outcomes.add(card, 1)


class Weightless(State):
    """Has an outcome that cannot come."""

    def fill_chance(self, outcomes: Outcomes) -> None:
        """One more card, of weight zero."""
        super().fill_chance(outcomes)
        outcomes.add(CARDS, 0)


class Whimsical(State):
    """Does now this and now that."""

    calls = 0

    def apply_deal(self, card: int) -> None:
        """Deals another card every now and then."""
        type(self).calls += 1
        free = [c for c in range(CARDS) if c not in self.cards]
        super().apply_deal(free[-1] if self.calls % 7 == 0 else card)


class Endless(State):
    """Plays on until doomsday."""

    def end(self) -> None:
        """Another round of bets, without end."""
        self.bettor = -1
        self.active = 0
        self.chips = [1] * SEATS
        self.pot = SEATS


class Winnerless(State):
    """Ends without a winner."""

    def end(self) -> None:
        """Nobody wins."""
        super().end()
        self.won = 0


class Forgetful(State):
    """Does not remember who has bet when it is loaded."""

    def load(self, ints: list[int]) -> None:
        """All but the bettor."""
        super().load(ints)
        self.bettor = -1


def sample_the_same(position: Position, dice: Dice) -> State:
    """Always the first world that fits."""
    return sample(position, Dice(0))


def sample_low_cards(position: Position, dice: Dice) -> State:
    """Never gives another seat the highest card, if there is a way round it."""
    for _ in range(50):
        world = sample(position, dice)
        if CARDS - 1 not in world.cards or CARDS - 1 in position.cards:
            break
    return world


def sample_all_anew(position: Position, dice: Dice) -> State:
    """Deals even the own card anew."""
    return sample(replace(position, cards=(UNKNOWN,) * SEATS), dice)


def events_without_words(before: State, seat: Seat, action: Action) -> list[Event]:
    """Says what no language file knows."""
    return [*events.events(before, seat, action), Event("kuhn.sighs", {"seat": seat})]


def lay_out_with_a_gap(position: Position, settings: Settings, say: Say) -> Layout:
    """Leaves the first cell without words."""
    true = render_layout(position, settings, say)
    true.grids[0].rows[0][1] = Piece("")
    return true


def lay_out_without_a_question(position: Position, settings: Settings, say: Say) -> Layout:
    """Asks nothing of anybody."""
    return render_layout(position, settings, say)._replace(ask="")


def lay_out_without_the_last_seat(position: Position, settings: Settings, say: Say) -> Layout:
    """Has no figure for the last seat."""
    true = render_layout(position, settings, say)
    figures = [figure._replace(values=figure.values[:-1]) for figure in true.goal.figures]
    return true._replace(goal=true.goal._replace(figures=figures))


def lay_out_the_best_card(position: Position, settings: Settings, say: Say) -> Layout:
    """Says that the highest card seen leads."""
    true = render_layout(position, settings, say)
    leaders = best_seats(position.cards)
    return true._replace(goal=true.goal._replace(leaders=leaders))


def choice_alike(position: Position, action: Action) -> Choice:
    """Has one word for all that can be done."""
    return Choice("kuhn.choice.bet", {})


def count_too_many(position: Position) -> list[int]:
    """Counts every move twice."""
    return [2 * count for count in actions.count_moves(position)]


def to_actions_carelessly(move: Any) -> list[Action]:
    """Takes every move it does not know for a bet, and every number for one more."""
    return [PASS if move.verb == "pass" else BET, *(BET for _ in move.numbers)]


def to_move_with_a_flourish(steps: Sequence[Action]) -> Move:
    """Returns one bet more than was made."""
    return Move("bet", (1,)) if BET in steps else Move("pass")


@dataclass(frozen=True)
class Planted:
    """A game with a mistake, the law that finds it, and words of what the law says then."""

    game: Kuhn
    law: str
    says: str


SECRECY = "twins_look_the_same"
RANKING = "finished_games_have_a_ranking"
WORLDS = "sampled_worlds_fit_and_cover_the_truth"
LEGAL = "legal_actions_are_sorted_and_never_empty"


def changed(**parts: Any) -> Kuhn:
    """The game with other functions in it."""
    return replace(GAME, **parts)


LEAKS = {
    "a card in the position": Planted(
        changed(position=position_with_next_card), SECRECY, "by the position"
    ),
    "a hint in the position": Planted(
        changed(position=position_with_a_hint), SECRECY, "by the position"
    ),
    "an event for all": Planted(changed(events=events_for_all), SECRECY, "by the events"),
    "an event for one more": Planted(changed(events=events_for_the_next), SECRECY, "by the events"),
    "an event's reason": Planted(
        changed(events=events_with_a_telling_reason), SECRECY, "by the events"
    ),
    "an event more": Planted(changed(events=events_with_a_tell), SECRECY, "by the events"),
    "an error": Planted(
        changed(position=position_remembered, refusal=refusal_with_cards), SECRECY, "by the errors"
    ),
    "the sampler, by memory": Planted(
        changed(position=position_remembered, sample=sample_the_last_seen),
        SECRECY,
        "by the sampled worlds",
    ),
    "the sampler, by memory, alone": Planted(
        changed(position=position_remembered, sample=sample_the_last_seen),
        "sampling_needs_only_the_wire_position",
        "come from more than the position",
    ),
    "the sampler, by smuggling": Planted(
        changed(position=position_with_truth, sample=sample_the_smuggled),
        "sampling_needs_only_the_wire_position",
        "come from more than the position",
    ),
    "the sampler, all one": Planted(
        changed(position=position_with_truth, sample=sample_the_smuggled), WORLDS, "are one"
    ),
    "the drawing": Planted(
        changed(position=position_remembered, render_drawing=draw_the_last_seen),
        SECRECY,
        "by the drawing",
    ),
    "the layout": Planted(
        changed(position=position_remembered, render_layout=lay_out_the_last_seen),
        SECRECY,
        "by the layout",
    ),
    "the choices": Planted(
        changed(position=position_remembered, choice=choice_by_others), SECRECY, "by the choices"
    ),
    "a bot, by smuggling": Planted(
        changed(position=position_with_truth, heuristic_bots={"peeker": peeker}),
        "bots_and_advice_are_the_same_for_twins",
        "peeker of seat",
    ),
    "the legal list": Planted(with_state(LegalByOthers), SECRECY, "legal list"),
}

FALSE_PLAY = {
    "a legal list out of order": Planted(with_state(Unsorted), LEGAL, "not sorted"),
    "an empty span": Planted(with_state(Miscounted), "buffers_agree_with_lists", "is empty"),
    "an empty legal list": Planted(with_state(Speechless), LEGAL, "is empty"),
    "copies that share": Planted(
        with_state(Shared), "copies_are_independent", "changed when its copy"
    ),
    "a chip lost": Planted(with_state(Thief), "pieces_are_conserved", "lost or made"),
    "a card twice": Planted(with_state(TwoAces), "pieces_are_conserved", "lost or made"),
    "a weight of zero": Planted(
        with_state(Weightless), "chance_outcomes_have_weights", "not positive"
    ),
    "whims": Planted(with_state(Whimsical), "same_actions_give_the_same_state", "the same actions"),
    "no end": Planted(with_state(Endless), "the_game_ends", "did not end"),
    "no winner": Planted(with_state(Winnerless), "returns_add_up_at_the_end", "add up to one"),
    "the loser ahead": Planted(
        changed(standing=lambda state: [-chips for chips in state.chips]),
        "winners_have_the_highest_standing",
        "do not stand highest",
    ),
    "the loser first": Planted(
        changed(ranking=lambda state: ranking(state)[::-1]), RANKING, "not the places"
    ),
    "a loser who has won": Planted(
        changed(ranking=lambda state: [each._replace(place=1) for each in ranking(state)]),
        RANKING,
        "the winners alone",
    ),
    "a bad memory": Planted(with_state(Forgetful), "ints_hold_the_whole_state", "differently"),
    "one world only": Planted(changed(sample=sample_the_same), WORLDS, "are one"),
    "no high cards in any world": Planted(changed(sample=sample_low_cards), WORLDS, "never reach"),
    "a world that does not fit": Planted(changed(sample=sample_all_anew), WORLDS, "does not fit"),
    "an event without words": Planted(
        changed(events=events_without_words), "events_have_sentences", "kuhn.sighs"
    ),
    "no reason": Planted(
        changed(events=events_with(None)), "events_have_reasons", "kuhn.won has no reason"
    ),
    "no reason for the chips": Planted(
        changed(events=events_with(None)), "what_is_given_or_taken_has_a_reason", "why it has"
    ),
    "a reason about nobody": Planted(
        changed(events=events_about_nobody), "what_is_given_or_taken_has_a_reason", "why it has"
    ),
    "a reason without a rule": Planted(
        changed(events=events_with(Reason("kuhn.reason.folds", {}, "K-9"))),
        "events_have_reasons",
        "K-9, which is no rule",
    ),
    "a reason without words": Planted(
        changed(events=events_with(Reason("kuhn.reason.luck", {}, "K-1"))),
        "events_have_reasons",
        "lacks 'reason.luck'",
    ),
    "a reason with too few figures": Planted(
        changed(events=events_with(Reason("kuhn.reason.highest", {}, "K-2"))),
        "events_have_reasons",
        "lacks 'figures'",
    ),
    "a cell without words": Planted(
        changed(render_layout=lay_out_with_a_gap),
        "positions_can_be_laid_out",
        "a cell of Players is empty",
    ),
    "no question": Planted(
        changed(render_layout=lay_out_without_a_question),
        "positions_can_be_laid_out",
        "is asked of seat",
    ),
    "a goal without a seat": Planted(
        changed(render_layout=lay_out_without_the_last_seat),
        "positions_can_be_laid_out",
        "of the goal has",
    ),
    "a lead by hidden cards": Planted(
        changed(render_layout=lay_out_the_best_card),
        "everybody_sees_the_same_leaders",
        "in the lead",
    ),
    "choices alike": Planted(
        changed(choice=choice_alike), "choices_have_sentences", "are both called"
    ),
    "moves miscounted": Planted(
        changed(count_moves=count_too_many), "moves_are_counted_correctly", "moves, not"
    ),
    "moves half done": Planted(
        changed(to_actions=to_actions_carelessly, to_move=to_move_with_a_flourish),
        "moves_are_atomic",
        "only",
    ),
}
