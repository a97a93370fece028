"""Known vulnerabilities of what the lock files pin, as the OSV database tells them.

OSV gathers the advisories of PyPI, npm and GitHub behind one address, so that one question answers
for Python and Node. Where it cannot be reached nothing is known, and that is what is said.
"""

import json
import urllib.request
from http.client import HTTPException
from pathlib import Path
from typing import Any, Final

from requirements.locks import Package, locked

DATABASE: Final = "https://api.osv.dev"
PATIENCE: Final = 30.0
AT_ONCE: Final = 500
"""So many packages in one question; the database takes a thousand."""
FOUND: Final = 1
NOT_ASKED: Final = 3
"""Exit codes: something is known; nobody could be asked. 2 is for commands that cannot be."""


class UnreachableError(Exception):
    """The database does not answer, or not as one."""


def audit(root: Path, database: str = DATABASE) -> int:
    """Say what is known about every pinned package: the exit code."""
    packages = locked(root)
    try:
        known = [
            (package, found, _summary(database, found))
            for package, founds in zip(packages, _ask_all(database, packages), strict=True)
            for found in founds
        ]
    except UnreachableError as error:
        print(f"Nothing was audited: {database} cannot be asked ({error}).")
        print(f"Whether one of {len(packages)} packages is vulnerable is not known.")
        return NOT_ASKED
    for package, found, summary in known:
        where = ", ".join(package.files)
        print(f"{package.name} {package.version} ({where}): {found} {summary}".rstrip())
    if known:
        print(f"{len(known)} known vulnerabilities in {len(packages)} packages, says {database}.")
        return FOUND
    print(f"No known vulnerability in {len(packages)} packages, says {database}.")
    return 0


def _ask_all(database: str, packages: list[Package]) -> list[list[str]]:
    """Return for each package the names of its vulnerabilities."""
    found: list[list[str]] = []
    for start in range(0, len(packages), AT_ONCE):
        found += _ask_some(database, packages[start : start + AT_ONCE])
    return found


def _ask_some(database: str, packages: list[Package]) -> list[list[str]]:
    found: list[list[str]] = [[] for _ in packages]
    queries = {
        number: {"package": {"purl": package.purl}} for number, package in enumerate(packages)
    }
    while queries:
        told = _ask(f"{database}/v1/querybatch", {"queries": list(queries.values())})
        results = told.get("results")
        if not isinstance(results, list) or len(results) != len(queries):
            raise UnreachableError("its answer has not one result for each package")
        more: dict[int, dict[str, Any]] = {}
        for (number, query), result in zip(queries.items(), results, strict=True):
            found[number] += [str(each["id"]) for each in result.get("vulns", [])]
            if token := result.get("next_page_token"):
                more[number] = {**query, "page_token": token}
        queries = more
    return found


def _summary(database: str, found: str) -> str:
    return str(_ask(f"{database}/v1/vulns/{found}").get("summary", ""))


def _ask(address: str, question: Any = None) -> dict[str, Any]:
    """Ask the database something: what it answers."""
    body = None if question is None else json.dumps(question).encode()
    request = urllib.request.Request(address, body, {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            told = json.loads(answer.read())
    except (OSError, ValueError, HTTPException) as error:
        raise UnreachableError(str(error)) from None
    if not isinstance(told, dict):
        raise UnreachableError("its answer is no object")
    return told
