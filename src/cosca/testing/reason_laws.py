"""The laws of reasons: whatever happens to a player, an event says why and names the rule.

The first law asks of every event what the case does not declare plain. The second does not listen
to declarations: it compares what each seat has before and after a step.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from cosca.core.events import Event
from cosca.core.names import CHANCE, Seat
from cosca.testing.case import Case
from cosca.testing.laws import Law, translator
from cosca.testing.traceability import rule_ids
from cosca.testing.walks import Walk

SEAT_PARAMS: Final = frozenset({"seat", "other", "one", "seats", "tied", "figures"})
"""The parameters that name seats: one, several, or several with a figure each."""


def events_have_reasons(case: Case, walk: Walk) -> int:
    """Every event that is not declared plain names a reason with an existing rule and sentence."""
    rules = case.rules or rule_ids(case.game)
    checked = 0
    for state, (seat, action) in zip(walk.states(), walk.log, strict=False):
        for event in case.game.events(state, seat, action):
            key = event.key.removeprefix(f"{case.game.name}.")
            assert event.reason or key in case.plain_events, (
                f"{event.key} has no reason: give it one, or declare it plain"
            )
            if event.reason:
                check_reason(case, event, rules)
                checked += 1
    return checked


def check_reason(case: Case, event: Event, rules: frozenset[str]) -> None:
    """Check the rule of a reason, and its sentence in every language."""
    reason = event.reason
    assert reason is not None
    assert reason.rule in rules, f"the reason of {event.key} names {reason.rule}, which is no rule"
    assert reason.key.startswith(f"{case.game.name}.reason."), (
        f"{reason.key} is not below [reason] in the words of the game"
    )
    for language in case.languages:
        translator(case, language)(reason.key, reason.params)


def what_is_given_or_taken_has_a_reason(case: Case, walk: Walk) -> int:
    """If a step changes what a seat has, other than by its own move, an event tells it why.

    Chance may deal alike to everyone, for the purposes that the case names, and only then.
    """
    checked = 0
    states = list(walk.states())
    for number, (actor, action) in enumerate(walk.log):
        before, after = states[number], states[number + 1]
        if actor == CHANCE and case.game.chance_purpose(before) in case.dealing:
            continue
        events = case.game.events(before, actor, action)
        for seat in range(walk.setup.seats):
            had, has = case.holdings(before, seat), case.holdings(after, seat)
            checked += had != has
            assert seat == actor or had == has or any(seat in seats_of(e, seat) for e in events), (
                f"nothing tells seat {seat} why it has {has} and no longer {had},"
                f" after step {number + 1} of {walk.setup.name}"
            )
    return checked


def seats_of(event: Event, viewer: Seat) -> set[Seat]:
    """Return the seats that an event and its reason name; none if the viewer may not know it."""
    reason = event.reason
    if reason is None or not event.is_for(viewer):
        return set()
    return {*_named(event.params), *_named(reason.params)}


def _named(params: Mapping[str, object]) -> Iterator[Seat]:
    """Yield the seats among some parameters."""
    for name, value in params.items():
        for one in value if isinstance(value, tuple) else (value,):
            seat = one[0] if isinstance(one, tuple) else one
            if name in SEAT_PARAMS and isinstance(seat, int):
                yield seat


REASON_LAWS: Final[tuple[Law, ...]] = (
    events_have_reasons,
    what_is_given_or_taken_has_a_reason,
)
"""The laws of reasons."""
