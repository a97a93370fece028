"""A deterministic event loop: virtual time, no sockets or threads, processes that can be killed.

The seed decides the order. Everything that is ready runs before time advances, so only what waits
explicitly takes time. Nothing of a killed process runs any more, not even its clean-up.
"""

import asyncio
import contextvars
import heapq
import itertools
from asyncio import events
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import Executor
from random import Random
from typing import Any, NoReturn, TypeVar

T = TypeVar("T")

TIDY = 256
"""After this many new tasks, finished ones are checked and dropped."""
MOST_STEPS = 400_000
"""The most steps of one simulation; more mean an endless loop."""
SECOND_THREAD = (0.0, 0.02)
"""Seconds that work in another thread takes, at least and at most."""


class Process:
    """A simulated process, which can be killed."""

    def __init__(self) -> None:
        self.is_alive = True
        self.limbo: list[events.Handle] = []
        """The callbacks that were due after it was killed."""
        self.context = contextvars.copy_context()
        self.context.run(CURRENT.set, self)

    def kill(self) -> None:
        """Kill it: none of its callbacks runs any more."""
        self.is_alive = False


CURRENT: contextvars.ContextVar[Process | None] = contextvars.ContextVar("process", default=None)


OUTSIDE = contextvars.Context()
"""The context of what belongs to no process."""


def context_or_current(context: contextvars.Context | None) -> contextvars.Context:
    """Return the given context, or a copy of the current one. OUTSIDE is empty, and thus false."""
    return contextvars.copy_context() if context is None else context


class NeverEnds(AssertionError):
    """The simulation never ends."""


