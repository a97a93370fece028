"""The figures on the page about reliability: one line for each game, written by the command."""

import re

from tests.mutants.report import Report
from tests.mutants.results import ROOT

PAGE = ROOT / "docs" / "reliability.md"


def row(report: Report, commit: str) -> str:
    """Return the line of a game."""
    percent = f"{100 * report.killed / max(len(report.tried), 1):.1f} %"
    cells = [f"`{report.game}`", str(len(report.tried)), str(report.killed), percent]
    return f"| {' | '.join([*cells, str(len(report.survivors)), f'`{commit}`'])} |"


def with_row(text: str, line: str) -> str:
    """Return the page with the line of that game replaced."""
    game = line.split(" | ", 1)[0]
    return re.sub(rf"^{re.escape(game)} \| .*$", lambda _: line, text, flags=re.MULTILINE)


def write(report: Report, commit: str) -> None:
    """Write the figures of a game into the page."""
    text = with_row(PAGE.read_text(encoding="utf-8"), row(report, commit))
    PAGE.write_text(text, encoding="utf-8")
