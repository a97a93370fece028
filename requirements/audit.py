"""Check the packages of the lock files for known vulnerabilities in the OSV database.

OSV collects the advisories of PyPI, npm and GitHub, so that one query covers Python and Node. If it
cannot be reached, the result says that nothing is known.
"""

import json
import urllib.request
from http.client import HTTPException
from pathlib import Path
from typing import Any, Final

from requirements.locks import Package, locked

DATABASE: Final = "https://api.osv.dev"
TIMEOUT: Final = 30.0
"""Seconds."""
AT_ONCE: Final = 500
"""Packages in one query; the database accepts a thousand."""
FOUND: Final = 1
NOT_ASKED: Final = 3
"""Exit codes: vulnerabilities found; database not reached. 2 is for bad command lines."""


class UnreachableError(Exception):
    """The database does not answer, or its answer makes no sense."""


def audit(root: Path, database: str = DATABASE) -> int:
    """Print the vulnerabilities of every pinned package; return the exit code."""
    packages = locked(root)
    try:
        known = [
            (package, found, _summary(database, found))
            for package, founds in zip(packages, _ask_all(database, packages), strict=True)
            for found in founds
        ]
    except UnreachableError as error:
        print(f"Nothing was audited: cannot reach {database} ({error}).")
        print(f"It is not known whether any of the {len(packages)} packages is vulnerable.")
        return NOT_ASKED
    for package, found, summary in known:
        where = ", ".join(package.files)
        print(f"{package.name} {package.version} ({where}): {found} {summary}".rstrip())
    if known:
        print(f"{database}: {len(known)} known vulnerabilities in {len(packages)} packages.")
        return FOUND
    print(f"{database}: no known vulnerabilities in {len(packages)} packages.")
    return 0


def _ask_all(database: str, packages: list[Package]) -> list[list[str]]:
    """Return the ids of the vulnerabilities of each package."""
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
        answer = _ask(f"{database}/v1/querybatch", {"queries": list(queries.values())})
        results = answer.get("results")
        if not isinstance(results, list) or len(results) != len(queries):
            raise UnreachableError("the answer does not have one result for each package")
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
    """Send a query to the database; return its answer."""
    body = None if question is None else json.dumps(question).encode()
    request = urllib.request.Request(address, body, {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT) as response:
            answer = json.loads(response.read())
    except (OSError, ValueError, HTTPException) as error:
        raise UnreachableError(str(error)) from None
    if not isinstance(answer, dict):
        raise UnreachableError("the answer is not a JSON object")
    return answer
