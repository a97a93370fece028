"""Build the messages that viewers get: the whole table first, then what has changed.

They are made from positions and from events with an audience. A message is sent only if something
has changed for that viewer, and none is numbered: so nobody can conclude from the traffic that
somebody else has answered in secret.
"""

from collections.abc import Collection, Sequence
from typing import Any, Final, Literal, NamedTuple

import msgspec

from cosca.core import events as core
from cosca.core.drawing import Layout
from cosca.core.game import Game
from cosca.core.names import SPECTATOR, Seat
from cosca.core.position import Position
from cosca.core.ranking import Ranked
from cosca.match.ranking_text import figure_label, figure_text
from cosca.server import wire
from cosca.server.domain.clocks import SECOND
from cosca.server.domain.room import Room
from cosca.words import LANGUAGE, say, speaking

REACTION_SECONDS: Final = 8.0
"""Seconds to react where the fastest reaction counts; after that the server passes for you."""

CHAT_KEPT: Final = 100
"""Chat messages that are sent to somebody who comes later, the latest ones."""

ViewFormat = Literal["text", "data"]


class Viewer(NamedTuple):
    """What decides how a table is shown: the seat, whether it is the host, format and language."""

    seat: Seat
    is_host: bool
    format: ViewFormat
    language: str = LANGUAGE


View = wire.TextView | wire.DataView


# --- The room -------------------------------------------------------------------------------------


def room_payload(
    room: Room, viewer: Viewer, present: Collection[Seat], watchers: int = 0
) -> wire.Room:
    """Return a table without its game, as a viewer sees it."""
    may_count = viewer.seat != SPECTATOR or viewer.is_host
    return wire.Room(
        code=room.code,
        game=room.game.name,
        title=room.game.title,
        edition=room.game.edition_of(room.settings),
        options=dict(room.settings),
        stage=room.stage,
        seats=seats(room, present),
        you=viewer.seat,
        host=viewer.is_host,
        seal=room.deal.contributions.seal,
        dealing=room.deal.contributions.phase if room.stage == "sealing" else "",
        contributions=contributions(room),
        taken_back=room.takebacks.steps,
        rematch=room.rematch,
        pace=room.pace.kind,
        move_seconds=room.pace.move // SECOND,
        bank_seconds=room.pace.bank // SECOND,
        paused=room.is_paused,
        proposal=_proposal(room),
        listed=room.listed,
        spectator_chat=room.chat.is_open,
        watchers=watchers if may_count else 0,
    )


def _proposal(room: Room) -> wire.Proposal | None:
    proposal = room.agreement.proposal
    if proposal is None:
        return None
    return wire.Proposal(
        what=proposal.what,
        seat=proposal.seat,
        agreed=sorted(proposal.agreed),
        asked=room.agreement.pending(room.seats.players()),
    )


def contributions(room: Room) -> list[wire.Contributed]:
    """Return what each seat has contributed to the deal; nothing before it begins."""
    given = room.deal.contributions
    if room.stage == "lobby" or given.format == 1:
        return []
    is_dealt = room.stage != "sealing"
    persons = room.deal.persons if is_dealt else room.seats.persons()
    return [
        wire.Contributed(
            status=given.status(seat, is_person=seat in persons, is_dealt=is_dealt),
            commitment=given.commitments.get(seat, ""),
        )
        for seat in range(len(room.seats))
    ]


def newest_link(room: Room) -> wire.Link | None:
    """Return the newest link of the chain that may be published."""
    link = room.newest_link()
    return wire.Link(step=link.step, chain=link.chain) if link else None


def seats(room: Room, present: Collection[Seat]) -> list[wire.Seated]:
    """Return who has each seat."""
    return [
        wire.Seated(
            seat_name=say(f"{room.game.name}.seat.{seat}", {}),
            kind=chair.kind,
            name=chair.name,
            bot=chair.bot,
            present=seat in present,
        )
        for seat, chair in enumerate(room.seats)
    ]


# --- The game -------------------------------------------------------------------------------------


def current_view(room: Room, viewer: Viewer) -> View | None:
    """Return what a viewer sees of the game; None before the cards are dealt."""
    if room.table is None:
        return None
    if room.shown.aids_memory:
        return view_of(room, viewer, room.position(viewer.seat))
    if viewer.format == "data":
        return visible_position_as_data(room, viewer)
    return view_of(room, viewer, room.shown.position(viewer.seat))


def view_of(room: Room, viewer: Viewer, position: Position) -> View:
    """Return a position in the format of a viewer."""
    make = text_view if viewer.format == "text" else data_view
    return make(room, viewer, position)


