"""The API behaves as its OpenAPI document says, whatever the request."""

import asyncio
import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from cosca.server.http.openapi import openapi_document
from cosca.server.http.refusals import status_of
from cosca.server.http.routes import ENDPOINTS
from tests.server.in_process import (
    ORIGIN,
    SAME_ORIGIN,
    InProcessServer,
    Visitor,
    open_server,
    send_request,
    table,
)
from tests.server.manual_world import discard

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
EXAMPLES = 12
SCHEMA = schemathesis.openapi.from_dict(openapi_document(ENDPOINTS))
OPERATIONS = {
    operation.label: operation
    for result in SCHEMA.get_all_operations()
    if isinstance(result, Ok)
    for operation in [result.ok()]
}


class Home:
    """A server with a table of each stage, which can be called without a loop."""

    def __init__(self, path: Path) -> None:
        self.runner = asyncio.Runner()
        self._opened = open_server(path)
        self.server: InProcessServer = self.runner.run(self._opened.__aenter__())
        self.ada = Visitor(self.server.app)
        self.codes: list[str] = self.runner.run(self._tables())

    async def _tables(self) -> list[str]:
        """Return the codes of a table in the lobby, one in play, and one that is over."""
        lobby = await self.ada.post("/api/tables", **table("omerta", ["you", "open", "open"]))
        begun = await self.ada.post(
            "/api/tables",
            **table("vendetta", ["you", "random", "random"], start=True),
        )
        over = await self.ada.post(
            "/api/tables",
            **table("vendetta", ["random"] * 3, start=True, options={"max_rounds": "1"}),
        )
        codes = [str(answer.json()["code"]) for answer in (lobby, begun, over)]
        async with asyncio.timeout(60), self.server.house.table(codes[-1]) as live:
            live.connect("", "data", discard)
            while live.room.stage != "over":
                self.server.clock.advance(10)
                await asyncio.sleep(0)
            live.disconnect(discard)
        return codes

    def send(self, request: httpx.Request) -> httpx.Response:
        """Return the response of the server to a request."""
        headers = [*SAME_ORIGIN, ("cookie", f"cosca={self.ada.cookie}")]
        if "content-type" in request.headers:
            headers.append(("content-type", request.headers["content-type"]))
        path = request.url.raw_path.decode()
        answer = self.runner.run(
            send_request(self.server.app, request.method, path, request.read(), headers)
        )
        response = httpx.Response(
            answer.status, headers=list(answer.headers), content=answer.body, request=request
        )
        response.elapsed = timedelta(0)
        return response

    def close(self) -> None:
        """Close the house."""
        self.runner.run(self._opened.__aexit__(None, None, None))
        self.runner.close()


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    """Return one server for all tests."""
    house = Home(tmp_path_factory.mktemp("api"))
    yield house
    house.close()


def requested(case: schemathesis.Case[Any]) -> httpx.Request:
    """Return the request of a case."""
    described = case.as_transport_kwargs(base_url=ORIGIN)
    body = described.pop("json", None)
    data = described.pop("data", None)
    content = json.dumps(body).encode() if body is not None else data
    content = content.encode() if isinstance(content, str) else content
    if isinstance(content, dict | list):
        content = json.dumps(content).encode()
    return httpx.Request(
        described["method"],
        described["url"],
        params=described.get("params"),
        headers={"content-type": "application/json"} if content else None,
        content=content,
    )


@pytest.mark.parametrize("label", OPERATIONS)
@pytest.mark.parametrize("mode", GenerationMode, ids=lambda mode: mode.value)
def test_every_request_is_answered_as_documented(
    label: str, mode: GenerationMode, home: Home
) -> None:
    operation = OPERATIONS[label]
    if (
        mode is GenerationMode.NEGATIVE
        and not any(operation.iter_parameters())
        and not operation.body
    ):
        return  # nothing can be wrong with it

    @settings(
        derandomize=True,
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(mode), code=st.sampled_from([*home.codes, ""]))
    def try_it(case: schemathesis.Case[Any], code: str) -> None:
        if code and "code" in (case.path_parameters or {}):
            case.path_parameters["code"] = code
        response = home.send(requested(case))
        case.validate_response(response, checks=CHECKS)

    try_it()


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "GET", "POST"])
@pytest.mark.parametrize("path", sorted({endpoint.path for endpoint in ENDPOINTS}))
def test_other_methods_are_refused_as_documented(method: str, path: str, home: Home) -> None:
    if any(endpoint.method == method and endpoint.path == path for endpoint in ENDPOINTS):
        return
    filled = path.format(code=home.codes[0], game="omerta", number=1)
    response = home.send(httpx.Request(method, f"{ORIGIN}{filled}"))
    assert response.status_code == 405
    assert response.json()["key"] == "web.wrong_method"


