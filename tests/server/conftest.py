"""Check every refusal of the HTTP API in any test against the endpoint's declaration."""

from collections.abc import Iterator
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import Response

from cosca.core.errors import Refused
from cosca.server.http.endpoint import Endpoint
from cosca.server.http.responder import Responder


@pytest.fixture(autouse=True)
def only_declared_refusals(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Fail a test in which an endpoint refuses something for a reason it does not declare."""
    refuse = Responder._refuse
    undeclared: list[str] = []

    def checked(
        self: Responder, endpoint: Endpoint[Any], request: Request, reason: Refused
    ) -> Response:
        if reason.key not in endpoint.all_refusals:
            undeclared.append(f"{endpoint.method} {endpoint.path}: {reason.key}")
        return refuse(self, endpoint, request, reason)

    monkeypatch.setattr(Responder, "_refuse", checked)
    yield
    assert not undeclared, "add them to `refusals` of the endpoint in server/http/routes.py"
