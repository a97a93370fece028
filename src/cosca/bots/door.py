"""The door for bots from outside: programs in any language, asked line by line in JSON.

A program is handed the position of one seat and nothing else, and has a process for each seat, so
that it cannot tell one seat what another has seen. `docs/bot-door.md` tells what is said.
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

RUN: Final = "run:"
"""What the name of such a bot begins with; the command comes after it."""
PROTOCOL: Final = 1
PATIENCE: Final = 30.0
"""Seconds that a program may take for an answer."""
LONGEST: Final = 65_536
"""Characters that a line of a program may have."""
SLICE: Final = 0.05
"""Seconds between two looks at the clock while a program is waited for."""
GOODBYE: Final = 2.0
"""Seconds that a program has to go by itself."""
END: Final = ""
"""Stands in a queue for the end of what is said."""


def is_outside(name: str) -> bool:
    """Whether that is the name of a program and not of a bot of ours."""
    return name.startswith(RUN)


def check_bot(game: Game[Any, Any], name: str) -> None:
    """Refuse a name that nobody has who could play."""
    if is_outside(name):
        words_of(name)
    else:
        find_bot(game, name)


def words_of(name: str) -> list[str]:
    """The command in the name of a program, word by word."""
    try:
        words = shlex.split(name.removeprefix(RUN))
    except ValueError:
        words = []
    if not words:
        raise Refused("door.bad_command", bot=name[:80])
    return words


class Company:
    """The bots at the seats of one table after another: programs are begun once and kept."""

    def __init__(
        self,
        seconds: float = PATIENCE,
        clock: Callable[[], float] = time.monotonic,
        heard: Callable[[str], object] | None = None,
    ) -> None:
        self._seconds = seconds
        self._clock = clock
        self._heard = heard
        """Who is told every line that is said, in both directions."""
        self._programs: dict[tuple[str, str, Seat], Program] = {}

    def bot(self, game: Game[Any, Any], name: str, seat: Seat) -> Bot:
        """The bot of that name for that seat."""
        if not is_outside(name):
            return find_bot(game, name)
        key = game.name, name, seat
        if key not in self._programs:
            self._programs[key] = Program(game, name, self._seconds, self._clock, self._heard)
        return self._programs[key]

    def close(self) -> None:
        """Let all programs go."""
        for program in self._programs.values():
            program.close()
        self._programs.clear()


class Program:
    """A bot that is a program of its own."""

    def __init__(
        self,
        game: Game[Any, Any],
        name: str,
        seconds: float,
        clock: Callable[[], float],
        heard: Callable[[str], object] | None = None,
    ) -> None:
        self._heard = heard
        self._game = game
        self._name = name
        self._seconds = seconds
        self._clock = clock
        self._asked = 0
        self._last_words: list[str] = []
        self._process = self._begun()
        self._to_say: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._said: queue.SimpleQueue[str] = queue.SimpleQueue()
        pipes = self._process
        self._threads = [
            self._apart(self._speak, pipes.stdin),  # a program that does not read blocks this alone
            self._apart(self._hear, pipes.stdout),
            self._apart(self._overhear, pipes.stderr),
        ]
        hello = {"type": "hello", "protocol": PROTOCOL, "game": game.name, "rules": game.version}
        self._say(hello | {"seconds": seconds})
        if self._answer().get("type") != "ready":
            raise self._failed("door.not_ready")

    def _begun(self) -> "subprocess.Popen[str]":
        pipe = subprocess.PIPE
        try:
            return subprocess.Popen(
                words_of(self._name),
                stdin=pipe,
                stdout=pipe,
                stderr=pipe,
                text=True,
                encoding="utf-8",
                errors="replace",
            )
        except OSError as error:
            reason = error.strerror or type(error).__name__
            raise Refused("door.no_such_program", bot=self._name, reason=reason) from None

    # --- Asking ---------------------------------------------------------------------------------

    def __call__(self, position: Any, dice: Dice) -> Action:
        """What the program does in a position. An answer that is none is refused."""
        self._asked += 1
        moves = [self._game.format_move(self._game.to_move([action])) for action in position.legal]
        question = {"type": "choose", "id": self._asked, "seed": dice.next_word()}
        self._say(question | {"position": position.to_wire(), "moves": moves})
        answer = self._answer()
        if answer.get("id") != self._asked:
            raise self._failed("door.other_question", asked=self._asked)
        action = answer.get("action")
        if type(action) is not int or action not in position.legal:
            raise self._failed("door.illegal", action=json.dumps(action)[:40])
        return action

    def _say(self, told: dict[str, Any]) -> None:
        line = json.dumps(told, separators=(",", ":"))
        if self._heard:
            self._heard(f"> {line}")
        self._to_say.put(f"{line}\n")

    def _answer(self) -> dict[str, Any]:
        line = self._line()
        if self._heard:
            self._heard(f"< {line.rstrip()}")
        try:
            told = json.loads(line)
        except (ValueError, RecursionError):
            told = None
        if not isinstance(told, dict):
            raise self._failed("door.not_json", line=line.strip()[:80])
        return told

    def _line(self) -> str:
        """The next line of the program; who has none in time is silent."""
        until = self._clock() + self._seconds
        while True:
            try:
                line = self._said.get(timeout=SLICE)
            except queue.Empty:
                if self._clock() < until:
                    continue
                raise self._failed("door.silent", seconds=f"{self._seconds:g}") from None
            if line == END:
                self._said.put(END)  # whoever asks again is told the same
                raise self._ended()
            return line

    # --- Speaking and listening -----------------------------------------------------------------

    def _apart(self, do: Callable[[IO[str]], None], pipe: IO[str] | None) -> threading.Thread:
        assert pipe is not None
        thread = threading.Thread(target=do, args=[pipe], daemon=True)
        thread.start()
        return thread

    def _speak(self, stream: IO[str]) -> None:
        """Each line as it is to be said; to one who no longer listens nothing more."""
        with contextlib.suppress(OSError), stream:
            while line := self._to_say.get():
                stream.write(line)
                stream.flush()

    def _hear(self, stream: IO[str]) -> None:
        """Each line as it comes; one without an end is cut, and is no JSON then."""
        with stream:
            while line := stream.readline(LONGEST):
                self._said.put(line)
        self._said.put(END)

    def _overhear(self, stream: IO[str]) -> None:
        """What it complains about last, to be told if it ends."""
        with stream:
            while line := stream.readline(LONGEST):
                self._last_words = [line.strip()] if line.strip() else self._last_words

    # --- The end --------------------------------------------------------------------------------

    def _failed(self, key: str, **params: int | str) -> Refused:
        """The program is let go, for it does not keep to what was agreed."""
        self.close()
        return Refused(key, bot=self._name, **params)

    def _ended(self) -> Refused:
        """Why a program has nothing more to say."""
        self.close()
        code = self._process.returncode
        said = self._last_words[0][:120] if self._last_words else ""
        if said:
            return Refused("door.died_saying", bot=self._name, code=code, said=said)
        return Refused("door.died", bot=self._name, code=code)

    def close(self) -> None:
        """Say goodbye; who does not go is sent away."""
        if self._process.returncode is None:
            self._say({"type": "bye"})
            self._to_say.put(END)
            try:
                self._process.wait(GOODBYE)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            for thread in self._threads:
                thread.join(GOODBYE)
