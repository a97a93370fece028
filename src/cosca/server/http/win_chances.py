"""The chances of finished games, worked out by the crew beside all else, one game at a time."""

import asyncio
from collections.abc import Sequence
from typing import Final

from cosca.bots.win_chances import Shares, plies_to_refine, sampled_plies, turning_points
from cosca.core.position import Position
from cosca.match.replay import OMNISCIENT, Replay
from cosca.match.score_sheet import describe_events
from cosca.server import wire
from cosca.server.http.replay_api import move_text
from cosca.server.live.bot_pool import Bots

MOST: Final = 16
"""So many charts are kept."""


class ChanceCurve:
    """What each seat could think of its chances, moment by moment, as far as it is worked out."""

    def __init__(self, replay: Replay) -> None:
        self.replay = replay
        self.curve: dict[int, Shares] = {}
        self.whole = len(sampled_plies(len(replay.plies)))

    async def draw(self, crew: Bots) -> None:
        """Ask the crew, for one moment after another, so that no bot waits long for them."""
        await self._look(crew, sampled_plies(len(self.replay.plies)))
        more = plies_to_refine(self.curve)
        self.whole += len(more)
        await self._look(crew, more)

    async def _look(self, crew: Bots, numbers: Sequence[int]) -> None:
        for number in numbers:
            positions = await asyncio.to_thread(self._positions, number)
            self.curve[number] = await crew.estimate(self.replay.game.name, positions)

    def _positions(self, number: int) -> list[Position]:
        return [self.replay.position(number, seat) for seat in range(self.replay.seats)]

    def told(self, *, is_whole: bool) -> wire.Chances:
        """The chart for a browser; before it is whole only how far it is."""
        shares = self.curve if is_whole else {}
        return wire.Chances(
            done=len(self.curve),
            whole=self.whole,
            moments=[wire.Chance(number, list(shares[number])) for number in sorted(shares)],
            turns=[
                wire.Decided(
                    number=turn.number,
                    text=move_text(self.replay, self.replay.plies[turn.number - 1], OMNISCIENT),
                    events=describe_events(
                        self.replay, self.replay.plies[turn.number - 1], OMNISCIENT
                    ),
                    seat=turn.seat,
                    before=turn.before,
                    after=turn.after,
                )
                for turn in turning_points(shares)
            ],
        )


class WinChances:
    """The charts that were asked for last."""

    def __init__(self) -> None:
        self._charts: dict[str, tuple[ChanceCurve, asyncio.Task[None]]] = {}
        self._one_at_a_time = asyncio.Semaphore()

    def told(self, code: str, replay: Replay, crew: Bots) -> wire.Chances:
        """The chart of a finished game, or how far it is. Who asks first sets it going."""
        if code not in self._charts:
            self._charts[code] = self._begun(replay, crew)
        chart, task = self._charts.pop(code)
        if task.done():
            task.result()  # what went wrong is told, and tried again when it is asked for again
        self._charts[code] = chart, task
        while len(self._charts) > MOST:
            _, forgotten = self._charts.pop(next(iter(self._charts)))
            forgotten.cancel()
        return chart.told(is_whole=task.done())

    def _begun(self, replay: Replay, crew: Bots) -> tuple[ChanceCurve, asyncio.Task[None]]:
        chart = ChanceCurve(replay)
        return chart, asyncio.create_task(self._draw(chart, crew))

    async def _draw(self, chart: ChanceCurve, crew: Bots) -> None:
        async with self._one_at_a_time:
            await chart.draw(crew)