def text_view(room: Room, viewer: Viewer, position: Position) -> wire.TextView:
    """Return a position as grids, texts and buttons."""
    layout = room.game.render_layout(position, room.settings, say)
    return wire.TextView(
        round=round_text(room, room.playing().round),
        actors=list(position.actors),
        question=layout.ask,
        meaning=wire.Meaning(*layout.meaning) if layout.meaning.text else None,
        grids=grids(layout),
        notes=layout.notes,
        goal=goal(layout),
        choices=choices(room, position),
        position=position_data(room, position),
        sights=[event_text(event) for event in room.shown.sights(viewer.seat)],
        reaction_seconds=_reaction_seconds(room, position),
        clocks=clocks(room, viewer.seat),
        result=result(room, viewer),
        ranking=ranking(room.game, room.playing().ranking()),
    )


def grids(layout: Layout) -> list[wire.Grid]:
    """Return the grids of a layout."""
    return [
        wire.Grid(
            grid.caption,
            grid.head,
            [[wire.Cell(piece.text, piece.style) for piece in row] for row in grid.rows],
        )
        for grid in layout.grids
    ]


def goal(layout: Layout) -> wire.Goal:
    """Return the goal of a layout."""
    text, figures, leaders, details = layout.goal
    return wire.Goal(text, [wire.Progress(*figure) for figure in figures], leaders, details)


def choices(room: Room, position: Position) -> list[wire.Choice]:
    """Return the steps that may be taken in a position, with the texts of their buttons."""
    found = []
    for action in position.legal:
        choice = room.game.choice(position, action)
        group = say(*choice.group) if choice.group else ""
        about = {**(choice.group[1] if choice.group else {}), **choice.params}
        name = choice.key.rpartition(".")[2]
        found.append(wire.Choice(action, say(choice.key, choice.params), group, name, about))
    return found


def position_data(room: Room, position: Position) -> dict[str, Any]:
    """Return a position as data; what was learned earlier only if the table aids memory."""
    return position.to_wire() if room.shown.aids_memory else position.visible_fields()


def data_view(room: Room, viewer: Viewer, position: Position) -> wire.DataView:
    """Return a position as data, for programs."""
    return wire.DataView(
        actors=list(position.actors),
        position=position_data(room, position),
        sights=[event_data(event) for event in room.shown.sights(viewer.seat)],
        reaction_seconds=_reaction_seconds(room, position),
        clocks=clocks(room, viewer.seat),
        result=result(room, viewer),
        ranking=ranking_as_data(room.playing().ranking()),
    )


def visible_position_as_data(room: Room, viewer: Viewer) -> wire.DataView:
    """Return what a viewer sees now as data, without building a position if none is needed."""
    own: Any = room.shown.private_fields(viewer.seat)
    written: Any = msgspec.Raw(_position_json(room, viewer.seat))
    return wire.DataView(
        actors=own["actors"],
        position=written,
        sights=[event_data(event) for event in room.shown.sights(viewer.seat)],
        reaction_seconds=_reaction_seconds(room, room.shown.position(viewer.seat))
        if own["legal"]
        else 0.0,
        clocks=clocks(room, viewer.seat),
        result=result(room, viewer),
        ranking=ranking_as_data(room.playing().ranking()),
    )


def _position_json(room: Room, seat: Seat) -> bytes:
    """Encode what a seat sees now; what everybody sees is encoded once for all."""
    encoded = room.shown.derived
    if "public_fields" not in encoded:
        encoded["public_fields"] = wire.write(room.shown.public_fields())
    public: bytes = encoded["public_fields"]
    return wire.write(room.shown.private_fields(seat))[:-1] + b"," + public[1:]


def clocks(room: Room, seat: Seat) -> list[wire.Timer]:
    """Return the clocks that a seat, or a spectator, sees run."""
    return [
        wire.Timer(seat=other, move_until=move_until, until=until)
        for other, move_until, until in room.timers(seat)
    ]


def _reaction_seconds(room: Room, position: Position) -> float:
    return REACTION_SECONDS if position.legal and room.game.is_race(position) else 0.0


def round_text(room: Room, rounds: int) -> str:
    """Return the number of the round as text, in the words of the game; empty before the first."""
    what = say(f"{room.game.name}.about.round", {})
    return say("web.round", {"what": what, "round": rounds}) if rounds else ""


def result(room: Room, viewer: Viewer) -> str:
    """Return who has won, as a sentence for a viewer; empty while the game goes on."""
    if room.stage != "over":
        return ""
    winners = [seat for seat, share in enumerate(room.playing().returns()) if share > 0]
    if winners == [viewer.seat]:
        return say("play.you_won", {})
    names = say("play.and", {}).join(seat_and_name(room, seat) for seat in winners)
    if viewer.seat in winners:
        return say("play.you_shared", {"names": names})
    return say("play.they_won", {"names": names, "number": len(winners)})


def ranking(game: Game[Any, Any], found: Sequence[Ranked]) -> list[wire.Ranked]:
    """Return a ranking with texts."""
    return [
        wire.Ranked(
            place=ranked.place,
            seat=ranked.seat,
            figures=[
                wire.Figure(
                    key=key,
                    value=value,
                    label=figure_label(game, key),
                    text=figure_text(game, key, value),
                )
                for key, value in ranked.figures.items()
            ],
        )
        for ranked in found
    ]


