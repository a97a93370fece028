"""A bot in thirty lines: `cosca arena vendetta --bots 'random,run:python examples/bots/lucky.py'`.

It is asked in lines of JSON and answers in lines of JSON. Of what it may do it looks at the longest
move in words, for whoever says more does more; of equals it takes one by its own dice.
"""

import json
import random
import sys


def answer(asked: dict) -> dict:
    if asked["type"] == "hello":
        return {"type": "ready", "name": "lucky"}
    dice = random.Random(asked["seed"])  # the same seed, the same game
    legal, moves = asked["position"]["legal"], asked["moves"]
    longest = max(len(move) for move in moves)
    among = [action for action, move in zip(legal, moves, strict=True) if len(move) == longest]
    return {"id": asked["id"], "action": dice.choice(among)}


for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "bye":
        break
    print(json.dumps(answer(asked)), flush=True)
