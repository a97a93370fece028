"""`python -m cosca.words es`: start a language as a copy of every English text."""

import re
import sys
from pathlib import Path

from cosca.words import LANGUAGE, rulebook_name

SOURCES = Path(__file__).parents[1]
USAGE = "Name the new language by its two letters, for example: python -m cosca.words es"


def copies(language: str, sources: Path) -> list[tuple[Path, Path]]:
    """Return each English file below `sources` with its counterpart in another language."""
    english = sorted(sources.glob(f"**/words/{LANGUAGE}.toml"))
    rulebooks = sorted(sources.glob(f"games/*/{rulebook_name(LANGUAGE)}"))
    return [
        *((file, file.with_name(f"{language}.toml")) for file in english),
        *((file, file.with_name(rulebook_name(language))) for file in rulebooks),
    ]


def start_language(language: str, sources: Path = SOURCES) -> list[Path]:
    """Copy every English file that the language does not have yet; return what was written."""
    missing = [pair for pair in copies(language, sources) if not pair[1].exists()]
    for english, copy in missing:
        copy.write_text(english.read_text(encoding="utf-8"), encoding="utf-8", newline="\n")
    return [copy for _, copy in missing]


def main(arguments: list[str]) -> int:
    """Start the language named on the command line."""
    if len(arguments) != 1 or not re.fullmatch("[a-z]{2}", arguments[0]):
        print(USAGE, file=sys.stderr)
        return 2
    for path in start_language(arguments[0]):
        print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
