"""Make a release: `./run release VERSION`. It checks, builds, tries and tags; it uploads nothing.

The commit that is released already has the version in `src/cosca/__init__.py` and in CHANGELOG.md.
CONTRIBUTING.md lists the steps before and after.
"""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Final

from packaging.metadata import InvalidMetadata, Metadata

from tools.changelog import UNRELEASED, VERSION, ChangelogError, read_changelog

ROOT: Final = Path(__file__).resolve().parents[1]
BUILD_SDIST: Final = """
import sys
sys.path.insert(0, "web")
import backend
backend.build_sdist(sys.argv[1])
"""
TRY_NAMES: Final = """
import cosca
for name in cosca.__all__:
    getattr(cosca, name)
print(*cosca.GAMES)
"""
IN_SDIST: Final = ("src", "web", "pyproject.toml", "setup.py", "README.md", "LICENSE", "NOTICE.md")
"""What of the tracked files a source archive has to contain."""
CLIENT: Final = re.compile(r"cosca/server/(?:\w+/)?web/")
"""Where in a wheel the built web client is."""


class NotReleased(Exception):
    """The release stops; the text says why in one sentence."""


# --- Before anything is built ---------------------------------------------------------------------


def check_version(root: Path, version: str) -> None:
    """Refuse a version that is none, or not the one in the package."""
    if not VERSION.fullmatch(version):
        raise NotReleased(f"“{version}” is no version; write three numbers, as in 0.2.0.")
    text = (root / "src/cosca/__init__.py").read_text(encoding="utf-8")
    found = re.search(r'^__version__ = "(.+)"$', text, re.MULTILINE)
    if found is None or found[1] != version:
        here = found[1] if found else "not set"
        raise NotReleased(f"src/cosca/__init__.py has version {here}; change it to {version}.")


def check_changelog(root: Path, version: str, today: date) -> None:
    """Refuse a changelog that does not describe this release."""
    try:
        unreleased, *releases = read_changelog((root / "CHANGELOG.md").read_text(encoding="utf-8"))
    except ChangelogError as error:
        raise NotReleased(f"CHANGELOG.md cannot be read. {error}") from None
    if not releases or releases[0].version != version:
        raise NotReleased(
            f"The newest release in CHANGELOG.md is not {version}; add “## {version} - {today}”."
        )
    if unreleased.changes:
        raise NotReleased(
            f"CHANGELOG.md still lists changes under “{UNRELEASED}”; move them to {version}."
        )
    if releases[0].day is None or releases[0].day > today:
        raise NotReleased(f"CHANGELOG.md dates {version} in the future; today is {today}.")


def check_tree(root: Path, version: str) -> None:
    """Refuse to release what is not committed, or what was released before."""
    if git(root, "status", "--porcelain"):
        raise NotReleased("There are changes that are not committed; commit or remove them.")
    if git(root, "tag", "--list", tag_name(version)):
        raise NotReleased(f"The tag {tag_name(version)} exists already; choose a new version.")


def tag_name(version: str) -> str:
    """Return the name of the tag of a version."""
    return f"v{version}"


def git(root: Path, *words: str) -> str:
    """Return what a git command prints."""
    done = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True)
    if done.returncode:
        raise NotReleased(f"git {words[0]} failed: {done.stderr.strip()}.")
    return done.stdout.strip()


# --- Building -------------------------------------------------------------------------------------


def build(root: Path, place: Path) -> tuple[Path, Path]:
    """Build the source archive from the commit, and from that the wheel; return both files."""
    git(root, "archive", "--output", str(place / "commit.tar"), "HEAD")
    commit = unpack(place / "commit.tar", place / "commit")
    do("build the source archive", [sys.executable, "-c", BUILD_SDIST, place], commit)
    sdist = the_only(place.glob("*.tar.gz"))
    source = the_only(unpack(sdist, place / "sdist").iterdir())
    pip = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation"]
    do("build the wheel", [*pip, "--wheel-dir", place, source], place)
    return sdist, the_only(place.glob("*.whl"))


def unpack(archive: Path, place: Path) -> Path:
    """Unpack an archive into a new folder and return that folder."""
    with tarfile.open(archive) as opened:
        opened.extractall(place, filter="data")
    return place


def the_only(paths: Iterable[Path]) -> Path:
    """Return the only one of some paths."""
    (path,) = paths
    return path


def do(
    what: str, command: Sequence[str | Path], cwd: Path, env: Mapping[str, str] | None = None
) -> str:
    """Run one command quietly; if it fails, show its output and stop."""
    print(f"Going to {what}.", file=sys.stderr, flush=True)
    known = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env={**known, **(env or {})},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )
    if done.returncode:
        sys.stderr.write(done.stdout)
        raise NotReleased(f"Could not {what}: exit code {done.returncode}, see above.")
    return done.stdout


# --- Checking what was built ----------------------------------------------------------------------


def check_sdist(sdist: Path, tracked: Sequence[str]) -> None:
    """Refuse a source archive that lacks a source, or has a file that is no source."""
    with tarfile.open(sdist) as archive:
        held = {one.name.partition("/")[2] for one in archive.getmembers() if one.isfile()}
    wanted = [name for name in tracked if name.split("/")[0] in IN_SDIST]
    if missing := sorted(set(wanted) - held):
        raise NotReleased(f"The source archive lacks {missing[0]} and {len(missing) - 1} more.")
    made = ("PKG-INFO", "setup.cfg")
    rest = sorted(name for name in held - set(tracked) if name not in made)
    if strange := [name for name in rest if ".egg-info/" not in name]:
        raise NotReleased(f"The source archive has {strange[0]}, which is not in the repository.")


