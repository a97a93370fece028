"""A loop in which a seed decides: virtual time, no sockets or threads, processes one can kill.

Whatever is ready is done before time goes on, so that nothing takes any time but what says so. What
belongs to a killed process is not done any more: not even what it would do at its end.
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
"""So many tasks may be made before those that are done are looked at and forgotten."""
MOST_STEPS = 400_000
"""Of one simulation: who needs more goes round in circles."""
SECOND_THREAD = (0.0, 0.02)
"""Seconds that something takes which is done beside."""


class Process:
    """Something that can be killed, with all it is doing."""

    def __init__(self) -> None:
        self.is_alive = True
        self.limbo: list[events.Handle] = []
        """What it would have done after it was killed."""
        self.context = contextvars.copy_context()
        self.context.run(HERE.set, self)

    def kill(self) -> None:
        """Let it do nothing any more."""
        self.is_alive = False


HERE: contextvars.ContextVar[Process | None] = contextvars.ContextVar("process", default=None)


OUTSIDE = contextvars.Context()
"""Where nobody is killed."""


def here(context: contextvars.Context | None) -> contextvars.Context:
    """Where something is done: there, or where it is asked for. Outside is empty, but a place."""
    return contextvars.copy_context() if context is None else context


class GoesInCircles(AssertionError):
    """Something is done again and again and never comes to an end."""


class SimLoop(asyncio.AbstractEventLoop):
    """A loop whose order of things follows from a seed."""

    def __init__(self, rng: Random, disorder: float) -> None:
        self._rng = rng
        self._disorder = disorder
        """How often something that is ready may overtake what was ready before."""
        self._now = 0.0
        self._ready: deque[events.Handle] = deque()
        self._timers: list[tuple[float, int, events.TimerHandle]] = []
        self._numbers = itertools.count()
        self._tasks: list[asyncio.Task[Any]] = []
        self._processes: list[Process] = []
        self._is_over = False
        self.steps = 0
        self.failures: list[BaseException] = []
        """What tasks have ended with that nobody expects."""
        self.expected: tuple[type[BaseException], ...] = ()

    # --- What asyncio wants of a loop -------------------------------------------------------------

    def time(self) -> float:
        """Seconds of virtual time."""
        return self._now

    def get_debug(self) -> bool:
        """Never."""
        return False

    def is_running(self) -> bool:
        """As long as there is one."""
        return True

    def is_closed(self) -> bool:
        """Whether it is over."""
        return self._is_over

    def create_future(self) -> "asyncio.Future[Any]":
        """Something to wait for."""
        return asyncio.Future(loop=self)

    def create_task(  # type: ignore[override]  # as every Python has it
        self, coro: Coroutine[Any, Any, T], **more: Any
    ) -> "asyncio.Task[T]":
        """Something to be done, which belongs to the process that begins it."""
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
        """Do it as soon as possible."""
        handle = events.Handle(callback, args, self, here(context))
        self._ready.append(handle)
        return handle

    call_soon_threadsafe = call_soon  # type: ignore[assignment]  # there is one thread

    def call_later(  # type: ignore[override]
        self, delay: float, callback: Callable[..., Any], *args: Any, context: Any = None
    ) -> events.TimerHandle:
        """Do it after so much virtual time."""
        return self.call_at(self._now + delay, callback, *args, context=context)

    def call_at(  # type: ignore[override]
        self, when: float, callback: Callable[..., Any], *args: Any, context: Any = None
    ) -> events.TimerHandle:
        """Do it at some moment of virtual time."""
        handle = events.TimerHandle(when, callback, args, self, here(context))
        heapq.heappush(self._timers, (when, next(self._numbers), handle))
        return handle

    def _timer_handle_cancelled(self, handle: events.TimerHandle) -> None:
        """It is left where it is, and passed over when its time comes."""

    def run_in_executor(  # type: ignore[override]
        self, executor: Executor | None, func: Callable[..., T], *args: Any
    ) -> "asyncio.Future[T]":
        """Do beside what a thread would do: at one later moment, all of it."""
        future: asyncio.Future[T] = self.create_future()
        self.call_later(self._rng.uniform(*SECOND_THREAD), self._do_beside, future, func, args)
        return future

    def _do_beside(self, future: "asyncio.Future[T]", func: Callable[..., T], args: Any) -> None:
        if future.cancelled():
            return
        try:
            future.set_result(func(*args))
        except Exception as error:
            future.set_exception(error)

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        """Something went wrong where nobody waits for it."""
        error = context.get("exception")
        if not self._is_over and error is not None and not isinstance(error, self.expected):
            self.failures.append(error)

    def default_exception_handler(self, context: dict[str, Any]) -> None:
        """The same."""
        self.call_exception_handler(context)

    def begin_process(self) -> Process:
        """A new process, at which nothing is done yet."""
        self._processes.append(Process())
        return self._processes[-1]

    # --- Running ----------------------------------------------------------------------------------

    def run(self, whole: Awaitable[T]) -> T:
        """Go on until that is done, and end everything else."""
        events._set_running_loop(self)
        try:
            task = asyncio.ensure_future(whole, loop=self)
            while not task.done():
                if not self._step():
                    raise GoesInCircles("everybody waits, and nothing will ever happen")
                if self.failures:
                    raise self.failures[0]
            return task.result()
        finally:
            self._end()
            events._set_running_loop(None)

    def _step(self) -> bool:
        """Do one thing that is ready, or let time go on; whether there was anything."""
        if not self._ready and not self._wait():
            return False
        handle = self._next()
        if handle._cancelled:
            return True
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise GoesInCircles(f"{self.steps} steps, and no end")
        process: Process | None = handle._context.get(HERE)  # type: ignore[attr-defined]
        if process is None or process.is_alive or self._is_over:
            handle._run()
        else:
            process.limbo.append(handle)
        return True

    def _wait(self) -> bool:
        """Let time go on to the next moment at which something is to be done."""
        while self._timers:
            when, _, handle = heapq.heappop(self._timers)
            if not handle._cancelled:
                self._now = max(self._now, when)
                self._ready.append(handle)
                return True
        return False

    def _next(self) -> events.Handle:
        """What is done next: as a rule what was ready first."""
        if len(self._ready) > 1 and self._disorder and self._rng.random() < self._disorder:
            self._ready.rotate(-self._rng.randrange(len(self._ready)))
        return self._ready.popleft()

    def _look_at_tasks(self) -> None:
        """Forget what is done; if it ended as nobody expects, remember that."""
        done = [task for task in self._tasks if task.done()]
        self._tasks = [task for task in self._tasks if not task.done()]
        for task in done:
            error = None if task.cancelled() else task.exception()
            if error is not None and not isinstance(error, self.expected):
                self.failures.append(error)

    def _end(self) -> None:
        """Nothing counts any more: let everybody come to an end, the dead too."""
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
                task.exception()  # looked at, or it would be told as never looked at
            self._tasks = [task for task in self._tasks if not task.done()]

    def close(self) -> NoReturn:
        """It ends when what it runs is done."""
        raise NotImplementedError
