"""The purposes of chance in Vendetta, on which the sealed dice depend."""

from cosca.games.vendetta.pieces import PHASE_NAMES, PURPOSES


def test_purposes_are_what_they_always_were() -> None:
    """Every draw depends on them: with another word, games already played no longer verify."""
    pinned = {
        "trustee": "trustee",
        "deal": "deal",
        "card": "card",
    }
    assert {PHASE_NAMES[phase]: word for phase, word in PURPOSES.items()} == pinned
