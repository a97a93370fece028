"""The purposes of chance in Omerta, on which the sealed dice depend."""

from cosca.games.omerta.pieces import PHASE_NAMES, PURPOSES


def test_purposes_are_what_they_always_were() -> None:
    """Every draw depends on them: with another word, games already played no longer verify."""
    pinned = {
        "start": "start",
        "deal": "deal",
        "settle": "settle",
        "penalty": "penalty",
        "draw": "draw",
        "turn_up": "turn_up",
        "look": "look",
        "lay": "lay",
        "shuffle": "shuffle",
        "gift": "gift",
        "called": "called",
    }
    assert {PHASE_NAMES[phase]: word for phase, word in PURPOSES.items()} == pinned
