"""What was soaked at which commit: a small file that goes with the code, and its page."""

import json
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Final

from tests.processes import run
from tests.soak.soaks import SOAKS, Soak

ROOT: Final = Path(__file__).parents[2]
LEDGER: Final = ROOT / "docs" / "reliability.json"
PAGE: Final = ROOT / "docs" / "reliability.md"
BEGIN: Final = "<!-- soaks: written by ./run soak -->"
END: Final = "<!-- end of soaks -->"


@dataclass
class Entry:
    """What was done of one soak at one commit."""

    soak: str
    commit: str
    done: int = 0
    """How many units, in all pieces."""
    seconds: float = 0.0
    """How long the pieces took, added up."""
    pieces: list[list[int]] = field(default_factory=list)
    """The pieces that passed, as first and last of each run of them."""
    failed: list[int] = field(default_factory=list)


class Ledger:
    """All entries, kept in a file that is written anew after each piece."""

    def __init__(self, path: Path = LEDGER) -> None:
        self._path = path
        read = json.loads(path.read_text()) if path.exists() else []
        self.entries = [Entry(**entry) for entry in read]

    def of(self, soak: Soak) -> list[Entry]:
        """Return the entries of a soak, oldest first."""
        return [entry for entry in self.entries if entry.soak == soak.name]

    def done(self, soak: Soak) -> int:
        """Return how many units of a soak have passed, at whichever commits."""
        return sum(entry.done for entry in self.of(soak))

    def pieces(self, soak: Soak) -> set[int]:
        """Return the pieces of a soak that need not be run again."""
        runs = [run for entry in self.of(soak) for run in entry.pieces]
        return {piece for first, last in runs for piece in range(first, last + 1)}

    def forget(self, soaks: Collection[Soak]) -> None:
        """Begin some soaks anew."""
        names = {soak.name for soak in soaks}
        self.entries = [entry for entry in self.entries if entry.soak not in names]

    def passed(self, soak: Soak, commit: str, piece: int, units: int, seconds: float) -> None:
        """Note a piece that passed."""
        entry = self._entry(soak, commit)
        known = {each for first, last in entry.pieces for each in range(first, last + 1)}
        entry.pieces = runs(known | {piece})
        for earlier in self.of(soak):
            earlier.failed = [each for each in earlier.failed if each != piece]
        entry.done += units
        entry.seconds = round(entry.seconds + seconds, 1)
        self.write()

    def failed(self, soak: Soak, commit: str, piece: int) -> None:
        """Note a piece that failed."""
        entry = self._entry(soak, commit)
        entry.failed = sorted({*entry.failed, piece})
        self.write()

    def _entry(self, soak: Soak, commit: str) -> Entry:
        for entry in self.of(soak):
            if entry.commit == commit:
                return entry
        self.entries.append(Entry(soak.name, commit))
        return self.entries[-1]

    def write(self) -> None:
        """Write the file, whole or not at all, and the page that is made of it."""
        fresh = self._path.with_suffix(".new")
        lines = ",\n".join(json.dumps(asdict(entry)) for entry in self.entries)
        fresh.write_text(f"[\n{lines}\n]\n")
        fresh.replace(self._path)
        if self._path == LEDGER:
            PAGE.write_text(page(self, PAGE.read_text(encoding="utf-8")), encoding="utf-8")


def runs(numbers: Collection[int]) -> list[list[int]]:
    """Return numbers as first and last of each run without a gap."""
    found: list[list[int]] = []
    for number in sorted(numbers):
        if found and found[-1][1] == number - 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    return found


def commit() -> str:
    """Return the commit that is checked out; with a plus sign if files were changed since."""
    head = _git("rev-parse", "--short=10", "HEAD")
    ours = [f":(exclude){path.relative_to(ROOT)}" for path in (LEDGER, PAGE)]
    changed = _git("status", "--porcelain", "--", ".", *ours)
    return head + ("+" if changed else "")


def _git(*words: str) -> str:
    done = run(["git", *words], cwd=ROOT)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def page(ledger: Ledger, text: str) -> str:
    """Return the page with its table of soaks made anew."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{table(ledger)}\n{END}{after}"


def table(ledger: Ledger) -> str:
    """Return what was done of each soak, as a table in Markdown."""
    rows = ["| soak | what | wanted | done | failed | at commit |", "|---|---|---:|---:|---:|---|"]
    for soak in SOAKS.values():
        entries = [entry for entry in ledger.of(soak) if entry.done or entry.failed]
        failed = sum(len(entry.failed) for entry in entries)
        done = f"{ledger.done(soak):,}"
        cells = [f"`{soak.name}`", soak.unit, f"{soak.target:,}", done, str(failed)]
        rows.append(f"| {' | '.join([*cells, _commits(entries)])} |")
    return "\n".join(rows)


def _commits(entries: Sequence[Entry]) -> str:
    if len(entries) == 1:
        return f"`{entries[0].commit}`"
    return ", ".join(f"`{entry.commit}` ({entry.done:,})" for entry in entries) or "not run yet"
