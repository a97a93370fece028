"""The purposes of chance in Sicilianos, on which the sealed dice depend."""

from cosca.games.sicilianos.pieces import PHASE_NAMES, PURPOSES


def test_purposes_are_what_they_always_were() -> None:
    """Every draw depends on them: with another word, games already played no longer verify."""
    pinned = {
        "start": "start",
        "drafted": "drafted",
        "dice": "die",
        "draw": "draw",
        "look": "look",
        "stolen": "stolen",
        "turn_up": "turn_up",
        "open": "open",
    }
    assert {PHASE_NAMES[phase]: word for phase, word in PURPOSES.items()} == pinned
