"""A real browser for the tests: the system's Chromium, or one that npm installs without root.

    def test_something(browser: Browser) -> None:
        page = browser.new_context(**PHONE).new_page()
        page.goto(address)
        assert violations(page) == []

All tests of a process share one `browser`; each context in it is the browser of another person,
with its own cookies and storage.
"""

import contextlib
import fcntl
import os
import shutil
import tarfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.processes import run
from web.building import install, tools

TOOLS: Final = Path(__file__).parent / "tools"
MODULES: Final = TOOLS / "node_modules"
PACKED: Final = MODULES / "@sparticuz" / "chromium" / "bin"
UNPACKED: Final = MODULES / ".chromium"  # there, so that npm removes it with the package
AXE: Final = MODULES / "axe-core" / "axe.min.js"
READY: Final = UNPACKED / "ready"

CHROMIUM_NAMES: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS: Final = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
FONTS: Final = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>{place}</dir>
  <cachedir>{place}/cache</cachedir>
</fontconfig>
"""

PATIENCE: Final = 60.0
"""Seconds that a test waits for anything at all: a busy machine is slow, but not broken."""

DESK: Final[dict[str, Any]] = {"viewport": {"width": 1440, "height": 900}}
PHONE: Final[dict[str, Any]] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
}


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium, running."""
    with launched() as chromium:
        yield chromium


@contextlib.contextmanager
def launched() -> Iterator[Browser]:
    """Launch Chromium; for scripts, which have no fixtures."""
    install_tools()
    path = find_chromium()
    expect.set_options(timeout=PATIENCE * 1000)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=path, args=FLAGS, env={**os.environ, **environment(path)}
        )
        yield chromium
        chromium.close()


NOTHING_FADES: Final = """() => document.getAnimations().every((each) =>
    each.playState !== "running" || each.effect.getComputedTiming().endTime === Infinity)"""
RUN_AXE: Final = f"""async () => {{
    let hasMoved = false;
    const note = () => (hasMoved = true);
    const kinds = ["animationstart", "transitionrun"];
    for (const kind of kinds) document.addEventListener(kind, note, true);
    const {{ violations }} = await axe.run();
    for (const kind of kinds) document.removeEventListener(kind, note, true);
    return {{ violations, hasMoved: hasMoved || !({NOTHING_FADES})() }};
}}"""


def violations(page: Page) -> list[str]:
    """Return what axe finds wrong with a page: each rule, and where it is broken.

    It runs when nothing fades or moves, because half-faded text has too little contrast. If
    something begins to move meanwhile, because others play on, it runs again.
    """
    install_tools()
    deadline = time.monotonic() + PATIENCE
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8") + "\n; null")  # as a tag, CSP would refuse it
    while True:
        page.wait_for_function(NOTHING_FADES)
        seen = page.evaluate(RUN_AXE)
        found = seen["violations"]
        if not found or not seen["hasMoved"] or time.monotonic() > deadline:
            break
    return [
        f"{rule['id']}: {node['target']} ({node['failureSummary']})"
        for rule in found
        for node in rule["nodes"]
    ]


# --- Installation --------------------------------------------------------------------------------


def find_chromium() -> Path:
    found = next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)
    return Path(found) if found else UNPACKED / "chromium"


def environment(chromium: Path) -> dict[str, str]:
    """Return the environment in which a browser from npm finds its libraries and its font."""
    if chromium.parent != UNPACKED:
        return {}
    return {
        "LD_LIBRARY_PATH": str(UNPACKED / "lib"),
        "FONTCONFIG_FILE": str(UNPACKED / "fonts.conf"),
    }


def install_tools() -> None:
    """Install the tools of the tests once, even if several test processes need them at once."""
    with open(TOOLS / ".lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        install(TOOLS)
        if find_chromium().parent == UNPACKED and not READY.exists():
            unpack()


def unpack() -> None:
    UNPACKED.mkdir(exist_ok=True)
    inflate("chromium").chmod(0o755)
    for name in ("al2023.tar", "fonts.tar"):
        with tarfile.open(inflate(name)) as tar:
            tar.extractall(UNPACKED, filter="data")
    (UNPACKED / "fonts.conf").write_text(FONTS.format(place=UNPACKED / "fonts"))
    READY.touch()


def inflate(name: str) -> Path:
    node, _ = tools()
    command = [node, TOOLS / "unpack.mjs", PACKED / f"{name}.br", UNPACKED / name]
    done = run(command)
    assert done.returncode == 0, done.stderr
    return UNPACKED / name
