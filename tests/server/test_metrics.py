"""/metrics: correct numbers in the format of Prometheus, for the host alone, without secrets."""

import asyncio
import math
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from cosca.server.http.connections import Connections
from cosca.server.ops.admin_auth import ATTEMPTS
from cosca.server.telemetry.metrics import Counter, Histogram, LastMinute, Metrics, resident_bytes
from cosca.words import sentences
from tests.server.in_process import (
    SAME_ORIGIN,
    Answer,
    InProcessServer,
    open_server,
    send_request,
    table,
    wait_until,
)

TOKEN = "an-admin-token-of-some-length"
SAMPLE = re.compile(r'([a-z_]+)(?:\{((?:[a-z_]+="[^"\\\n]*",?)+)\})? (-?[0-9.e+-]+|\+Inf)')


def in_house(path: Path, test: Callable[[InProcessServer], Awaitable[Any]], **settings: Any) -> Any:
    """Run a test with a server of its own."""

    async def inside() -> Any:
        async with open_server(path, **settings) as server:
            return await test(server)

    return asyncio.run(asyncio.wait_for(inside(), 30))


def read(text: str) -> dict[str, float]:
    """Parse an exposition; each sample must have a type declared before it."""
    samples: dict[str, float] = {}
    known: dict[str, str] = {}
    for line in text.splitlines():
        if line.startswith("# TYPE "):
            _, _, name, kind = line.split(" ")
            assert name not in known
            known[name] = kind
        elif not line.startswith("# HELP "):
            found = SAMPLE.fullmatch(line)
            assert found, line
            base = re.sub(r"_(bucket|sum|count)$", "", found[1])
            assert found[1] in known or known[base] == "histogram"
            name = found[1] + (f"{{{found[2]}}}" if found[2] else "")
            assert name not in samples
            samples[name] = float(found[3])
    assert text.endswith("\n")
    return samples


async def numbers(server: InProcessServer) -> dict[str, float]:
    """Return the metrics of a house."""
    answer = await send_request(server.app, "GET", "/metrics")
    assert answer.status == 200
    assert answer.header("content-type").startswith("text/plain; version=0.0.4")
    return read(answer.body.decode())


# --- Numbers --------------------------------------------------------------------------------------


def test_metrics_count_what_happened(tmp_path: Path) -> None:
    async def play(server: InProcessServer) -> None:
        ada = server.visitor()
        wanted = table("vendetta", ["you", "open", "random"])
        code = (await ada.post("/api/tables", **wanted)).json()["code"]
        assert (await ada.get("/api/tables/zzzzzzzz")).status == 404
        socket = await ada.connect(code)
        assert (await socket.do("chat", "a", text="secret words"))["type"] == "done"
        assert (await socket.do("reclaim_seat", "b"))["type"] == "refused"
        socket.put("{")
        await socket.until(lambda: socket.answers(""))
        samples = await numbers(server)
        assert samples['cosca_commands_total{kind="chat",answer="done"}'] == 1
        assert samples['cosca_commands_total{kind="reclaim_seat",answer="refused"}'] == 1
        assert samples['cosca_commands_total{kind="none",answer="refused"}'] == 1
        assert samples['cosca_refusals_total{reason="web.is_yours"}'] == 1
        assert samples['cosca_refusals_total{reason="web.not_json"}'] == 1
        assert samples['cosca_refusals_total{reason="web.no_table"}'] == 1
        assert samples['cosca_http_responses_total{status="404"}'] == 1
        assert samples['cosca_http_responses_total{status="200"}'] == 1
        assert samples["cosca_tables"] == samples["cosca_sockets"] == 1
        assert samples["process_resident_memory_bytes"] > 1e6
        assert samples["process_start_time_seconds"] > 1.7e9
        await socket.close()
        await wait_until(lambda: server.house.loaded() == [])
        samples = await numbers(server)
        assert samples["cosca_tables"] == samples["cosca_sockets"] == 0
        said = (await send_request(server.app, "GET", "/metrics")).body.decode()
        for secret in (code, ada.cookie, "secret words", "Ada"):
            assert secret not in said

    in_house(tmp_path, play, metrics=True)


def test_every_metric_is_documented_with_its_type(tmp_path: Path) -> None:
    async def exposed(server: InProcessServer) -> dict[str, str]:
        Connections(server.clock, server.house.metrics, 1, 1, ())
        text = (await send_request(server.app, "GET", "/metrics")).body.decode()
        return dict(re.findall(r"^# TYPE (\w+) (\w+)$", text, re.MULTILINE))

    hosting = (Path(__file__).parents[2] / "docs/hosting.md").read_text("utf-8")
    (section,) = re.findall(r"\n### Metrics\n(.*?)\n##", hosting, re.DOTALL)
    rows = re.findall(r"^\| `(\w+)` \| (\w+) \| .+ \|$", section, re.MULTILINE)
    assert dict(rows) == in_house(tmp_path, exposed, metrics=True)


def test_the_store_is_measured(tmp_path: Path) -> None:
    async def write(server: InProcessServer) -> Metrics:
        wanted = table("vendetta", ["you", "open", "random"])
        for _ in range(3):
            await server.visitor().post("/api/tables", **wanted)
        return server.store.engine.metrics

    metrics = in_house(tmp_path, write)
    samples = read(metrics.text())
    assert samples["cosca_appends_total"] == 6, "a table and a seat, three times"
    assert samples["cosca_commit_seconds_count"] == samples["cosca_batch_jobs_count"] >= 3
    assert samples['cosca_batch_jobs_bucket{le="+Inf"}'] == samples["cosca_batch_jobs_count"]
    assert samples["cosca_commit_seconds_sum"] > 0


