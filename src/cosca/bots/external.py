"""External bots: programs in any language that answer questions in JSON, line by line.

A program is given the position of one seat and nothing else, and each seat has a process of its
own, so that no seat learns what another has seen. `docs/bot-protocol.md` describes the protocol.
"""

import contextlib
import json
import queue
import shlex
import subprocess
import threading
import time
from collections.abc import Callable
from typing import IO, Any, Final

from cosca.bots.roster import Bot, find_bot
from cosca.core.dice import Dice
from cosca.core.errors import Refused
from cosca.core.game import Game
from cosca.core.names import Action, Seat

COMMAND_PREFIX: Final = "run:"
"""What the name of such a bot begins with; the command follows."""
PROTOCOL: Final = 1
ANSWER_TIMEOUT: Final = 30.0
"""Seconds a program may take for an answer."""
MAX_LINE: Final = 65_536
"""Characters in a line of a program's output, at most."""
POLL_INTERVAL: Final = 0.05
"""Seconds between two checks of the clock while waiting for a program."""
EXIT_TIMEOUT: Final = 2.0
"""Seconds a program has to exit by itself."""
END_OF_STREAM: Final = ""
"""Marks the end of the stream in a queue."""


def is_external(name: str) -> bool:
    """Return whether this is the name of a program rather than of a built-in bot."""
    return name.startswith(COMMAND_PREFIX)


def check_bot(game: Game[Any, Any], name: str) -> None:
    """Refuse a name that no bot has."""
    if is_external(name):
        parse_command(name)
    else:
        find_bot(game, name)


def parse_command(name: str) -> list[str]:
    """Return the command in the name of an external bot, word by word."""
    try:
        words = shlex.split(name.removeprefix(COMMAND_PREFIX))
    except ValueError:
        words = []
    if not words:
        raise Refused("external_bot.bad_command", bot=name[:80])
    return words


class BotProcesses:
    """The bots at the seats of one table after another; programs are started once and kept."""

    def __init__(
        self,
        seconds: float = ANSWER_TIMEOUT,
        clock: Callable[[], float] = time.monotonic,
        on_line: Callable[[str], object] | None = None,
    ) -> None:
        self._seconds = seconds
        self._clock = clock
        self._on_line = on_line
        """Called with every line, in both directions."""
        self._programs: dict[tuple[str, str, Seat], ExternalBot] = {}

    def bot(self, game: Game[Any, Any], name: str, seat: Seat) -> Bot:
        """Return the bot with that name for that seat."""
        if not is_external(name):
            return find_bot(game, name)
        key = game.name, name, seat
        if key not in self._programs:
            self._programs[key] = ExternalBot(game, name, self._seconds, self._clock, self._on_line)
        return self._programs[key]

    def close(self) -> None:
        """End all programs."""
        for program in self._programs.values():
            program.close()
        self._programs.clear()


