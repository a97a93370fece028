"""Questions about a table that change nothing: previews of moves, hints, and the time."""

from cosca.bots.consigliere import describe_move, format_reason
from cosca.core.errors import Refused
from cosca.core.move import Move
from cosca.core.names import SPECTATOR, Seat
from cosca.server import wire
from cosca.server.domain import commands
from cosca.server.domain.room import Room
from cosca.server.live import views
from cosca.server.live.bot_pool import Bots
from cosca.server.live.views import Viewer

Preview = commands.PreviewActions | commands.PreviewText | commands.PreviewMove
Question = Preview | commands.Hint | commands.Ping
"""A command that changes nothing."""


def preview(room: Room, viewer: Viewer, command: Preview) -> wire.Preview:
    """Return what a seat would see after some steps, and whether they are a whole move."""
    table = room.playing()
    if viewer.seat == SPECTATOR:
        raise Refused("web.spectator")
    steps = _steps(room, viewer.seat, command)
    position, is_whole = table.preview_steps(viewer.seat, steps)
    move = room.game.to_move(steps) if steps else None
    return wire.Preview(
        id=command.id,
        actions=steps,
        text=room.game.format_move(move) if move else "",
        move=move.to_wire() if move else [],
        complete=is_whole,
        view=views.view_of(room, viewer, position),
    )


def _steps(room: Room, seat: Seat, command: Preview) -> list[int]:
    """Return the steps to preview."""
    if isinstance(command, commands.PreviewActions):
        return command.actions
    if isinstance(command, commands.PreviewMove):
        move = Move(command.verb, tuple(command.numbers))
    else:
        move = room.game.parse_move(command.text)
    return room.playing().move_actions(seat, move)


async def hint(room: Room, seat: Seat, command: commands.Hint, bots: Bots) -> wire.HintAnswer:
    """Ask the consigliere for the best moves of a seat that plays alone against bots."""
    table = room.playing()
    if seat == SPECTATOR:
        raise Refused("web.spectator")
    position = table.position(seat)
    if seat not in position.actors or not position.legal:
        raise Refused("game_over" if table.is_over else "not_your_turn")
    if len(room.seats.persons()) > 1:  # a hint remembers every card
        raise Refused("web.no_hints")
    advice = await bots.advise(room.game.name, position)
    if room.position(seat) != position:  # the game has gone on meanwhile
        return wire.HintAnswer(id=command.id, moves=[], reason="", principal_variation=[])
    moves = [
        wire.Suggestion(list(move.actions), describe_move(move), move.shares[seat], move.visits)
        for move in advice.moves
    ]
    variation = [wire.ExpectedMove(step.seat, step.text) for step in advice.principal_variation]
    reason = format_reason(room.game, advice, describe_move)
    return wire.HintAnswer(id=command.id, moves=moves, reason=reason, principal_variation=variation)
