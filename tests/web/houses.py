"""Real houses for browsers: `cosca serve` in a process of its own."""

import contextlib
import signal
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.processes import started

PROGRAM: Final = """
import sys
from pathlib import Path
from cosca.server.live import table
from cosca.server.serve import serve
from cosca.server.ops.settings import Settings

store, port, pace, token, trick = sys.argv[1:]
table.COMMIT_SECONDS = table.REVEAL_SECONDS = 45.0  # a busy machine is not a silent player
if trick:
    from tests.web.dishonest import TRICKS
    TRICKS[trick]()
settings = Settings(
    store=Path(store), port=int(port), bot_seconds=float(pace), unlimited=True, admin_token=token
)
serve(settings, lambda text: print(text, file=sys.stderr, flush=True))
"""
ROOT: Final = Path(__file__).parents[2]
ADMIN: Final = "opens-the-admin-page-in-tests"


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def opened(store: Path, port: int = 0, pace: float = 0.0, trick: str = "") -> Iterator[str]:
    """Run a house on a store, at a port or any free one, and yield its address.

    Its bots wait `pace` seconds before each move. With a trick of `tests.web.dishonest` it cheats.
    """
    port = port or free_port()
    command = [sys.executable, "-c", PROGRAM, str(store), str(port), str(pace), ADMIN, trick]
    with started(command) as program:
        try:
            assert program.line(of_errors=True).startswith("Cosca is at ")
            yield f"http://127.0.0.1:{port}"
        finally:
            program.send(signal.SIGTERM)
            _, errors = program.end()
    assert "Traceback" not in errors, errors


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a house that all tests of a process share."""
    with opened(tmp_path_factory.mktemp("house") / "tables.db") as address:
        yield address