class ExternalBot:
    """A bot that runs as a program of its own."""

    def __init__(
        self,
        game: Game[Any, Any],
        name: str,
        seconds: float,
        clock: Callable[[], float],
        on_line: Callable[[str], object] | None = None,
    ) -> None:
        self._on_line = on_line
        self._game = game
        self._name = name
        self._seconds = seconds
        self._clock = clock
        self._questions = 0
        self._last_error: list[str] = []
        self._process = self._start_process()
        self._to_send: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._received: queue.SimpleQueue[str] = queue.SimpleQueue()
        pipes = self._process
        self._threads = [
            self._start_thread(
                self._write_input, pipes.stdin
            ),  # a program that does not read blocks only this one
            self._start_thread(self._read_output, pipes.stdout),
            self._start_thread(self._read_errors, pipes.stderr),
        ]
        hello = {"type": "hello", "protocol": PROTOCOL, "game": game.name, "rules": game.version}
        self._send(hello | {"seconds": seconds})
        if self._answer().get("type") != "ready":
            raise self._failed("external_bot.not_ready")

    def _start_process(self) -> "subprocess.Popen[str]":
        pipe = subprocess.PIPE
        try:
            return subprocess.Popen(
                parse_command(self._name),
                stdin=pipe,
                stdout=pipe,
                stderr=pipe,
                text=True,
                encoding="utf-8",
                errors="replace",
            )
        except OSError as error:
            reason = error.strerror or type(error).__name__
            raise Refused("external_bot.no_such_program", bot=self._name, reason=reason) from None

    # --- Asking ---------------------------------------------------------------------------------

    def __call__(self, position: Any, dice: Dice) -> Action:
        """Return the program's action in a position. Refuses an invalid answer."""
        self._questions += 1
        moves = [self._game.format_move(self._game.to_move([action])) for action in position.legal]
        question = {"type": "choose", "id": self._questions, "seed": dice.next_word()}
        self._send(question | {"position": position.to_wire(), "moves": moves})
        answer = self._answer()
        if answer.get("id") != self._questions:
            raise self._failed("external_bot.other_question", asked=self._questions)
        action = answer.get("action")
        if type(action) is not int or action not in position.legal:
            raise self._failed("external_bot.illegal", action=json.dumps(action)[:40])
        return action

    def _send(self, message: dict[str, Any]) -> None:
        line = json.dumps(message, separators=(",", ":"))
        if self._on_line:
            self._on_line(f"> {line}")
        self._to_send.put(f"{line}\n")

    def _answer(self) -> dict[str, Any]:
        line = self._next_line()
        if self._on_line:
            self._on_line(f"< {line.rstrip()}")
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            message = None
        if not isinstance(message, dict):
            raise self._failed("external_bot.not_json", line=line.strip()[:80])
        return message

    def _next_line(self) -> str:
        """Return the next line of the program, or refuse to wait any longer."""
        until = self._clock() + self._seconds
        while True:
            try:
                line = self._received.get(timeout=POLL_INTERVAL)
            except queue.Empty:
                if self._clock() < until:
                    continue
                raise self._failed("external_bot.silent", seconds=f"{self._seconds:g}") from None
            if line == END_OF_STREAM:
                self._received.put(END_OF_STREAM)  # for the next call
                raise self._ended()
            return line

    # --- Reading and writing --------------------------------------------------------------------

    def _start_thread(
        self, do: Callable[[IO[str]], None], pipe: IO[str] | None
    ) -> threading.Thread:
        assert pipe is not None
        thread = threading.Thread(target=do, args=[pipe], daemon=True)
        thread.start()
        return thread

    def _write_input(self, stream: IO[str]) -> None:
        """Write queued lines to the program until it closes its input."""
        with contextlib.suppress(OSError), stream:
            while line := self._to_send.get():
                stream.write(line)
                stream.flush()

    def _read_output(self, stream: IO[str]) -> None:
        """Queue each line of output; one without an end is cut, and so is not JSON."""
        with stream:
            while line := stream.readline(MAX_LINE):
                self._received.put(line)
        self._received.put(END_OF_STREAM)

    def _read_errors(self, stream: IO[str]) -> None:
        """Remember the last error line, to report it if the program ends."""
        with stream:
            while line := stream.readline(MAX_LINE):
                self._last_error = [line.strip()] if line.strip() else self._last_error

    # --- The end --------------------------------------------------------------------------------

    def _failed(self, key: str, **params: int | str) -> Refused:
        """End the program, which broke the protocol, and return the refusal."""
        self.close()
        return Refused(key, bot=self._name, **params)

    def _ended(self) -> Refused:
        """Return why the program has ended."""
        self.close()
        code = self._process.returncode
        said = self._last_error[0][:120] if self._last_error else ""
        if said:
            return Refused("external_bot.died_saying", bot=self._name, code=code, said=said)
        return Refused("external_bot.died", bot=self._name, code=code)

    def close(self) -> None:
        """Ask the program to exit; kill it if it does not."""
        if self._process.returncode is None:
            self._send({"type": "bye"})
            self._to_send.put(END_OF_STREAM)
            try:
                self._process.wait(EXIT_TIMEOUT)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            for thread in self._threads:
                thread.join(EXIT_TIMEOUT)
