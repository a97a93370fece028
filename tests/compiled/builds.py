"""Cosca in separate processes: as plain sources, as compiled here, or with sanitizers."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.processes import SLOW, run

ROOT = Path(__file__).parents[2]


def python(*words: str, **environ: str) -> subprocess.CompletedProcess[str]:
    """Run Python in the source tree, with only the given settings of Cosca."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("COSCA_")}
    known = {**clean, "PYTHONPATH": str(ROOT / "src"), **environ}
    return run([sys.executable, *words], cwd=ROOT, env=known, limit=SLOW)


def checksums(games: int, seed: int, **environ: str) -> dict[str, Any]:
    """Return what `cosca.testing.checksum` prints there."""
    done = python("-m", "cosca.testing.checksum", str(games), str(seed), **environ)
    assert done.returncode == 0, done.stderr
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def build_with_sanitizers(place: Path) -> Path:
    """Build with COSCA_SANITIZE=1 outside the source tree; return the path to import from."""
    library = place / "lib"
    command = ["setup.py", "-q", "build_ext", "--build-lib", str(library)]
    command += ["--build-temp", str(place / "temp"), "--parallel=2"]
    done = python(*command, COSCA_SANITIZE="1")
    assert done.returncode == 0, done.stdout + done.stderr
    compiled_here = shutil.ignore_patterns("*.so", "*.pyd", "*.c", "__pycache__", "*.egg-info")
    shutil.copytree(ROOT / "src", library, ignore=compiled_here, dirs_exist_ok=True)
    return library
