"""The rules of Omerta on one page: which sentences apply when, and their rules."""

from typing import Final

from cosca.core.errors import Param
from cosca.core.options import Settings
from cosca.core.primer import PrimerLine, PrimerSection
from cosca.games.omerta.pieces import CALL_LIMIT, FINE

PRIMER: Final = (
    PrimerSection(
        "goal",
        (
            PrimerLine("lowest", ("O-23",)),
            PrimerLine("worth", ("O-M1", "O-M2")),
            PrimerLine("deck_standard", ("O-M3",), when={"copies": ("standard",)}),
            PrimerLine("deck_pairs", ("O-M3",), when={"copies": ("pairs",)}),
            PrimerLine("deck_singles", ("O-M3",), when={"copies": ("singles",)}),
        ),
    ),
    PrimerSection(
        "turn",
        (
            PrimerLine("row", ("O-S2", "O-S3")),
            PrimerLine("remember", ("O-S3",), when={"memory": ("own",)}),
            PrimerLine("reminded", ("O-S3",), when={"memory": ("aided",)}),
            PrimerLine("first_up", ("O-S2",), when={"first_discard": ("up",)}),
            PrimerLine("take", ("O-2",)),
            PrimerLine("replace", ("O-3", "O-4")),
        ),
    ),
    PrimerSection(
        "then",
        (
            PrimerLine("snap_live", ("O-7", "O-11"), when={"reactions": ("live",)}),
            PrimerLine("snap_sealed", ("O-7", "O-11"), when={"reactions": ("sealed",)}),
            PrimerLine("wrong", ("O-8",)),
            PrimerLine("driver_each", ("O-10", "O-17"), when={"driver_snap": ("each",)}),
            PrimerLine("use_may", ("O-11u",), when={"use": ("may",)}),
            PrimerLine("use_must", ("O-11u",), when={"use": ("must",)}),
            PrimerLine("assassin", ("O-16",)),
        ),
    ),
    PrimerSection(
        "end",
        (
            PrimerLine("call", ("O-20",)),
            PrimerLine("call_from", ("O-1",), unless={"first_call": (1,)}),
            PrimerLine("good_call", ("O-21",)),
            PrimerLine("bad_call", ("O-22",)),
            PrimerLine("last_round", ("O-24",), unless={"max_rounds": (0,)}),
        ),
    ),
    PrimerSection(
        "traps",
        (
            PrimerLine("blind", ("O-3",)),
            PrimerLine("expensive", ("O-M2",)),
            PrimerLine("locked", ("O-19m", "O-19p")),
        ),
    ),
)


def facts(settings: Settings, seats: int) -> dict[str, Param]:
    """O-21, O-22, O-23: how many games are played, and what a call needs and costs."""
    games = int(settings["games"]) or seats
    return {"number": games, "limit": CALL_LIMIT, "fine": FINE}
