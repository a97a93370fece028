"""The rules of Sicilianos on one page: which sentences apply when, and their rules."""

from typing import Final

from cosca.core.errors import Param
from cosca.core.options import Settings
from cosca.core.primer import PrimerLine, PrimerSection
from cosca.games.sicilianos.pieces import MOST_OF_A_KIND, NOTE_WORTH, THREE_KINDS

PRIMER: Final = (
    PrimerSection(
        "goal",
        (
            PrimerLine("businesses", ("S-23",)),
            PrimerLine("money", ("S-25", "S-28")),
        ),
    ),
    PrimerSection(
        "turn",
        (
            PrimerLine("backs", ("S-M1", "S-S3")),
            PrimerLine("purse", ("S-S1",)),
            PrimerLine("roll", ("S-2", "S-3", "S-4", "S-5")),
            PrimerLine("faces_even", ("S-M5",), when={"influence": ("even",)}),
            PrimerLine("faces_drawing", ("S-M5",), when={"influence": ("drawing",)}),
            PrimerLine("open_war", ("S-6",)),
            PrimerLine("limit", ("S-1",)),
        ),
    ),
    PrimerSection(
        "then",
        (
            PrimerLine("join", ("S-7",)),
            PrimerLine("passes", ("S-8", "S-14")),
            PrimerLine("strongest", ("S-16",)),
            PrimerLine("spoils", ("S-17", "S-18")),
            PrimerLine("defector", ("S-9", "S-19")),
            PrimerLine("defector_pairs", ("S-M2",), when={"defectors": ("pairs",)}),
            PrimerLine("defector_ring", ("S-M2",), when={"defectors": ("ring",)}),
            PrimerLine("bomb_pairs", ("S-M3", "S-11"), when={"bombs": ("pairs",)}),
            PrimerLine("bomb_all", ("S-M3", "S-11"), when={"bombs": ("all",)}),
            PrimerLine("bodyguard", ("S-12",)),
        ),
    ),
    PrimerSection(
        "end",
        (
            PrimerLine("broke", ("S-24",)),
            PrimerLine("bonus", ("S-26", "S-27")),
        ),
    ),
    PrimerSection(
        "traps",
        (
            PrimerLine("black", ("S-25",)),
            PrimerLine("stay_in", ("S-14",)),
        ),
    ),
)


def facts(settings: Settings, seats: int) -> dict[str, Param]:
    """S-S1, S-26, S-27: the black money at the start, and the bonuses, in thousands."""
    return {
        "money": sum(NOTE_WORTH) * int(settings["notes"]),
        "three_kinds": THREE_KINDS,
        "most_of_kind": MOST_OF_A_KIND,
    }
