"""A finished game told again, move by move, through any eyes."""

from cosca.core.errors import Refused
from cosca.core.names import SPECTATOR
from cosca.match.replay import OMNISCIENT, Ply, Replay, Viewer
from cosca.match.score_sheet import describe_events, format_ply
from cosca.server import wire
from cosca.server.domain.room import Room
from cosca.server.live import views
from cosca.words import say

WATCHING = views.Viewer(SPECTATOR, False, "text")
ENDLESS = 10_000
"""Columns of a line that is not to be broken."""


def replay_of(room: Room) -> Replay:
    """A game that is over, to be looked at again."""
    if room.stage != "over":
        raise Refused("web.not_over")
    names = [chair.name for chair in room.seats]
    replay = Replay(room.game, room.settings, names, room.code)
    for seat, action in room.playing().log:
        replay.apply(seat, action)
    return replay


def parse_viewer(replay: Replay, told: str) -> Viewer:
    """Whose eyes are asked for: all, watch, or the number of a seat."""
    if told == "all":
        return OMNISCIENT
    if told == "watch":
        return SPECTATOR
    if told.isdecimal() and len(told) < 3 and int(told) < replay.seats:
        return int(told)
    raise Refused("web.bad_eyes", eyes=told[:20])


def replay_payload(room: Room, replay: Replay, told: str) -> wire.Story:
    """The whole game as these eyes saw it."""
    eyes = parse_viewer(replay, told)
    return wire.Story(
        room=views.seen_room(room, WATCHING, ()),
        eyes=told,
        result=views.result(room, WATCHING),
        moments=[
            wire.Moment(
                number=ply.number,
                text=move_text(replay, ply, eyes),
                events=describe_events(replay, ply, eyes),
                happened=[views.as_event(event) for event in ply.events_for(eyes)],
            )
            for ply in replay.plies
        ],
    )


def move_text(replay: Replay, ply: Ply, eyes: Viewer) -> str:
    """A move as one line of the score."""
    return " ".join(format_ply(replay, ply, eyes, ENDLESS)[0].split())


def snapshot(room: Room, replay: Replay, number: int, told: str) -> wire.TextView:
    """The table as these eyes saw it after so many moves."""
    eyes = parse_viewer(replay, told)
    if not 0 <= number <= len(replay.plies):
        raise Refused("web.no_such_moment", number=number, most=len(replay.plies))
    position = replay.reveal(number) if eyes is OMNISCIENT else replay.position(number, eyes)
    layout = room.game.render_layout(position, room.settings, say)
    return wire.TextView(
        round=views.round_told(room, replay.round(number)),
        actors=list(position.actors),
        ask="",
        grids=views.grids(layout),
        notes=layout.notes,
        choices=[],
        position=position.to_wire() if eyes is OMNISCIENT else views.as_data(room, position),
        sights=[],
        race=0.0,
        clocks=[],
        result=views.result(room, WATCHING) if replay.is_over(number) else "",
    )
