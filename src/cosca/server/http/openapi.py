"""The ways of the house, for programs: as OpenAPI tells of them."""

from typing import Any, Final

import msgspec

from cosca import __version__
from cosca.catalog import ALL
from cosca.server import wire
from cosca.server.http.endpoint import Endpoint
from cosca.server.http.refusals import CONFLICT, STATUS
from cosca.server.http.routes import ENDPOINTS


def openapi_document() -> dict[str, Any]:
    """The API as OpenAPI tells of it."""
    types = [endpoint.request for endpoint in ENDPOINTS if endpoint.request] + [
        endpoint.response for endpoint in ENDPOINTS if endpoint.response
    ]
    template = "#/components/schemas/{name}"
    schemas, components = msgspec.json.schema_components(
        [*types, wire.Problem], ref_template=template
    )
    request = dict(zip(types, schemas, strict=False))
    paths: dict[str, Any] = {}
    for endpoint in ENDPOINTS:
        paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = _operation(
            endpoint, request, schemas[-1]
        )
    return {
        "openapi": "3.1.0",
        "info": {"title": "Cosca", "version": __version__},
        "paths": paths,
        "components": {"schemas": components},
    }


def _operation(endpoint: Endpoint, schemas: dict[Any, Any], problem: Any) -> dict[str, Any]:
    content = {
        endpoint.media_type: {"schema": schemas[endpoint.response]} if endpoint.response else {}
    }
    refusals = {
        str(status): {
            "description": "Why not.",
            "content": {"application/json": {"schema": problem}},
        }
        for status in sorted({*STATUS.values(), CONFLICT})
    }
    operation: dict[str, Any] = {
        "summary": endpoint.summary,
        "parameters": _parameters(endpoint),
        "responses": {"200": {"description": endpoint.summary, "content": content}, **refusals},
    }
    if endpoint.request:
        body = {"application/json": {"schema": schemas[endpoint.request]}}
        operation["requestBody"] = {"required": True, "content": body}
    return operation


PARAMETERS: Final = {
    "code": {"type": "string", "pattern": "^[A-Za-z0-9]{6,12}$"},
    "game": {"type": "string", "enum": [game.name for game in ALL]},
    "number": {"type": "integer", "minimum": 0, "maximum": 9_999_999},
    "eyes": {"type": "string", "pattern": "^(all|watch|[0-9]{1,2})$"},
}


def _parameters(endpoint: Endpoint) -> list[dict[str, Any]]:
    named = [part[1:-1] for part in endpoint.path.split("/") if part.startswith("{")]
    found = [
        {"name": name, "in": "path", "required": True, "schema": PARAMETERS[name]} for name in named
    ]
    if "story" in endpoint.path:
        found.append({"name": "eyes", "in": "query", "schema": PARAMETERS["eyes"]})
    return found
