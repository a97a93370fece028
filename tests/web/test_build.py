"""The build of the web client, and the tools for it."""

import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

from web import building

ROOT = Path(__file__).parents[2]
BUILT = ROOT / "src" / "cosca" / "server" / "web"


def test_the_page_has_nothing_inline_and_nothing_from_elsewhere() -> None:
    page = (BUILT / "index.html").read_text(encoding="utf-8")
    tags = re.findall(r"<(?:script|style|link|img)[^>]*>", page)
    assert tags and all('src="/' in tag or 'href="/' in tag for tag in tags)
    assert not re.search(r"\s(?:style|on\w+)=", page)
    assert "://" not in page


def test_every_icon_that_browsers_request_exists() -> None:
    page = (BUILT / "index.html").read_text(encoding="utf-8")
    named = re.findall(r'rel="(?:icon|apple-touch-icon)" href="/([^"]+)"', page)
    for name in ("favicon.ico", *named):  # browsers request the first by themselves
        assert (BUILT / name).stat().st_size > 0
    assert len(named) == 2


@pytest.mark.parametrize("place", ["web", "tests/web/tools"])
def test_a_lock_file_pins_by_hash_and_names_no_registry(place: str) -> None:
    lock = (ROOT / place / "package-lock.json").read_text(encoding="utf-8")
    assert '"resolved"' not in lock
    packages = re.findall(r'^    "node_modules/', lock, re.MULTILINE)
    assert len(packages) == lock.count('"integrity"') > 0


def test_a_wheel_requires_node_only_where_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [str(ROOT / "web"), *sys.path])
    backend = importlib.import_module("backend")
    monkeypatch.setattr(backend, "node_on_path", lambda: Path("node"))
    assert backend.NODE not in backend.get_requires_for_build_wheel()
    monkeypatch.setattr(backend, "node_on_path", lambda: None)
    assert backend.NODE in backend.get_requires_for_build_wheel()


@pytest.mark.parametrize(
    ("version", "good"), [("v18.20.1", False), ("v20.18.9", False), ("v20.19.0", True)]
)
def test_an_old_node_is_not_used(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, version: str, good: bool
) -> None:
    for name in ("node", "npm"):
        (tmp_path / name).write_text(f"#!/bin/sh\necho {version}\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert (building.node_on_path() is not None) == good


def test_a_build_installs_no_development_packages(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "package-lock.json").write_text("{}")
    (tmp_path / "node_modules").mkdir()
    installed: list[list[str]] = []
    monkeypatch.setattr(building, "tools", lambda: (Path("node"), ["npm"]))
    monkeypatch.setattr(subprocess, "run", lambda args, **_: installed.append(args))
    building.install(tmp_path, dev=False)
    building.install(tmp_path, dev=False)
    assert installed == [["npm", "ci", "--omit=dev"]]
    building.install(tmp_path)  # with the development packages, so all are installed
    assert installed[1:] == [["npm", "ci"]]
    building.install(tmp_path, dev=False)
    building.install(tmp_path)
    assert len(installed) == 2
    (tmp_path / "package-lock.json").write_text("{ }")
    building.install(tmp_path, dev=False)
    assert len(installed) == 3


def test_every_check_of_the_client_runs_even_if_one_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[str] = []

    def fail(script: str, *_: str) -> None:
        ran.append(script.partition("/")[0])
        raise subprocess.CalledProcessError(1, script)

    monkeypatch.setattr(building, "write_words", lambda: None)
    monkeypatch.setattr(building, "run", fail)
    assert building.main(["check"]) == 1
    assert ran == ["prettier", "eslint", "svelte-check"]


def test_an_unknown_command_is_reported_in_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert building.main(["chek"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
