"""Questions about a table that change nothing in its log: previews of moves, and hints."""

from cosca.bots.consigliere import (
    Advice,
    AdvisedMove,
    describe_move,
    describe_steps,
    format_better,
    format_explanation,
    format_figures,
)
from cosca.core.errors import Refused
from cosca.core.move import Move
from cosca.core.names import SPECTATOR, Seat
from cosca.match.typed_moves import read_move
from cosca.server import wire
from cosca.server.domain import commands
from cosca.server.domain.room import Room
from cosca.server.live import views
from cosca.server.live.bot_pool import Bots
from cosca.server.live.views import Viewer

Preview = commands.PreviewActions | commands.PreviewText | commands.PreviewMove
Question = Preview | commands.Hint | commands.HoldReactions | commands.Ready | commands.Ping
"""A command that changes nothing in the log."""


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
        text=describe_steps(table.step_choices(viewer.seat, steps)),
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
        move = read_move(room.game, command.text)
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
    begun = table.order_actions(seat, command.actions)  # refuses steps that are not legal
    advice = await bots.advise(room.game.name, position, begun)
    if room.position(seat) != position:  # the game has gone on meanwhile
        advice = Advice((), (), "", {})
    return _answer(room, seat, command, advice)


def _answer(room: Room, seat: Seat, command: commands.Hint, advice: Advice) -> wire.HintAnswer:
    """Return advice as it is sent; empty if there is none."""

    def suggestion(move: AdvisedMove) -> wire.Suggestion:
        chance = move.shares[seat]
        return wire.Suggestion(list(move.actions), describe_move(move), chance, move.visits)

    why = advice.explanation
    return wire.HintAnswer(
        id=command.id,
        moves=[suggestion(move) for move in advice.moves],
        explanation=views.reason_payload(why, format_explanation(advice)) if why else None,
        figures=format_figures(room.game, advice, describe_move) if advice.moves else "",
        better=suggestion(advice.better) if advice.better else None,
        warning=format_better(advice, describe_move),
        principal_variation=[
            wire.ExpectedMove(step.seat, describe_steps(step.choices))
            for step in advice.principal_variation
        ],
    )
