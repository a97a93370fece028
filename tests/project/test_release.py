"""`./run release`: what it refuses, what it builds from, and that it tags nothing it did not try.

Only what needs a network is left out: packages for a fresh environment. That is tried by hand.
"""

import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Sequence
from datetime import date
from io import BytesIO
from pathlib import Path

import pytest

from tests.processes import run
from tools import release as releasing
from tools.release import (
    NotReleased,
    build,
    check_metadata,
    check_sdist,
    check_wheel,
    git,
    main,
    release,
    tag_name,
    try_game,
)

ROOT = Path(__file__).parents[2]
TODAY = date(2026, 11, 18)
CHANGES = "# Changes\n\n## Unreleased\n\n## 0.2.0 - 2026-11-18\n\n### Added\n- One.\n"
METADATA = b"""Metadata-Version: 2.4
Name: cosca
Version: 0.2.0
Description-Content-Type: text/markdown

# Cosca
"""
TRACKED = ["README.md", "src/cosca/__init__.py", "src/cosca/catalog.py"]
HELD = {
    "cosca/__init__.py": b"",
    "cosca/catalog.py": b"",
    "cosca/core/state.cpython-311-x86_64-linux-gnu.so": b"",
    "cosca/server/web/index.html": b"",
    "cosca-0.2.0.dist-info/METADATA": METADATA,
    "cosca-0.2.0.dist-info/RECORD": b"",
}


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A small repository that is ready to be released as 0.2.0."""
    root = tmp_path / "repository"
    write(root, "src/cosca/__init__.py", '__version__ = "0.2.0"\n')
    write(root, "CHANGELOG.md", CHANGES)
    write(root, ".gitignore", "dist/\n")
    write(root, ".ci/run", "#!/bin/sh\nexit 0\n").chmod(0o755)
    git(root, "init", "--quiet")
    git(root, "config", "user.name", "Ada")
    git(root, "config", "user.email", "ada@example.com")
    commit(root)
    return root


def write(root: Path, name: str, text: str) -> Path:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def commit(root: Path) -> None:
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", "A change")


def why_not(root: Path, version: str = "0.2.0") -> str:
    """Return the reason for which a release is refused; nothing must be tagged."""
    with pytest.raises(NotReleased) as caught:
        release(root, version, TODAY)
    assert git(root, "tag") == "" or "exists already" in str(caught.value)
    return str(caught.value)


# --- Before anything is built ---------------------------------------------------------------------


@pytest.mark.parametrize("words", [[], ["0.2.0", "now"], ["--help"]])
def test_other_words_than_a_version_are_one_sentence(
    words: Sequence[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1 and err.endswith(".\n") and "0.2.0" in err


@pytest.mark.parametrize("version", ["", "v0.2.0", "0.2", "0.2.0.1", "next"])
def test_what_is_no_version_is_refused(repository: Path, version: str) -> None:
    assert "three numbers" in why_not(repository, version)


def test_the_package_must_have_the_version(repository: Path) -> None:
    assert "has version 0.2.0; change it to 0.3.0" in why_not(repository, "0.3.0")


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        ("0.2.0", "0.1.0", "newest release in CHANGELOG.md is not 0.2.0"),
        ("## Unreleased\n", "## Unreleased\n\n### Fixed\n- Two.\n", "move them to 0.2.0"),
        ("11-18", "11-19", "in the future"),
        ("## Unreleased\n", "", "one “## Unreleased”"),
    ],
)
def test_the_changelog_must_describe_it(
    repository: Path, before: str, after: str, reason: str
) -> None:
    write(repository, "CHANGELOG.md", CHANGES.replace(before, after))
    commit(repository)
    assert reason in why_not(repository)


def test_everything_must_be_committed(repository: Path) -> None:
    write(repository, "new.txt", "")
    assert "not committed" in why_not(repository)


def test_a_version_is_released_once(repository: Path) -> None:
    git(repository, "tag", tag_name("0.2.0"))
    assert "v0.2.0 exists already" in why_not(repository)


def test_the_tests_must_pass(repository: Path) -> None:
    write(repository, ".ci/run", "#!/bin/sh\nexit 1\n")
    commit(repository)
    assert ".ci/run" in why_not(repository)


def test_a_folder_without_git_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(NotReleased, match="not a git repository"):
        git(tmp_path, "status")


# --- Building -------------------------------------------------------------------------------------


def test_the_source_archive_holds_what_is_committed_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The real one; the wheel is not built from it here, because that takes minutes."""
    monkeypatch.setattr(releasing, "do", only_the_sdist)
    with pytest.raises(Stopped):
        build(ROOT, tmp_path)
    (sdist,) = tmp_path.glob("*.tar.gz")
    check_sdist(sdist, git(ROOT, "ls-tree", "-r", "--name-only", "HEAD").splitlines())
    (unpacked,) = (tmp_path / "sdist").iterdir()
    assert (unpacked / "web/package.json").exists()


class Stopped(Exception):
    """The wheel would be built now."""


def only_the_sdist(what: str, command: Sequence[str | Path], cwd: Path) -> str:
    if what == "build the wheel":
        raise Stopped
    return real_do(what, command, cwd)


real_do = releasing.do


