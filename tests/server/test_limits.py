"""Rate limits count networks, and nobody can have the limits of others forgotten."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from cosca.core.errors import Refused
from cosca.server import guard, sockets
from cosca.server.key import GUESSES, Key
from cosca.server.limits import Limits
from tests.server.doors import HandClock, Place, ask, opened, table

NETWORKS = [
    [f"2001:db8:1:2::{number:x}" for number in range(1, 400)],
    ["203.0.113.9", "::ffff:203.0.113.9", "::ffff:cb00:7109"] * 133,
]
"""Addresses that one person can have: all of an IPv6 /64; one IPv4 address, written differently."""
OTHERS = ["2001:db8:1:3::1", "203.0.113.10"]
"""Their neighbours."""


def in_house(path: Path, test: Callable[[Place], Awaitable[None]]) -> None:
    """Run a test in a house with its usual limits."""

    async def inside() -> None:
        async with opened(path, generous=False) as place:
            await test(place)

    asyncio.run(inside())


@pytest.mark.parametrize("mine", NETWORKS)
def test_requests_are_limited_by_network(tmp_path: Path, mine: list[str]) -> None:
    async def attempt(place: Place) -> None:
        asked = [(await ask(place.app, "GET", "/api/watch", address=one)).status for one in mine]
        assert asked == [200] * guard.REQUESTS[0] + [429] * (len(mine) - guard.REQUESTS[0])
        for other in OTHERS:
            assert (await ask(place.app, "GET", "/api/watch", address=other)).status == 200

    in_house(tmp_path, attempt)


@pytest.mark.parametrize("mine", NETWORKS)
def test_tables_are_opened_at_the_rate_of_a_network(tmp_path: Path, mine: list[str]) -> None:
    async def attempt(place: Place) -> None:
        wanted = table("vendetta", ["you", "open", "random"])
        asked = [await place.visitor(one).post("/api/tables", **wanted) for one in mine[:100]]
        assert [answer.status for answer in asked].count(200) == guard.OPENINGS[0]
        for other in OTHERS:
            assert (await place.visitor(other).post("/api/tables", **wanted)).status == 200

    in_house(tmp_path, attempt)


@pytest.mark.parametrize("mine", NETWORKS)
def test_guesses_at_the_admin_token_are_limited_by_network(mine: list[str]) -> None:
    key = Key("a-token-of-twenty-characters", HandClock())
    refused = 0
    for address in mine:
        try:
            assert not key.opens("a wrong one", address)
        except Refused:
            refused += 1
    assert refused == len(mine) - GUESSES[0]
    assert all(key.opens("a-token-of-twenty-characters", other) for other in OTHERS)


@pytest.mark.parametrize("mine", NETWORKS)
def test_commands_of_spectators_are_limited_by_network(tmp_path: Path, mine: list[str]) -> None:
    async def attempt(place: Place) -> None:
        wanted = table("vendetta", ["you", "open", "random"])
        code = (await place.visitor().post("/api/tables", **wanted)).told()["code"]
        most = sockets.COMMANDS[0]
        for number, address in enumerate(mine[: most + 3]):
            line = await place.visitor(address).sit(code)
            answer = await line.do("rematch", "r")
            assert answer["key"] == ("web.only_host" if number < most else "web.too_fast")
            await line.close()
        line = await place.visitor(OTHERS[0]).sit(code)
        assert (await line.do("rematch", "r"))["key"] == "web.only_host"
        await line.close()

    in_house(tmp_path, attempt)


def test_many_networks_do_not_make_the_house_forget_who_used_up_their_allowance() -> None:
    limits = Limits(HandClock(), 2, 1.0, kept=10)
    assert [limits.allows("mine") for _ in range(3)] == [True, True, False]
    for number in range(1000):
        limits.allows(f"network {number}")
        if number % 5 == 0:
            assert not limits.allows("mine"), "an address that keeps asking is not forgotten"
        assert len(limits._buckets) <= 10


def test_whoever_has_the_whole_allowance_again_is_forgotten() -> None:
    clock = HandClock()
    limits = Limits(clock, 2, 1.0, kept=10)
    for number in range(5):
        limits.allows(str(number))
    clock.go_on(1.0)
    limits.allows("one more")
    assert list(limits._buckets) == ["one more"]
