"""A complete bot: `cosca arena vendetta --bots 'random,run:python examples/bots/lucky.py'`.

It reads messages and writes answers as lines of JSON (docs/bot-protocol.md). It prefers the moves
with the longest text, because they do the most, and chooses one of them at random.
"""

import json
import random
import sys


def answer(message: dict) -> dict:
    if message["type"] == "hello":
        return {"type": "ready", "name": "lucky"}
    dice = random.Random(message["seed"])  # the same seed gives the same game
    legal, moves = message["position"]["legal"], message["moves"]
    longest = max(len(move) for move in moves)
    among = [action for action, move in zip(legal, moves, strict=True) if len(move) == longest]
    return {"id": message["id"], "action": dice.choice(among)}


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "bye":
        break
    print(json.dumps(answer(message)), flush=True)
