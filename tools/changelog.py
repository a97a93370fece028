"""Read CHANGELOG.md: its releases, newest first, in the form of keepachangelog.com.

A page begins with `## Unreleased`. Every release has its version and its date, as in
`## 0.2.0 - 2026-11-18`, and its changes stand under `### Added`, `### Changed` and so on.
"""

import re
from dataclasses import dataclass, field
from datetime import date
from itertools import pairwise
from typing import Final

UNRELEASED: Final = "Unreleased"
KINDS: Final = ("Added", "Changed", "Deprecated", "Removed", "Fixed", "Security")
VERSION: Final = re.compile(r"\d+\.\d+\.\d+")


class ChangelogError(Exception):
    """The changelog does not have its form; the text says what is wrong and where."""


@dataclass(slots=True)
class Release:
    """One part of the changelog."""

    version: str
    """Such as 0.2.0, or `Unreleased`."""
    day: date | None = None
    """The day of the release; `Unreleased` has none."""
    changes: dict[str, list[str]] = field(default_factory=dict)
    """The changes of each kind, a text each."""

    def sort_key(self) -> tuple[int, ...]:
        """Return the version as numbers, so that 0.10.0 comes after 0.9.0."""
        return tuple(map(int, self.version.split(".")))


def read_changelog(text: str) -> list[Release]:
    """Return what is unreleased and then the releases, newest first; or refuse the text."""
    releases: list[Release] = []
    kind = ""
    for number, line in enumerate(text.splitlines(), start=1):
        if line.startswith("## "):
            releases.append(_release(line.removeprefix("## "), number))
            kind = ""
        elif line.startswith("### "):
            kind = line.removeprefix("### ")
            _open_kind(releases, kind, number)
        elif line.startswith("- "):
            if not kind:
                raise ChangelogError(f"Line {number}: a change stands under no kind of change.")
            releases[-1].changes[kind].append(line.removeprefix("- "))
        elif line.startswith("  ") and kind and releases[-1].changes[kind]:
            releases[-1].changes[kind][-1] += f" {line.strip()}"
        elif line and releases:
            raise ChangelogError(f"Line {number}: expected a heading or a change, found “{line}”.")
    _check_order(releases)
    return releases


def _release(heading: str, number: int) -> Release:
    if heading == UNRELEASED:
        return Release(UNRELEASED)
    version, _, written = heading.partition(" - ")
    try:
        if not VERSION.fullmatch(version):
            raise ValueError(version)
        return Release(version, date.fromisoformat(written))
    except ValueError:
        advice = "write it as in “## 0.2.0 - 2026-11-18”"
        raise ChangelogError(f"Line {number}: “{heading}” is no release; {advice}.") from None


def _open_kind(releases: list[Release], kind: str, number: int) -> None:
    if not releases or kind not in KINDS:
        raise ChangelogError(
            f"Line {number}: “{kind}” is no kind of change; use {', '.join(KINDS)}."
        )
    if kind in releases[-1].changes:
        raise ChangelogError(f"Line {number}: {releases[-1].version} has “{kind}” twice.")
    releases[-1].changes[kind] = []


def _check_order(releases: list[Release]) -> None:
    """Refuse a changelog without `Unreleased` on top, or not ordered from new to old."""
    if [release.version for release in releases if release.day is None] != [UNRELEASED]:
        raise ChangelogError(f"There must be one “## {UNRELEASED}”.")
    if releases[0].version != UNRELEASED:
        raise ChangelogError(f"“## {UNRELEASED}” must stand on top.")
    for newer, older in pairwise(releases[1:]):
        if newer.sort_key() <= older.sort_key():
            raise ChangelogError(f"{newer.version} stands above {older.version}: newest first.")
    for release in releases:
        empty = [kind for kind, changes in release.changes.items() if not changes]
        if empty or (release.day and not release.changes):
            raise ChangelogError(f"{release.version} has an empty part; write it or remove it.")