def ranking_as_data(found: Sequence[Ranked]) -> list[wire.Ranked]:
    """Return a ranking without texts."""
    return [
        wire.Ranked(
            place=ranked.place,
            seat=ranked.seat,
            figures=[wire.Figure(key=key, value=value) for key, value in ranked.figures.items()],
        )
        for ranked in found
    ]


def seat_and_name(room: Room, seat: Seat) -> str:
    """Return the name of a seat with the name of the person or bot that has it."""
    called = say(f"{room.game.name}.seat.{seat}", {})
    return say("web.named", {"called": called, "name": room.seats[seat].name})


def visible_events(room: Room, viewer: Viewer, since: int = 0) -> list[wire.Event]:
    """Return the events since some event that a viewer may read."""
    convert = event_text if viewer.format == "text" else event_data
    return [convert(event) for event in room.shown.events(viewer.seat, since)]


def encoded_events(room: Room, viewer: Viewer, since: int) -> list[Any]:
    """Return the same events encoded; each is encoded once for all who may read it."""
    encoded = room.shown.derived
    key = (viewer.format, viewer.language, since)
    if key not in encoded:
        convert = event_text if viewer.format == "text" else event_data
        encoded[key] = [
            (event, msgspec.Raw(wire.write(convert(event))))
            for event in (room.table.events[since:] if room.table else ())
        ]
    return [raw for event, raw in encoded[key] if room.shown.may_read(event, viewer.seat)]


def event_text(event: core.Event) -> wire.Event:
    """Return an event with its sentence, and with that of its reason."""
    text = say(event.key, event.params)
    reason = event.reason
    why = None if reason is None else reason_payload(reason, say(reason.key, reason.params))
    return wire.Event(key=event.key, text=text, params=dict(event.params), reason=why)


def event_data(event: core.Event) -> wire.Event:
    """Return an event without its sentence."""
    why = None if event.reason is None else reason_payload(event.reason)
    return wire.Event(key=event.key, params=dict(event.params), reason=why)


def reason_payload(reason: core.Reason, text: str = "") -> wire.Reason:
    params = {
        name: [list(one) if isinstance(one, tuple) else one for one in value]
        if isinstance(value, tuple)
        else value
        for name, value in reason.params.items()
    }
    return wire.Reason(key=reason.key, text=text, params=params, rule=reason.rule)


# --- Full, and what has changed -------------------------------------------------------------------


def sync_message(room: Room, viewer: Viewer, present: Collection[Seat], watchers: int = 0) -> bytes:
    """Encode everything that a viewer may know."""
    with speaking(viewer.language):
        return wire.write(
            wire.Sync(
                room=room_payload(room, viewer, present, watchers),
                view=current_view(room, viewer),
                events=visible_events(room, viewer),
                chat=room.chat.readable_by(viewer.seat)[-CHAT_KEPT:],
                link=newest_link(room),
            )
        )


class Stream:
    """The messages for everybody who shares a view, so that nothing is sent twice.

    What was sent last is kept encoded, which is small and quick to compare.
    """

    def __init__(
        self, room: Room, viewer: Viewer, present: Collection[Seat], watchers: int = 0
    ) -> None:
        self.room = room
        self.viewer = viewer
        with speaking(viewer.language):
            self._room = wire.write(room_payload(room, viewer, present, watchers))
            self._view = wire.write(current_view(room, viewer))
        self._link = newest_link(room)
        self._length = room.length
        self._events = self._event_count()
        self._chat = len(room.chat.readable_by(viewer.seat))

    def _event_count(self) -> int:
        return len(self.room.table.events) if self.room.table else 0

    def update(self, present: Collection[Seat], watchers: int = 0, *, arranged: bool) -> bytes:
        """Encode what has changed for the viewer; empty if nothing has.

        The room is compared only if `arranged`: its seats, stage or who is present may be new.
        """
        with speaking(self.viewer.language):
            return self._update(present, watchers, arranged=arranged)

    def _update(self, present: Collection[Seat], watchers: int, *, arranged: bool) -> bytes:
        room, viewer = self.room, self.viewer
        seen = wire.write(room_payload(room, viewer, present, watchers)) if arranged else self._room
        is_new = room.length != self._length  # coming and going changes no view
        view = wire.write(current_view(room, viewer)) if is_new else self._view
        events = encoded_events(room, viewer, self._events)
        chat = room.chat.readable_by(viewer.seat)[self._chat :]
        link = newest_link(room)
        update = wire.Update(
            room=_if_changed(seen, self._room),
            view=_if_changed(view, self._view),
            events=events,
            chat=chat,
            link=link if link != self._link else None,
        )
        self._room, self._view, self._length, self._link = seen, view, room.length, link
        self._events, self._chat = self._event_count(), len(room.chat.readable_by(viewer.seat))
        return wire.write(update) if update != NOTHING else b""


def _if_changed(now: bytes, before: bytes) -> Any:
    """Return an encoded part of an update if it differs from the one before, else None."""
    return msgspec.Raw(now) if now != before else None


NOTHING: Final = wire.Update()
