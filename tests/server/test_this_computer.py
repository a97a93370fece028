"""One definition of "this computer", for inviting friends and for metrics."""

import asyncio
from pathlib import Path

import httpx
import pytest
from starlette.requests import Request

from cosca.server.http.this_computer import ThisComputer
from tests.server.test_guard import listening

FORGED = [
    {"x-forwarded-for": "127.0.0.1"},
    {"x-forwarded-for": "203.0.113.9"},
    {"x-forwarded-for": ""},
    {"X-Forwarded-For": "203.0.113.9, 127.0.0.1"},
    {"forwarded": "for=127.0.0.1"},
    {"x-real-ip": "127.0.0.1"},
    {"x-forwarded-proto": "https"},
    {"x-forwarded-host": "localhost"},
    {"via": "1.1 proxy"},
]


def request(address: str | None, headers: dict[str, str] | None = None) -> Request:
    raw = [(name.lower().encode(), value.encode()) for name, value in (headers or {}).items()]
    client = (address, 50_000) if address is not None else None
    return Request({"type": "http", "headers": raw, "client": client})


@pytest.mark.parametrize("address", ["127.0.0.1", "127.0.0.2", "::1", "::ffff:127.0.0.1"])
def test_a_direct_request_over_loopback_is_from_this_computer(address: str) -> None:
    assert ThisComputer(()).sent(request(address))


@pytest.mark.parametrize("address", ["192.168.1.9", "203.0.113.9", "::ffff:10.0.0.1", "fe80::1%2"])
def test_an_address_of_another_computer_is_not_this_computer(address: str) -> None:
    assert not ThisComputer(()).sent(request(address))


@pytest.mark.parametrize("address", ["", "testclient", "127.1", None])
def test_an_invalid_address_is_not_this_computer(address: str | None) -> None:
    assert not ThisComputer(()).sent(request(address))


@pytest.mark.parametrize("headers", FORGED)
def test_no_header_makes_a_request_come_from_this_computer(headers: dict[str, str]) -> None:
    for proxies in ((), ("127.0.0.1",), ("10.0.0.5",)):
        assert not ThisComputer(proxies).sent(request("127.0.0.1", headers))
        assert not ThisComputer(proxies).sent(request("10.0.0.5", headers))


@pytest.mark.parametrize(
    ("address", "proxy"),
    [
        ("127.0.0.1", "127.0.0.1"),
        ("127.0.0.1", "127.0.0.0/8"),
        ("::1", "::1"),
        ("::ffff:127.0.0.1", "127.0.0.1"),
    ],
)
def test_a_trusted_proxy_on_loopback_is_never_this_computer(address: str, proxy: str) -> None:
    assert not ThisComputer([proxy]).sent(request(address))
    assert ThisComputer(["10.0.0.5"]).sent(request(address))


@pytest.mark.parametrize("proxies", [(), ("127.0.0.1",), ("192.0.2.1",)])
def test_invitations_and_metrics_agree_over_a_real_connection(
    tmp_path: Path, proxies: tuple[str, ...]
) -> None:
    async def attempt() -> list[tuple[int, int]]:
        async with (
            listening(tmp_path, proxies=proxies, metrics=True) as (_, port),
            httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}") as client,
        ):
            return [await statuses(client, headers) for headers in ({}, *FORGED)]

    async def statuses(client: httpx.AsyncClient, headers: dict[str, str]) -> tuple[int, int]:
        headers = {"origin": str(client.base_url).rstrip("/"), **headers}
        invited = await client.post("/api/invite", headers=headers)
        return invited.status_code, (await client.get("/metrics", headers=headers)).status_code

    direct = (403, 403) if "127.0.0.1" in proxies else (200, 200)
    assert asyncio.run(attempt()) == [direct] + [(403, 403)] * len(FORGED)