def archive(place: Path, files: Sequence[str]) -> Path:
    """Write a source archive with these files, all of them empty."""
    path = place / "cosca-0.2.0.tar.gz"
    with tarfile.open(path, "w:gz") as opened:
        for name in files:
            opened.addfile(tarfile.TarInfo(f"cosca-0.2.0/{name}"), BytesIO())
    return path


def test_a_source_archive_is_checked(tmp_path: Path) -> None:
    made = ["PKG-INFO", "setup.cfg", "src/cosca.egg-info/SOURCES.txt"]
    check_sdist(archive(tmp_path, [*TRACKED, *made]), [*TRACKED, "tests/test_x.py"])
    with pytest.raises(NotReleased, match=r"lacks src/cosca/catalog\.py and 0 more"):
        check_sdist(archive(tmp_path, TRACKED[:2]), TRACKED)
    with pytest.raises(NotReleased, match=r"has src/cosca/old\.py"):
        check_sdist(archive(tmp_path, [*TRACKED, "src/cosca/old.py"]), TRACKED)


def wheel(place: Path, files: dict[str, bytes]) -> Path:
    """Write a wheel with these files."""
    path = place / "cosca-0.2.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as opened:
        for name, content in files.items():
            opened.writestr(name, content)
    return path


def test_a_wheel_is_checked(tmp_path: Path) -> None:
    check_wheel(wheel(tmp_path, HELD), "0.2.0", TRACKED)
    without = {name: HELD[name] for name in HELD if name != "cosca/catalog.py"}
    with pytest.raises(NotReleased, match=r"lacks cosca/catalog\.py"):
        check_wheel(wheel(tmp_path, without), "0.2.0", TRACKED)
    without = {name: HELD[name] for name in HELD if not name.endswith("index.html")}
    with pytest.raises(NotReleased, match="lacks the web client"):
        check_wheel(wheel(tmp_path, without), "0.2.0", TRACKED)
    with pytest.raises(NotReleased, match=r"has cosca/old\.py"):
        check_wheel(wheel(tmp_path, {**HELD, "cosca/old.py": b""}), "0.2.0", TRACKED)


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        (b"Version: 0.2.0", b"Version: 0.2.1", "says it is version 0.2.1"),
        (b"Name: cosca", b"Name: c/sca", "not valid"),
        (b"text/markdown", b"text/plain", "README"),
        (b"# Cosca\n", b"", "README"),
    ],
)
def test_bad_metadata_is_refused(before: bytes, after: bytes, reason: str) -> None:
    check_metadata(METADATA, "0.2.0")
    with pytest.raises(NotReleased, match=reason):
        check_metadata(METADATA.replace(before, after), "0.2.0")


# --- Trying and tagging ---------------------------------------------------------------------------


def test_the_wheel_must_play_the_same_game_as_the_sources(tmp_path: Path) -> None:
    """Here an installed cosca is the one of the sources; then one that has another seed."""
    start = f'exec "{sys.executable}" -m cosca.cli'
    program = write(tmp_path, "cosca", f'#!/bin/sh\nexport PYTHONPATH="{ROOT}/src"\n{start} "$@"\n')
    program.chmod(0o755)
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    second.mkdir()
    try_game(ROOT, "vendetta", program, first)
    text = program.read_text().replace('"$@"', '$(echo "$@" | sed "s/--seed 1/--seed 2/")')
    write(tmp_path, "cosca", text)
    with pytest.raises(NotReleased, match="another game of vendetta"):
        try_game(ROOT, "vendetta", program, second)


def test_a_release_is_tagged_when_all_is_well_and_only_then(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(repository, "pyproject.toml", "")
    commit(repository)
    steps: list[str] = []

    def built(root: Path, place: Path) -> tuple[Path, Path]:
        steps.append("build")
        names = git(root, "ls-files").splitlines()
        files = {name: HELD[name] for name in HELD if name != "cosca/catalog.py"}
        return archive(place, names), wheel(place, files)

    def tried(root: Path, wheel: Path, version: str, place: Path) -> None:
        steps.append("try")
        if len(steps) == 2:
            raise NotReleased("The first time it does not work.")

    monkeypatch.setattr(releasing, "build", built)
    monkeypatch.setattr(releasing, "try_wheel", tried)
    assert why_not(repository) == "The first time it does not work."
    files = release(repository, "0.2.0", TODAY)
    assert steps == ["build", "try", "build", "try"]
    assert git(repository, "tag") == "v0.2.0"
    assert git(repository, "cat-file", "-t", "v0.2.0") == "tag"
    assert sorted((repository / "dist").iterdir()) == sorted(files)
    assert git(repository, "status", "--porcelain") == ""


def test_a_step_that_fails_shows_its_output(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    program = [sys.executable, "-c", "print('loud'); raise SystemExit(3)"]
    with pytest.raises(NotReleased, match="Could not do a thing: exit code 3"):
        releasing.do("do a thing", program, tmp_path)
    assert "loud" in capfd.readouterr().err


def test_run_release_hands_over(tmp_path: Path) -> None:
    done: subprocess.CompletedProcess[str] = run(
        [sys.executable, "-m", "tools.release", "nothing"], cwd=ROOT
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "“nothing” is no version; write three numbers, as in 0.2.0.\n"
