"""External bots for the tests: some play, some break the protocol."""

import sys
from pathlib import Path

EXAMPLES = Path(__file__).parents[2] / "examples" / "bots"
LUCKY = f"run:{sys.executable} {EXAMPLES / 'lucky.py'}"

PLAYS = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "choose":
        ANSWER
"""


def program(place: Path, text: str) -> str:
    """Return the name of a bot that runs this program."""
    file = place / "program.py"
    file.write_text(text, encoding="utf-8")
    return f"run:{sys.executable} {file}"


def answering(place: Path, answer: str) -> str:
    """Return the name of a bot that gives this answer to every question."""
    return program(place, PLAYS.replace("ANSWER", answer))