class SimLoop(asyncio.AbstractEventLoop):
    """An event loop whose order of callbacks follows from a seed."""

    def __init__(self, rng: Random, disorder: float) -> None:
        self._rng = rng
        self._disorder = disorder
        """The probability that a ready callback overtakes earlier ones."""
        self._now = 0.0
        self._ready: deque[events.Handle] = deque()
        self._timers: list[tuple[float, int, events.TimerHandle]] = []
        self._numbers = itertools.count()
        self._tasks: list[asyncio.Task[Any]] = []
        self._processes: list[Process] = []
        self._is_over = False
        self.steps = 0
        self.failures: list[BaseException] = []
        """Unexpected exceptions of tasks."""
        self.expected: tuple[type[BaseException], ...] = ()

    # --- The interface of asyncio -----------------------------------------------------------------

    def time(self) -> float:
        """Return the virtual time in seconds."""
        return self._now

    def get_debug(self) -> bool:
        """Return False: debug mode is off."""
        return False

    def is_running(self) -> bool:
        """Return True."""
        return True

    def is_closed(self) -> bool:
        """Return whether the simulation is over."""
        return self._is_over

    def create_future(self) -> "asyncio.Future[Any]":
        """Return a new future."""
        return asyncio.Future(loop=self)

    def create_task(  # type: ignore[override]  # as every Python has it
        self, coro: Coroutine[Any, Any, T], **more: Any
    ) -> "asyncio.Task[T]":
        """Start a task, which belongs to the current process."""
        task = asyncio.Task(coro, loop=self, **more)
        self._tasks.append(task)
        if len(self._tasks) % TIDY == 0:
            self._look_at_tasks()
        return task

    def call_soon(  # type: ignore[override]
        self,
        callback: Callable[..., Any],
        *args: Any,
        context: contextvars.Context | None = None,
    ) -> events.Handle:
        """Run a callback as soon as possible."""
        handle = events.Handle(callback, args, self, context_or_current(context))
        self._ready.append(handle)
        return handle

    call_soon_threadsafe = call_soon  # type: ignore[assignment]  # there is one thread

    def call_later(  # type: ignore[override]
        self, delay: float, callback: Callable[..., Any], *args: Any, context: Any = None
    ) -> events.TimerHandle:
        """Run a callback after some virtual time."""
        return self.call_at(self._now + delay, callback, *args, context=context)

    def call_at(  # type: ignore[override]
        self, when: float, callback: Callable[..., Any], *args: Any, context: Any = None
    ) -> events.TimerHandle:
        """Run a callback at some virtual time."""
        handle = events.TimerHandle(when, callback, args, self, context_or_current(context))
        heapq.heappush(self._timers, (when, next(self._numbers), handle))
        return handle

    def _timer_handle_cancelled(self, handle: events.TimerHandle) -> None:
        """Do nothing: a cancelled timer is skipped when it is due."""

    def run_in_executor(  # type: ignore[override]
        self, executor: Executor | None, func: Callable[..., T], *args: Any
    ) -> "asyncio.Future[T]":
        """Simulate another thread: run the function later, all at once."""
        future: asyncio.Future[T] = self.create_future()
        self.call_later(self._rng.uniform(*SECOND_THREAD), self._run_in_thread, future, func, args)
        return future

    def _run_in_thread(
        self, future: "asyncio.Future[T]", func: Callable[..., T], args: Any
    ) -> None:
        if future.cancelled():
            return
        try:
            future.set_result(func(*args))
        except Exception as error:
            future.set_exception(error)

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        """Collect an unexpected exception that nobody waits for."""
        error = context.get("exception")
        if not self._is_over and error is not None and not isinstance(error, self.expected):
            self.failures.append(error)

    def default_exception_handler(self, context: dict[str, Any]) -> None:
        """Do the same as `call_exception_handler`."""
        self.call_exception_handler(context)

    def begin_process(self) -> Process:
        """Return a new process."""
        self._processes.append(Process())
        return self._processes[-1]

    # --- Running ----------------------------------------------------------------------------------

    def run(self, whole: Awaitable[T]) -> T:
        """Run until an awaitable is done, then end everything else."""
        events._set_running_loop(self)
        try:
            task = asyncio.ensure_future(whole, loop=self)
            while not task.done():
                if not self._step():
                    raise NeverEnds("everything waits, and nothing is scheduled")
                if self.failures:
                    raise self.failures[0]
            return task.result()
        finally:
            self._end()
            events._set_running_loop(None)

    def _step(self) -> bool:
        """Run the next callback, advancing time if necessary; return False if there is none."""
        if not self._ready and not self._wait():
            return False
        handle = self._next()
        if handle._cancelled:
            return True
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise NeverEnds(f"{self.steps} steps, and no end")
        process: Process | None = handle._context.get(CURRENT)  # type: ignore[attr-defined]
        if process is None or process.is_alive or self._is_over:
            handle._run()
        else:
            process.limbo.append(handle)
        return True

    def _wait(self) -> bool:
        """Advance time to the next timer; return False if there is none."""
        while self._timers:
            when, _, handle = heapq.heappop(self._timers)
            if not handle._cancelled:
                self._now = max(self._now, when)
                self._ready.append(handle)
                return True
        return False

    def _next(self) -> events.Handle:
        """Return the next callback: usually the one that was ready first."""
        if len(self._ready) > 1 and self._disorder and self._rng.random() < self._disorder:
            self._ready.rotate(-self._rng.randrange(len(self._ready)))
        return self._ready.popleft()

    def _look_at_tasks(self) -> None:
        """Drop finished tasks, and collect their unexpected exceptions."""
        done = [task for task in self._tasks if task.done()]
        self._tasks = [task for task in self._tasks if not task.done()]
        for task in done:
            error = None if task.cancelled() else task.exception()
            if error is not None and not isinstance(error, self.expected):
                self.failures.append(error)

    def _end(self) -> None:
        """Cancel all tasks, including those of killed processes, and let them end."""
        if not self.failures:
            self._look_at_tasks()
        self._is_over = True
        self.steps = 0
        self._timers.clear()
        while self._tasks:
            for process in self._processes:
                self._ready += process.limbo
                process.limbo = []
            for task in self._tasks:
                task.cancel()
            while self._ready and self._step():
                pass
            for task in [task for task in self._tasks if task.done() and not task.cancelled()]:
                task.exception()  # retrieved, or asyncio would complain
            self._tasks = [task for task in self._tasks if not task.done()]

    def close(self) -> NoReturn:
        """Refuse: the loop ends when `run` returns."""
        raise NotImplementedError