def test_the_document_lists_every_endpoint_and_status() -> None:
    document = openapi_document(ENDPOINTS)
    known = {(path, method) for path, methods in document["paths"].items() for method in methods}
    assert known == {(endpoint.path, endpoint.method.lower()) for endpoint in ENDPOINTS}
    for endpoint in ENDPOINTS:
        responses = document["paths"][endpoint.path][endpoint.method.lower()]["responses"]
        for key in endpoint.all_refusals:
            assert key in responses[str(status_of(key))]["description"], endpoint.path


def test_every_download_works(home: Home) -> None:
    over = home.codes[-1]
    kinds = {
        f"/api/tables/{over}/record": "application/x-ndjson",
        f"/api/tables/{over}/replay?viewer=spectator": "application/json",
        f"/api/tables/{over}/replay/1?viewer=0": "application/json",
        f"/api/tables/{over}/qr.svg": "image/svg+xml",
        "/api/games/omerta/rules": "text/markdown",
        "/api/games": "application/json",
    }
    for path, kind in kinds.items():
        response = home.send(httpx.Request("GET", f"{ORIGIN}{path}"))
        assert response.status_code == 200, path
        assert response.headers["content-type"].startswith(kind)


def test_a_long_range_is_described_by_its_ends(home: Home) -> None:
    games = home.send(httpx.Request("GET", f"{ORIGIN}/api/games"))
    assert len(games.content) < 20_000, "it is the first thing a phone asks for"
    for game in games.json():
        for option in game["options"]:
            assert bool(option["values"]) != bool(option.get("range")), option["key"]
            for value in option.get("range") or option["values"]:
                seats = ["you"] + ["random"] * (game["max_seats"] - 1)
                wanted = table(game["name"], seats, options={option["key"]: str(value)})
                assert home.runner.run(home.ada.post("/api/tables", **wanted)).status == 200


@pytest.mark.parametrize("beside", ["-1", "100001", "1.5", "1e3", "", "٣"])
def test_a_value_outside_a_range_is_refused_with_its_ends(home: Home, beside: str) -> None:
    wanted = table("vendetta", ["you", "random", "random"], options={"max_rounds": beside})
    answer = home.runner.run(home.ada.post("/api/tables", **wanted))
    assert (answer.status, answer.key) == (409, "bad_value")
    assert "0..100000" in answer.json()["text"]


def test_successful_responses_are_as_documented(home: Home) -> None:
    assert len(OPERATIONS) == len(ENDPOINTS), "schemathesis understands every one"
    seats = ["open", "open", "random", "random"]
    made = {"game": "vendetta", "seats": seats, "name": "Ada"}
    code = checked_body(home, "POST /api/tables", "/api/tables", made)["code"]
    place = checked_body(
        home, "POST /api/tables/{code}/join", f"/api/tables/{code}/join", {"name": "Bob"}
    )
    claim = {"token": place["token"]}
    checked_body(home, "POST /api/tables/{code}/claim", f"/api/tables/{code}/claim", claim)
    checked_body(home, "POST /api/invite", "/api/invite", None)


def checked_body(home: Home, label: str, path: str, body: object) -> Any:
    """Return the body of a successful response, checked against the document."""
    response = home.send(httpx.Request("POST", f"{ORIGIN}{path}", json=body))
    assert response.status_code == 200, response.text
    OPERATIONS[label].validate_response(response)
    return response.json()


ODD = [
    "%00",
    "%2e%2e",
    "..%2f..",
    "%ff",
    "%F0%9F%98%80",
    "9" * 300,
    "İ",
    "٣",
    "-1",
    "%0a",
    "~",
    "'",
]


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize(
    "path", sorted({endpoint.path for endpoint in ENDPOINTS if "{" in endpoint.path})
)
def test_odd_parts_of_paths_are_refused(path: str, odd: str, home: Home) -> None:
    method = next(endpoint.method for endpoint in ENDPOINTS if endpoint.path == path)
    for codes in ({"code": odd}, {"code": home.codes[-1]}):
        filled = path.format(**{"game": odd, "number": odd, **codes})
        request = httpx.Request(method, f"{ORIGIN}{filled}?viewer={odd}", content=b'{"name":"x"}')
        assert home.send(request).status_code in (200, 400, 403, 404, 405, 409), filled
