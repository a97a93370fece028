"""The changelog has its form, and its newest release is this version."""

from datetime import date
from pathlib import Path

import pytest

import cosca
from tools.changelog import UNRELEASED, ChangelogError, read_changelog

ROOT = Path(__file__).parents[2]
GOOD = """# Changes

## Unreleased

### Fixed
- A thing
  that was broken.

## 0.10.0 - 2026-11-18

### Added
- One.
- Two.

## 0.9.0 - 2026-11-16

### Changed
- Three.
"""


def test_the_newest_release_is_this_version_and_unreleased_is_on_top() -> None:
    first, newest, *_ = read_changelog((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))
    assert first.version == UNRELEASED
    assert newest.version == cosca.__version__


def test_releases_are_read_with_dates_and_changes() -> None:
    unreleased, newest, oldest = read_changelog(GOOD)
    assert unreleased.changes == {"Fixed": ["A thing that was broken."]}
    assert (newest.version, newest.day) == ("0.10.0", date(2026, 11, 18))
    assert newest.changes == {"Added": ["One.", "Two."]}
    assert oldest.changes == {"Changed": ["Three."]}


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        ("## Unreleased", "## 0.11.0 - 2026-11-18", "one “## Unreleased”"),
        ("## 0.10.0 - 2026-11-18", "## Unreleased", "one “## Unreleased”"),
        ("## 0.10.0 - 2026-11-18", "## 0.10.0", "no release"),
        ("2026-11-18", "18.11.2026", "no release"),
        ("0.10.0 -", "0.10 -", "no release"),
        ("0.10.0", "0.8.0", "newest first"),
        ("### Added", "### News", "no kind of change"),
        ("- Two.", "### Added", "“Added” twice"),
        ("- Three.", "", "empty part"),
        ("### Fixed\n", "", "under no kind"),
        ("- Two.", "Two.", "expected a heading or a change"),
    ],
)
def test_another_form_is_refused(before: str, after: str, reason: str) -> None:
    assert before in GOOD
    with pytest.raises(ChangelogError, match=reason):
        read_changelog(GOOD.replace(before, after, 1))


def test_unreleased_must_be_above_the_releases() -> None:
    head, unreleased, rest = GOOD.partition("## Unreleased")
    first, newest, oldest = rest.partition("## 0.10.0")
    moved = f"{head}{newest}{oldest}\n{unreleased}{first}"
    with pytest.raises(ChangelogError, match="on top"):
        read_changelog(moved)
