"""Compute how the win chances went in finished games, in the background, one game at a time."""

import asyncio
from collections.abc import Sequence
from typing import Final

from cosca.bots.win_chances import (
    Shares,
    TurningPoint,
    plies_to_refine,
    sampled_plies,
    turning_points,
)
from cosca.core.position import Position
from cosca.match.replay import OMNISCIENT, Replay
from cosca.match.score_sheet import describe_moment
from cosca.server import wire
from cosca.server.http.replay_api import move_text
from cosca.server.live.bot_pool import Bots

MOST_KEPT: Final = 16
"""Games whose win chances are kept in memory."""


class ChanceCurve:
    """The win chances of each seat after each move of a game, as far as they are computed."""

    def __init__(self, replay: Replay) -> None:
        self.replay = replay
        self.points: dict[int, Shares] = {}
        self.total = len(sampled_plies(len(replay.plies)))

    async def compute(self, bots: Bots) -> None:
        """Estimate one point after another, so that no bot waits long for them."""
        await self._estimate(bots, sampled_plies(len(self.replay.plies)))
        refined = plies_to_refine(self.points)
        self.total += len(refined)
        await self._estimate(bots, refined)

    async def _estimate(self, bots: Bots, numbers: Sequence[int]) -> None:
        for number in numbers:
            positions = await asyncio.to_thread(self._positions, number)
            self.points[number] = await bots.estimate(self.replay.game.name, positions)

    def _positions(self, number: int) -> list[Position]:
        return [self.replay.position(number, seat) for seat in range(self.replay.seats)]

    def payload(self, *, is_complete: bool) -> wire.WinChances:
        """Return the curve for a browser; before it is complete, only how far it is."""
        points = self.points if is_complete else {}
        return wire.WinChances(
            done=len(self.points),
            total=self.total,
            curve=[wire.ChancePoint(number, list(points[number])) for number in sorted(points)],
            turning_points=[self._turning_point(each) for each in turning_points(points)],
        )

    def _turning_point(self, turn: TurningPoint) -> wire.TurningPoint:
        ply = self.replay.plies[turn.number - 1]
        return wire.TurningPoint(
            number=turn.number,
            text=move_text(self.replay, ply, OMNISCIENT),
            sentence=describe_moment(self.replay, ply, turn.seat),
            seat=turn.seat,
            before=turn.before,
            after=turn.after,
        )


class WinChances:
    """The curves that were asked for last."""

    def __init__(self) -> None:
        self._curves: dict[str, tuple[ChanceCurve, asyncio.Task[None]]] = {}
        self._one_at_a_time = asyncio.Semaphore()

    def payload(self, code: str, replay: Replay, bots: Bots) -> wire.WinChances:
        """Return the curve of a finished game, or how far it is; the first call starts it."""
        if code not in self._curves:
            self._curves[code] = self._start(replay, bots)
        curve, task = self._curves.pop(code)
        if task.done():
            task.result()  # raises what went wrong; the next request starts it again
        self._curves[code] = curve, task
        while len(self._curves) > MOST_KEPT:
            _, forgotten = self._curves.pop(next(iter(self._curves)))
            forgotten.cancel()
        return curve.payload(is_complete=task.done())

    def _start(self, replay: Replay, bots: Bots) -> tuple[ChanceCurve, asyncio.Task[None]]:
        curve = ChanceCurve(replay)
        return curve, asyncio.create_task(self._compute(curve, bots))

    async def _compute(self, curve: ChanceCurve, bots: Bots) -> None:
        async with self._one_at_a_time:
            await curve.compute(bots)
