"""Replay finished games: all moves, and the table after any of them, as any viewer saw it."""

from typing import Final

from cosca.core.errors import Refused
from cosca.core.names import SPECTATOR
from cosca.match.replay import OMNISCIENT, Ply, Replay, Viewer
from cosca.match.score_sheet import describe_events, format_ply
from cosca.server import wire
from cosca.server.domain.room import Room
from cosca.server.live import views
from cosca.words import say

AS_SPECTATOR: Final = views.Viewer(SPECTATOR, False, "text")
UNBROKEN: Final = 10_000
"""Columns of a line that is never wrapped."""


def replay_of(room: Room) -> Replay:
    """Play a finished game again."""
    if room.stage != "over":
        raise Refused("web.not_over")
    names = [chair.name for chair in room.seats]
    replay = Replay(room.game, room.settings, names, room.code)
    for seat, action in room.playing().log:
        replay.apply(seat, action)
    return replay


def parse_viewer(replay: Replay, text: str) -> Viewer:
    """Return who is meant by `all`, `spectator` or the number of a seat."""
    if text == "all":
        return OMNISCIENT
    if text == "spectator":
        return SPECTATOR
    if text.isdecimal() and len(text) < 3 and int(text) < replay.seats:
        return int(text)
    raise Refused("web.bad_viewer", viewer=text[:20])


def replay_payload(room: Room, replay: Replay, viewer_name: str) -> wire.Replay:
    """Return a whole game as a viewer saw it."""
    viewer = parse_viewer(replay, viewer_name)
    return wire.Replay(
        room=views.room_payload(room, AS_SPECTATOR, ()),
        viewer=viewer_name,
        result=views.result(room, AS_SPECTATOR),
        moves=[
            wire.ReplayedMove(
                number=ply.number,
                text=move_text(replay, ply, viewer),
                sentences=describe_events(replay, ply, viewer),
                events=[views.event_text(event) for event in ply.events_for(viewer)],
            )
            for ply in replay.plies
        ],
    )


def move_text(replay: Replay, ply: Ply, viewer: Viewer) -> str:
    """Return a move as one line of the score sheet."""
    return " ".join(format_ply(replay, ply, viewer, UNBROKEN)[0].split())


def snapshot(room: Room, replay: Replay, number: int, viewer_name: str) -> wire.TextView:
    """Return the table as a viewer saw it after some moves."""
    viewer = parse_viewer(replay, viewer_name)
    if not 0 <= number <= len(replay.plies):
        raise Refused("web.no_such_move", number=number, most=len(replay.plies))
    position = replay.reveal(number) if viewer is OMNISCIENT else replay.position(number, viewer)
    layout = room.game.render_layout(position, room.settings, say)
    return wire.TextView(
        round=views.round_text(room, replay.round(number)),
        actors=list(position.actors),
        question="",
        meaning=None,
        grids=views.grids(layout),
        notes=layout.notes,
        goal=views.goal(layout),
        choices=[],
        position=position.to_wire()
        if viewer is OMNISCIENT
        else views.position_data(room, position),
        sights=[],
        reaction_seconds=0.0,
        clocks=[],
        result=views.result(room, AS_SPECTATOR) if replay.is_over(number) else "",
        ranking=views.ranking(room.game, room.playing().ranking())
        if replay.is_over(number)
        else [],
    )
