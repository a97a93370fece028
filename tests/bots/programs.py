"""Programs for the tests of the door: some play, some do not keep to what was agreed."""

import sys
from pathlib import Path

EXAMPLES = Path(__file__).parents[2] / "examples" / "bots"
LUCKY = f"run:{sys.executable} {EXAMPLES / 'lucky.py'}"

PLAYS = """
import json, sys
for line in sys.stdin:
    told = json.loads(line)
    if told["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif told["type"] == "choose":
        ANSWER
"""


def program(place: Path, text: str) -> str:
    """The name of a bot that is this program."""
    file = place / "program.py"
    file.write_text(text, encoding="utf-8")
    return f"run:{sys.executable} {file}"


def answering(place: Path, answer: str) -> str:
    """The name of a bot that says this to every question."""
    return program(place, PLAYS.replace("ANSWER", answer))