def check_wheel(wheel: Path, version: str, tracked: Sequence[str]) -> None:
    """Refuse a wheel with bad metadata, without a file it needs, or with one it must not have."""
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        check_metadata(archive.read(f"cosca-{version}.dist-info/METADATA"), version)
    sources = {name.removeprefix("src/") for name in tracked if name.startswith("src/")}
    if missing := sorted(sources - names):
        raise NotReleased(f"The wheel lacks {missing[0]} and {len(missing) - 1} more.")
    client = {name for name in names if CLIENT.match(name)}
    if not any(name.endswith("/index.html") for name in client):
        raise NotReleased("The wheel lacks the web client.")
    compiled = {name for name in names if name.endswith((".so", ".pyd"))}
    rest = names - sources - client - compiled
    strange = sorted(name for name in rest if ".dist-info/" not in name)
    if strange:
        raise NotReleased(f"The wheel has {strange[0]}, which is not in the repository.")


def check_metadata(raw: bytes, version: str) -> None:
    """Refuse metadata that a package index would refuse."""
    try:
        metadata = Metadata.from_email(raw, validate=True)
    except (InvalidMetadata, ExceptionGroup) as error:
        raise NotReleased(f"The metadata of the wheel is not valid: {error}.") from None
    if str(metadata.version) != version:
        raise NotReleased(f"The wheel says it is version {metadata.version}.")
    if not metadata.description or metadata.description_content_type != "text/markdown":
        raise NotReleased("The wheel does not have the README as its description.")


# --- Trying it ------------------------------------------------------------------------------------


def try_wheel(root: Path, wheel: Path, version: str, place: Path) -> None:
    """Install the wheel in a fresh environment and play a seeded game of each kind there."""
    do("make a fresh environment", [sys.executable, "-m", "venv", place / "venv"], place)
    bin = place / "venv" / ("Scripts" if os.name == "nt" else "bin")
    pip: list[str | Path] = [bin / "python", "-m", "pip", "install", "--no-deps"]
    pinned: list[str | Path] = ["--require-hashes", "--requirement", root / "requirements/run.txt"]
    do("install what Cosca needs", [*pip, *pinned], place)
    do("install the wheel", [*pip, "--no-index", wheel], place)
    do("check what the wheel needs", [bin / "python", "-m", "pip", "check"], place)
    if version not in do("ask for the version", [bin / "cosca", "--version"], place):
        raise NotReleased(f"The installed cosca does not say that it is {version}.")
    games = do("import every public name", [bin / "python", "-c", TRY_NAMES], place).split()
    for game in games:
        try_game(root, game, bin / "cosca", place)


def try_game(root: Path, game: str, cosca: Path, place: Path) -> None:
    """Play a seeded game with the installed Cosca and with these sources; compare the records."""
    words = ["simulate", game, "--games", "1", "--seed", "1", "--jobs", "1", "--out"]
    do(f"play {game} with the wheel", [cosca, *words, place / "wheel"], place)
    ours = [sys.executable, "-m", "cosca.cli"]
    here = {"PYTHONPATH": str(root / "src")}
    do(f"play {game} with the sources", [*ours, *words, place / "sources"], place, here)
    name = f"{game}-000001.jsonl"
    do(f"verify the record of {game}", [cosca, "verify", place / "wheel" / name], place)
    if (place / "wheel" / name).read_bytes() != (place / "sources" / name).read_bytes():
        raise NotReleased(f"The wheel plays another game of {game} than these sources.")


# --- The release ----------------------------------------------------------------------------------


def release(root: Path, version: str, today: date) -> list[Path]:
    """Check, build, try and tag a version; return the files that can be published."""
    check_version(root, version)
    check_changelog(root, version, today)
    check_tree(root, version)
    if subprocess.call([str(root / ".ci" / "run")], cwd=root):
        raise NotReleased("The checks or tests of .ci/run fail; mend them first.")
    tracked = git(root, "ls-files").splitlines()
    with tempfile.TemporaryDirectory() as temporary:
        place = Path(temporary)
        sdist, wheel = build(root, place)
        check_sdist(sdist, tracked)
        check_wheel(wheel, version, tracked)
        try_wheel(root, wheel, version, place)
        (root / "dist").mkdir(exist_ok=True)
        files = [Path(shutil.copy2(file, root / "dist")) for file in (sdist, wheel)]
    git(root, "tag", "--annotate", tag_name(version), "--message", f"Cosca {version}")
    return files


def main(words: Sequence[str]) -> int:
    """Make the release that is asked for."""
    try:
        if len(words) != 1:
            raise NotReleased("./run release needs one version, as in ./run release 0.2.0.")
        files = release(ROOT, words[0], datetime.now(UTC).date())
    except NotReleased as reason:
        print(reason, file=sys.stderr)
        return 2
    for file in files:
        print(file.relative_to(ROOT))
    print(f"Tagged {tag_name(words[0])}. Nothing was pushed or uploaded.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
