"""The ways of the house, for programs: as OpenAPI tells of them."""

from typing import Any, Final

import msgspec

from cosca import __version__
from cosca.catalog import ALL
from cosca.server import wire
from cosca.server.http.guard import CONFLICT, STATUS
from cosca.server.http.routes import WAYS, Way


def described() -> dict[str, Any]:
    """The API as OpenAPI tells of it."""
    types = [way.takes for way in WAYS if way.takes] + [way.gives for way in WAYS if way.gives]
    template = "#/components/schemas/{name}"
    schemas, components = msgspec.json.schema_components(
        [*types, wire.Problem], ref_template=template
    )
    takes = dict(zip(types, schemas, strict=False))
    paths: dict[str, Any] = {}
    for way in WAYS:
        paths.setdefault(way.path, {})[way.method.lower()] = _operation(way, takes, schemas[-1])
    return {
        "openapi": "3.1.0",
        "info": {"title": "Cosca", "version": __version__},
        "paths": paths,
        "components": {"schemas": components},
    }


def _operation(way: Way, schemas: dict[Any, Any], trouble: Any) -> dict[str, Any]:
    content = {way.media: {"schema": schemas[way.gives]} if way.gives else {}}
    refusals = {
        str(status): {
            "description": "Why not.",
            "content": {"application/json": {"schema": trouble}},
        }
        for status in sorted({*STATUS.values(), CONFLICT})
    }
    operation: dict[str, Any] = {
        "summary": way.tells,
        "parameters": _parameters(way),
        "responses": {"200": {"description": way.tells, "content": content}, **refusals},
    }
    if way.takes:
        body = {"application/json": {"schema": schemas[way.takes]}}
        operation["requestBody"] = {"required": True, "content": body}
    return operation


PARAMETERS: Final = {
    "code": {"type": "string", "pattern": "^[A-Za-z0-9]{6,12}$"},
    "game": {"type": "string", "enum": [game.name for game in ALL]},
    "number": {"type": "integer", "minimum": 0, "maximum": 9_999_999},
    "eyes": {"type": "string", "pattern": "^(all|watch|[0-9]{1,2})$"},
}


def _parameters(way: Way) -> list[dict[str, Any]]:
    named = [part[1:-1] for part in way.path.split("/") if part.startswith("{")]
    found = [
        {"name": name, "in": "path", "required": True, "schema": PARAMETERS[name]} for name in named
    ]
    if "story" in way.path:
        found.append({"name": "eyes", "in": "query", "schema": PARAMETERS["eyes"]})
    return found