def test_a_refusal_label_is_one_of_our_own_keys(tmp_path: Path) -> None:
    async def refuse(server: InProcessServer) -> dict[str, float]:
        for host in ("evil.example", 'a"b', "x\ny"):
            await send_request(server.app, "GET", "/", headers=[("host", host)])
        await send_request(server.app, "POST", "/api/tables", headers=[SAME_ORIGIN[0]])
        return await numbers(server)

    samples = in_house(tmp_path, refuse, metrics=True)
    reasons = re.findall(r'reason="([^"]*)"', " ".join(samples))
    assert reasons and set(reasons) <= sentences().keys()


def test_a_histogram_counts_all_that_is_smaller() -> None:
    sizes = Histogram("sizes", "How large.", (1, 2.5))
    for value in (0.5, 1, 2, 99):
        sizes.observe(value)
    assert read("".join(f"{line}\n" for line in sizes.lines())) == {
        'sizes_bucket{le="1"}': 2,
        'sizes_bucket{le="2.5"}': 3,
        'sizes_bucket{le="+Inf"}': 4,
        "sizes_sum": 102.5,
        "sizes_count": 4,
    }


def test_labels_cannot_break_a_line() -> None:
    odd = Counter("odd", "Odd.", "label")
    odd.add('a"b\\c\nd')
    assert list(odd.lines())[-1] == 'odd{label="a\\"b\\\\c\\nd"} 1'


def test_the_last_minute_is_a_minute() -> None:
    moves = LastMinute()
    for second in range(200):
        moves.add(second / 2)
    assert moves.count(99.5) == 120
    assert moves.count(130.0) == 58, "whole seconds are forgotten"
    assert moves.count(1000.0) == 0


def test_memory_is_known_without_proc(monkeypatch: pytest.MonkeyPatch) -> None:
    now = resident_bytes()

    def nothing(path: Path) -> str:
        raise FileNotFoundError(path)

    monkeypatch.setattr(Path, "read_text", nothing)
    assert math.log10(resident_bytes()) == pytest.approx(math.log10(now), abs=1)


# --- Access ---------------------------------------------------------------------------------------


def test_metrics_are_off_by_default(tmp_path: Path) -> None:
    async def attempt(server: InProcessServer) -> Answer:
        return await send_request(server.app, "GET", "/metrics")

    assert in_house(tmp_path, attempt).status == 404


@pytest.mark.parametrize(
    ("address", "headers", "status"),
    [
        ("127.0.0.1", [], 200),
        ("::1", [], 200),
        ("127.0.0.1", [("x-forwarded-for", "203.0.113.9")], 403),
        ("127.0.0.1", [("forwarded", "for=203.0.113.9")], 403),
        ("203.0.113.9", [], 403),
        ("203.0.113.9", [("authorization", f"Bearer {TOKEN}")], 200),
        ("203.0.113.9", [("authorization", f"Basic {TOKEN}")], 403),
        ("203.0.113.9", [("authorization", "Bearer ")], 403),
        ("203.0.113.9", [("authorization", f"Bearer {TOKEN}x")], 403),
        ("203.0.113.9", [("cookie", f"cosca_admin={TOKEN}")], 403),
    ],
)
def test_only_the_host_can_read_metrics(
    tmp_path: Path, address: str, headers: list[tuple[str, str]], status: int
) -> None:
    async def attempt(server: InProcessServer) -> Answer:
        return await send_request(
            server.app, "GET", "/metrics", b"", [*SAME_ORIGIN, *headers], address
        )

    answer = in_house(tmp_path, attempt, metrics=True, admin_token=TOKEN)
    assert answer.status == status
    assert (b"cosca_" in answer.body) == (status == 200)


def test_without_an_admin_token_no_token_is_accepted(tmp_path: Path) -> None:
    async def attempt(server: InProcessServer) -> None:
        for given in ("Bearer ", "Bearer", "Bearer x"):
            headers = [*SAME_ORIGIN, ("authorization", given)]
            answer = await send_request(server.app, "GET", "/metrics", b"", headers, "203.0.113.9")
            assert (answer.status, answer.key) == (403, "web.only_for_host")

    in_house(tmp_path, attempt, metrics=True)


def test_guesses_are_rate_limited(tmp_path: Path) -> None:
    async def attempt(server: InProcessServer) -> None:
        async def guess(token: str, address: str = "203.0.113.9") -> int:
            headers = [*SAME_ORIGIN, ("authorization", f"Bearer {token}")]
            return (await send_request(server.app, "GET", "/metrics", b"", headers, address)).status

        most, rate = ATTEMPTS
        assert [await guess("x") for _ in range(most + 1)] == [403] * most + [429]
        assert await guess(TOKEN) == 429, "else a guess that is right would show"
        assert await guess(TOKEN, "203.0.113.10") == 200
        server.clock.advance(1 / rate)
        assert await guess(TOKEN) == 200

    in_house(tmp_path, attempt, metrics=True, admin_token=TOKEN)
