"""Read the lock files: packages of Python and Node, their hashes and what depends on them."""

import base64
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

PYTHON: Final = ("run", "web", "dev", "bench")
"""The files requirements/*.txt, each building on those before it."""
NODE: Final = ("web/package-lock.json", "tests/web/tools/package-lock.json")
SHIPPED: Final = ("requirements/run.txt", "web/package-lock.json")
"""The lock files of packages that run on a server or are part of the client, except dev ones."""
ROOT_NAME: Final = "cosca"

_PIN: Final = re.compile(r"([\w.-]+)==(\S+)( ; [^\\\n]*?)?((?: +--hash=sha256:[0-9a-f]{64})+)")


@dataclass(frozen=True)
class Package:
    """One version of a package."""

    kind: str
    """`pypi` or `npm`."""
    name: str
    version: str
    files: tuple[str, ...]
    """The lock files that pin it."""
    hashes: tuple[tuple[str, str], ...]
    """For each archive the algorithm, as CycloneDX names it, and the digest in hex."""
    is_shipped: bool
    """Whether it runs on a server or in the client; others only build or test."""
    needed_by: frozenset[str] = frozenset()
    """The packages that depend on it, by purl; `cosca` for Cosca itself."""
    licence: str = field(default="", compare=False)

    @property
    def purl(self) -> str:
        """The package URL, a global name."""
        return f"pkg:{self.kind}/{quote(self.name)}@{quote(self.version)}"


def locked(root: Path) -> list[Package]:
    """Return all pinned packages, each version once, sorted."""
    found: dict[str, Package] = {}
    for file in [f"requirements/{group}.txt" for group in PYTHON]:
        for package in _of_python((root / file).read_text(encoding="utf-8"), file):
            _add(found, package)
    for file in NODE:
        for package in _of_node(json.loads((root / file).read_text(encoding="utf-8")), file):
            _add(found, package)
    return [found[purl] for purl in sorted(found)]


def _add(found: dict[str, Package], package: Package) -> None:
    known = found.get(package.purl, package)
    found[package.purl] = replace(
        known,
        files=tuple(dict.fromkeys([*known.files, *package.files])),
        hashes=tuple(sorted({*known.hashes, *package.hashes})),
        is_shipped=known.is_shipped or package.is_shipped,
        needed_by=known.needed_by | package.needed_by,
    )


def _of_python(text: str, file: str) -> Iterator[Package]:
    """Read a file of `./run lock`: a pin, its hashes, and its dependents after `via`."""
    entries = re.split(r"\n(?=\w)", text.replace("\\\n", " "))
    pins = [(entry, _PIN.match(entry)) for entry in entries]
    versions = {pin[1]: pin[2] for _, pin in pins if pin}
    for entry, pin in pins:
        if pin is None:
            continue
        hashes = re.findall(r"sha256:([0-9a-f]{64})", pin[4])
        parents = re.findall(r"#\s+(?:via\s+)?(\w[\w.-]*|-r \S+)\s*$", entry, re.MULTILINE)
        yield Package(
            kind="pypi",
            name=pin[1],
            version=pin[2],
            files=(file,),
            hashes=tuple(("SHA-256", digest) for digest in hashes),
            is_shipped=file in SHIPPED,
            needed_by=frozenset(
                ROOT_NAME if parent.startswith("-r") else f"pkg:pypi/{parent}@{versions[parent]}"
                for parent in parents
                if parent != "via"
            ),
        )


def _of_node(lock: dict[str, Any], file: str) -> Iterator[Package]:
    """Read a lock file of npm, in which each package has the path where Node looks for it."""
    places: dict[str, dict[str, Any]] = lock["packages"]
    parents: dict[str, set[str]] = {place: set() for place in places}
    for place, entry in places.items():
        who = _npm(place, entry).purl if place else ROOT_NAME
        for group in ("dependencies", "devDependencies", "optionalDependencies"):
            for name in entry.get(group, {}):
                used = _looked_up(places, place, name)
                if used:
                    parents[used].add(who)
    for place, entry in places.items():
        if place:
            is_shipped = file in SHIPPED and not entry.get("dev", False)
            needed_by = frozenset(parents[place])
            package = _npm(place, entry)
            yield replace(package, files=(file,), is_shipped=is_shipped, needed_by=needed_by)


def _npm(place: str, entry: dict[str, Any]) -> Package:
    algorithm, _, digest = entry["integrity"].partition("-")
    return Package(
        kind="npm",
        name=place.rpartition("node_modules/")[2],
        version=entry["version"],
        files=(),
        hashes=((algorithm.upper().replace("SHA", "SHA-"), base64.b64decode(digest).hex()),),
        is_shipped=False,
        licence=entry.get("license", ""),
    )


def _looked_up(places: dict[str, dict[str, Any]], place: str, name: str) -> str:
    """Find a package as Node does, from the dependent outwards; empty if it is optional."""
    while True:
        found = f"{place}/node_modules/{name}".lstrip("/")
        if found in places:
            return found
        if not place:
            return ""
        place = place.rpartition("node_modules/")[0].rstrip("/")
