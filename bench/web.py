"""`./run bench web`: the client's size against its budget, and how it feels in a real browser."""

import argparse
import gzip
import json
import re
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any, Final

from playwright.sync_api import Browser, Page

from bench.report import machine
from cosca.server.http.pages import CLIENT
from tests.web.browser import DESK, PHONE, launched
from tests.web.guests import open_by_api
from tests.web.houses import opened

BUDGET: Final = 180 * 1024
"""The most bytes of scripts and styles for the first page, as gzip."""
CUBES: Final = 40
MOVES: Final = 15
SLOW: Final = 4
"""How many times slower the phone's processor is than this machine."""
PHONE_LINE: Final = {  # as a middling mobile line
    "offline": False,
    "latency": 150,
    "downloadThroughput": 1_600_000 / 8,
    "uploadThroughput": 750_000 / 8,
}

FRAMES: Final = """async ([cubes, ms]) => {
    const picture = document.querySelector(".picture");
    const pieces = [...picture.querySelectorAll("[data-travels]")].slice(0, cubes);
    for (const piece of pieces) {
        const [x, y] = [Math.random() * 600 - 300, Math.random() * 400 - 200];
        piece.animate({ translate: [`${x}px ${y}px`, "0 0"] }, { duration: ms, easing: "ease" });
    }
    const times = [];
    const begun = performance.now();
    while (performance.now() - begun < ms)
        times.push(await new Promise(requestAnimationFrame));
    const steps = times.slice(1).map((time, at) => time - times[at]);
    const usual = 1000 / 60;
    const dropped = steps.reduce((sum, step) => sum + Math.max(0, Math.round(step / usual) - 1), 0);
    return { pieces: pieces.length, frames: steps.length, dropped };
}"""
CLICK: Final = """() => new Promise((resolve) => {
    const piece = document.querySelector("[data-playable]");
    const begun = performance.now();
    const look = () => {
        const found = document.querySelector(".stage.preview");
        if (found) return resolve(performance.now() - begun);
        const pick = document.querySelector(".bubble.pick .bubble-choices button");
        if (pick) pick.click();
        requestAnimationFrame(look);
    };
    piece.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    look();
})"""


@dataclass(frozen=True)
class WebReport:
    """The results of one run."""

    machine: dict[str, str | int]
    first_load: dict[str, int]
    """Bytes as gzip of every file that the first page names."""
    budget: int
    drawings: dict[str, int]
    fonts: dict[str, int]
    cubes: dict[str, int]
    click_ms: float
    phone_ms: float

    @property
    def first_bytes(self) -> int:
        """Script and styles of the first page."""
        return sum(self.first_load.values())


def packed(file: Path) -> int:
    """Its size as gzip."""
    return len(gzip.compress(file.read_bytes(), 9))


def first_files() -> list[Path]:
    """Return the scripts and styles that the page names, and what they import at once."""
    page = (CLIENT / "index.html").read_text(encoding="utf-8")
    wanted = [CLIENT / name for name in re.findall(r'(?:src|href)="/([^"]+\.(?:js|css))"', page)]
    for file in wanted:
        text = file.read_text(encoding="utf-8")
        needed = re.findall(r'(?:^|[;}])import[^"(]*"\./([^"]+)"', text)
        wanted += [file.parent / name for name in needed if file.parent / name not in wanted]
    return wanted


def sizes(files: Sequence[Path]) -> dict[str, int]:
    """Return the size of each file as gzip; fonts are compressed already."""
    return {
        file.name: file.stat().st_size if file.suffix == ".woff2" else packed(file)
        for file in sorted(files)
    }


def seated(page: Page, house: str, *, seats: int = 4) -> str:
    """Open a table of Vendetta against bots, the game with the most moving pieces."""
    return f"{house}/t/{open_by_api(page, house, 'vendetta', ['you', *['random'] * (seats - 1)])}"


def on_desk(browser: Browser, house: str) -> tuple[dict[str, int], float]:
    """Measure dropped frames while cubes move, and how soon the player's move is shown."""
    context = browser.new_context(**DESK)
    page = context.new_page()
    page.goto(seated(page, house))
    page.locator("[data-playable]").first.wait_for()
    page.evaluate(FRAMES, [CUBES, 300])  # warm
    frames: dict[str, int] = page.evaluate(FRAMES, [CUBES, 2000])
    waits = []
    for _ in range(MOVES):
        waits.append(float(page.evaluate(CLICK)))
        page.locator(".stage-foot button", has_text="Undo").click()
        page.locator(".stage:not(.preview) [data-playable]").first.wait_for()
    context.close()
    return frames, median(waits)


def on_phone(browser: Browser, house: str) -> float:
    """Measure how long a phone on a mobile connection takes to the first playable table."""
    context = browser.new_context(**PHONE)
    page = context.new_page()
    address = seated(page, house)
    page.goto("about:blank")
    tools = context.new_cdp_session(page)
    tools.send("Network.enable")
    tools.send("Network.clearBrowserCache")
    tools.send("Network.emulateNetworkConditions", dict(PHONE_LINE))
    tools.send("Emulation.setCPUThrottlingRate", {"rate": SLOW})
    page.goto(address, wait_until="commit")
    page.locator("[data-playable]").first.wait_for()
    took: Any = page.evaluate("() => performance.now()")
    context.close()
    return float(took)


def measure() -> WebReport:
    """Measure the files, then the browser."""
    assets = list((CLIENT / "assets").iterdir())
    with (
        tempfile.TemporaryDirectory() as place,
        opened(Path(place) / "tables.db") as house,
        launched() as browser,
    ):
        frames, click = on_desk(browser, house)
        phone = on_phone(browser, house)
    return WebReport(
        machine=machine(),
        first_load=sizes(first_files()),
        budget=BUDGET,
        drawings=sizes([file for file in assets if file.name.startswith("Drawing")]),
        fonts=sizes([file for file in assets if file.suffix == ".woff2"]),
        cubes=frames,
        click_ms=click,
        phone_ms=phone,
    )


def show(found: WebReport) -> None:
    """Return the figures, one line each."""
    share = found.first_bytes / found.budget
    cubes = found.cubes
    print(f"first load       {found.first_bytes:>9,} bytes gzip, {share:.0%} of {found.budget:,}")
    print(f"drawings         {sum(found.drawings.values()):>9,} bytes gzip, loaded when needed")
    print(f"fonts            {sum(found.fonts.values()):>9,} bytes")
    print(
        f"dropped frames   {cubes['dropped']:>9} of {cubes['frames'] + cubes['dropped']}"
        f" while {cubes['pieces']} cubes move"
    )
    print(f"own move shown   {found.click_ms:>9.0f} ms after the click")
    print(f"phone, usable in {found.phone_ms:>9.0f} ms, at 1.6 Mbit/s and a quarter of the speed")


def main(words: Sequence[str]) -> int:
    """Measure and print; fail if the budget is exceeded."""
    parser = argparse.ArgumentParser(prog="bench web", description=__doc__, allow_abbrev=False)
    parser.add_argument("--json", action="store_true", help="print JSON in place of the lines")
    asked = parser.parse_args(words)
    found = measure()
    if asked.json:
        print(json.dumps({**asdict(found), "first_bytes": found.first_bytes}, indent=2))
    else:
        show(found)
    if found.first_bytes <= found.budget:
        return 0
    print(f"bench: the first load is more than {found.budget:,} bytes.", file=sys.stderr)
    return 1
