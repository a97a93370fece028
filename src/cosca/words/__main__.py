"""`python -m cosca.words`: all that is said in English, as the file of a new language."""

import re
from importlib import resources

from cosca.words import LANGUAGE

_HEADING = re.compile(r"^\[([\w.]+)\]$", re.MULTILINE)


def draft() -> str:
    """The words of the house, then those of each game with its rulebook, each under its name."""
    parts = [(resources.files("cosca.words") / f"{LANGUAGE}.toml").read_text(encoding="utf-8")]
    for folder in sorted((resources.files("cosca") / "games").iterdir(), key=lambda f: f.name):
        words = folder / "words" / f"{LANGUAGE}.toml"
        if words.is_file():
            rules = (folder / "RULES.md").read_text(encoding="utf-8")
            own = _HEADING.sub(rf"[{folder.name}.\1]", words.read_text(encoding="utf-8"))
            parts.append(f"[{folder.name}]\nrules = '''\n{rules}'''\n\n{own}")
    return "\n\n".join(parts)


if __name__ == "__main__":
    print(draft(), end="")
