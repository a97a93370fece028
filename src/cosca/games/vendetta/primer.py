"""The rules of Vendetta on one page: which sentences apply when, and their rules."""

from typing import Final

from cosca.core.errors import Param
from cosca.core.options import Settings
from cosca.core.primer import PrimerLine, PrimerSection
from cosca.games.vendetta.pieces import DISTRICTS_TO_WIN, POINTS_TO_WIN

PRIMER: Final = (
    PrimerSection(
        "goal",
        (
            PrimerLine("districts", ("V-17",)),
            PrimerLine("points_reach", ("V-16", "V-18"), when={"goal": ("reach",)}),
            PrimerLine("points_exceed", ("V-16", "V-18"), when={"goal": ("exceed",)}),
            PrimerLine("control_alone", ("V-15",), when={"control": ("alone",)}),
            PrimerLine("control_most", ("V-15e",), when={"control": ("most",)}),
        ),
    ),
    PrimerSection(
        "turn",
        (
            PrimerLine("start_except", ("V-S3", "V-S4"), when={"setup": ("except",)}),
            PrimerLine("start_only", ("V-S3f", "V-S4"), when={"setup": ("only",)}),
            PrimerLine("first_lot", ("V-S1", "V-2"), when={"trustee": (0,)}),
            PrimerLine("first_named", ("V-S1", "V-2"), unless={"trustee": (0,)}),
            PrimerLine("place", ("V-4", "V-5")),
            PrimerLine("outnumber", ("V-6",)),
            PrimerLine("limit_first", ("V-7",), when={"limit": ("first",)}),
            PrimerLine("limit_every", ("V-7e",), when={"limit": ("every",)}),
            PrimerLine("turn_up", ("V-3",)),
        ),
    ),
    PrimerSection(
        "then",
        (
            PrimerLine("fewest", ("V-9", "V-11")),
            PrimerLine("tie", ("V-10",)),
            PrimerLine("collect", ("V-12",)),
            PrimerLine("raid", ("V-1", "V-14")),
            PrimerLine("next_round", ("V-20",)),
        ),
    ),
    PrimerSection(
        "end",
        (
            PrimerLine("precedence", ("V-17", "V-19", "V-19r")),
            PrimerLine("final_points", ("V-16",), when={"final_points": ("yes",)}),
            PrimerLine("no_final_points", ("V-16e",), when={"final_points": ("no",)}),
            PrimerLine("last_round", ("V-21",), unless={"max_rounds": (0,)}),
        ),
    ),
    PrimerSection(
        "traps",
        (
            PrimerLine("safe", ("V-1", "V-2")),
            PrimerLine("weak", ("V-9",)),
            PrimerLine("hands_open", ("V-8",), when={"hands": ("open",)}),
            PrimerLine("hands_hidden", ("V-8",), when={"hands": ("hidden",)}),
        ),
    ),
)


def facts(settings: Settings, seats: int) -> dict[str, Param]:
    """V-17, V-18, V-S1: what it takes to win with so many players, and who starts."""
    return {
        "districts": DISTRICTS_TO_WIN[seats],
        "points": POINTS_TO_WIN[seats],
        "starter": int(settings["trustee"]) - 1,
    }
