"""The background tasks of a live table, each under a name of its own."""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any, Final

from cosca.core.errors import Refused
from cosca.server.live.clock import Clock
from cosca.server.telemetry.logs import log_event

RETRY_SECONDS: Final = 1.0
"""Seconds until a failed write is tried again."""


class Tasks:
    """Runs at most one task of each name; what the store could not write is tried again."""

    def __init__(
        self,
        clock: Clock,
        alias: Callable[[], str],
        on_retry: Callable[[], None],
        on_done: Callable[[], None],
    ) -> None:
        self._clock = clock
        self._alias = alias
        self._on_retry = on_retry
        self._on_done = on_done
        self._running: dict[str, asyncio.Task[None]] = {}

    def __bool__(self) -> bool:
        """Whether any task is running."""
        return bool(self._running)

    def start(self, name: str, work: Coroutine[Any, Any, None]) -> None:
        """Start a task, unless one of that name is running."""
        if name in self._running:
            work.close()
            return
        task = asyncio.create_task(self._run(name, work))
        task.add_done_callback(lambda _: work.close())  # if it is cancelled before it began
        self._running[name] = task

    def is_running(self, name: str) -> bool:
        """Whether a task of that name is running."""
        return name in self._running

    def cancel(self, name: str) -> None:
        """Cancel a task, if it is running."""
        task = self._running.pop(name, None)
        if task:
            task.cancel()

    async def cancel_all(self) -> None:
        """Cancel all tasks, and wait until they have ended."""
        tasks = list(self._running.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def finish(self, name: str) -> None:
        """Let the task that is running here be started again: what it does is as good as done."""
        if self._running.get(name) is asyncio.current_task():
            del self._running[name]

    async def _run(self, name: str, work: Coroutine[Any, Any, None]) -> None:
        try:
            try:
                await work
            except Refused as reason:  # the disk is full, say
                log_event("table_failed", logging.WARNING, table=self._alias(), reason=reason.key)
                if reason.key == "web.not_written":
                    await self._clock.sleep(RETRY_SECONDS)
                    self.finish(name)
                    self._on_retry()
        finally:
            self.finish(name)
            self._on_done()
