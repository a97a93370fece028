"""What simulated people do: legal moves, chat, leaving, coming back, proposals, and mistakes."""

from random import Random
from typing import Any, Final

from cosca.server.domain import commands
from tests.simulation.browser import Browser

SPECTATOR: Final = -2
USUAL: Final = (
    "chat",
    "leave",
    "pause",
    "takeback",
    "takeback",
    "wild",
    "preview_actions",
    "fill",
    "remove",
    "ping",
)


def next_command(browser: Browser, rng: Random) -> commands.AnyCommand | None:
    """Return the next command of a person, from what the browser shows; None if there is none."""
    room = browser.room()
    seat = room["you"]
    id = browser.id()
    answer = _obvious(room, seat, id, rng)
    if answer is not None:
        return answer
    legal = browser.legal()
    if legal and room["stage"] == "playing" and rng.random() < 0.85:
        return commands.Move(id=id, actions=[rng.choice(legal)])
    return _other(rng.choice(USUAL), id, rng, legal)


def _obvious(room: dict[str, Any], seat: int, id: str, rng: Random) -> commands.AnyCommand | None:
    """Return the command that the situation asks for, if any."""
    if seat == SPECTATOR:
        return None
    if room["seats"][seat]["bot"] and rng.random() < 0.4:
        return commands.ReclaimSeat(id=id)
    if room["paused"] and rng.random() < 0.5:
        return commands.Resume(id=id)
    proposal = room["proposal"]
    if proposal and seat in proposal["asked"] and rng.random() < 0.7:
        return commands.Agree(id=id, agrees=rng.random() < 0.7)
    if room["stage"] == "lobby" and room["host"] and rng.random() < 0.5:
        return commands.Start(id=id)
    if room["stage"] == "over" and room["host"] and rng.random() < 0.3:
        return commands.Rematch(id=id)
    return None


def _other(what: str, id: str, rng: Random, legal: Any) -> commands.AnyCommand:
    if what == "chat":
        return commands.Chat(id=id, text=f"{id} says {rng.randrange(100)}")
    if what == "leave":
        return commands.Leave(id=id)
    if what == "pause":
        return commands.Propose(id=id, what="pause")
    if what == "takeback":
        return commands.Propose(id=id, what="takeback")
    if what == "wild":
        return commands.Move(id=id, actions=[rng.randrange(200)])
    if what == "fill":
        return commands.Fill(id=id, seat=rng.randrange(3), bot="random")
    if what == "remove" and rng.random() < 0.2:
        return commands.Remove(id=id, seat=rng.randrange(3))
    if what == "preview_actions":
        return commands.PreviewActions(id=id, actions=[rng.choice(legal)] if legal else [0])
    return commands.Ping(id=id)
