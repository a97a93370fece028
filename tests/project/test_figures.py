"""Figures that docs promise are those of the code."""

from pathlib import Path

import pytest

from cosca.bots.characters import CHARACTERS
from cosca.catalog import find
from cosca.cli.session import REACTION_SECONDS
from cosca.match.sealed import CONTRIBUTION_BYTES, FORMAT, SEED_BYTES
from cosca.match.verification import LONGEST_LINE, MOST_BYTES, MOST_LINES
from cosca.server.domain.contributions import COMMIT_SECONDS, REVEAL_SECONDS
from cosca.server.domain.reaction_order import HOLD, MOST_CREDIT, SLACK, TIE
from cosca.server.http.latency import SLACK as ANSWER_SLACK
from cosca.server.live.house_clock import HEARTBEAT_SECONDS
from cosca.testing.laws import BUTTON_WIDTH, CELL_WIDTH, PLAYERS_WIDTH

ROOT = Path(__file__).parents[2]


def ms(seconds: float) -> str:
    return f"{seconds * 1000:.0f} ms"


def players(game: str) -> str:
    seats = find(game).seats
    return f"{seats[0]} to {seats[-1]}"


FIGURES = [
    ("README.md", f"within {{{REACTION_SECONDS:.0f}}} seconds"),
    ("README.md", f"against {{{len(CHARACTERS)}}} characters"),
    ("README.md", f"Vendetta and Omerta take {players('vendetta')} players"),
    ("README.md", f"Omerta take {players('omerta')} players, Sicilianos {players('sicilianos')}"),
    ("README.md", f"one of {{{len(find('vendetta').editions)}}} printed editions"),
    ("docs/architecture.md", f"a heartbeat every {{{HEARTBEAT_SECONDS:.0f}}} seconds"),
    ("docs/fair.md", f"**{ms(MOST_CREDIT)}**"),
    ("docs/fair.md", f"credited more than {ms(MOST_CREDIT)}"),
    ("docs/fair.md", f"plus {ms(SLACK)}, at least {ms(HOLD[0])} and at most {ms(HOLD[1])}"),
    ("docs/fair.md", f"within **{ms(TIE)}**"),
    ("docs/fair.md", f"more than **{ms(ANSWER_SLACK)}**"),
    ("docs/languages.md", f"buttons {BUTTON_WIDTH} characters, cells {CELL_WIDTH}"),
    ("docs/languages.md", f"table of players {PLAYERS_WIDTH}"),
    ("docs/records.md", f"| `format` | {FORMAT} |"),
    ("docs/records.md", f"longer than {LONGEST_LINE:,} bytes"),
    ("docs/records.md", f"longer than {MOST_LINES:,} lines or {MOST_BYTES:,} bytes"),
    ("docs/records.md", f"picks {SEED_BYTES} random bytes, the *seed*"),
    ("docs/records.md", f"browser picks {CONTRIBUTION_BYTES} random bytes"),
    ("docs/records.md", f"sends none within {COMMIT_SECONDS:.0f} seconds is *silent*"),
    ("docs/records.md", f"not reveal within {REVEAL_SECONDS:.0f} seconds has *withheld*"),
]
"""Pages with what they say; a number in braces is written out."""
WRITTEN_OUT = {"{2}": "two", "{3}": "three", "{5}": "five", "{12}": "twelve"}


@pytest.mark.parametrize(("page", "text"), FIGURES)
def test_a_page_has_the_figure_of_the_code(page: str, text: str) -> None:
    for number, word in WRITTEN_OUT.items():
        text = text.replace(number, word)
    assert text in " ".join((ROOT / page).read_text(encoding="utf-8").split())
