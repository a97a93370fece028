"""Describe declared endpoints as an OpenAPI document."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, Final

import msgspec

from cosca import __version__
from cosca.server import wire
from cosca.server.http.endpoint import PATH_PARAMETERS, Endpoint
from cosca.server.http.refusals import status_of

REFERENCE: Final = "#/components/schemas/{name}"
Json = dict[str, Any]


def openapi_document(endpoints: Sequence[Endpoint[Any]]) -> Json:
    """Return the OpenAPI document of some endpoints."""
    types = types_of(endpoints)
    made, components = msgspec.json.schema_components(types, ref_template=REFERENCE)
    schemas = dict(zip(types, made, strict=True))
    paths: defaultdict[str, Json] = defaultdict(dict)
    for endpoint in endpoints:
        paths[endpoint.path][endpoint.method.lower()] = _operation(endpoint, schemas)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Cosca", "version": __version__},
        "paths": paths,
        "components": {"schemas": components},
    }


def types_of(endpoints: Iterable[Endpoint[Any]]) -> list[Any]:
    """Return every type that requests and responses of some endpoints have, each once."""
    both = [kind for each in endpoints for kind in (each.request, each.response)]
    return list(dict.fromkeys([kind for kind in both if kind is not None] + [wire.Problem]))


def _operation(endpoint: Endpoint[Any], schemas: dict[Any, Any]) -> Json:
    schema = {"schema": schemas[endpoint.response]} if endpoint.response else {}
    granted = {"description": endpoint.summary, "content": {endpoint.media_type: schema}}
    operation: Json = {
        "summary": endpoint.summary,
        "parameters": _parameters(endpoint),
        "responses": {"200": granted, **_refusals(endpoint, schemas[wire.Problem])},
    }
    if endpoint.request:
        body = {"application/json": {"schema": schemas[endpoint.request]}}
        operation["requestBody"] = {"required": True, "content": body}
    return operation


def _refusals(endpoint: Endpoint[Any], problem: Json) -> Json:
    """Return the response for each status of a refusal, with the keys it may have."""
    keys: defaultdict[int, list[str]] = defaultdict(list)
    for key in sorted(endpoint.all_refusals):
        keys[status_of(key)].append(key)
    content = {"application/json": {"schema": problem}}
    return {
        str(status): {"description": ", ".join(keys[status]), "content": content}
        for status in sorted(keys)
    }


def _parameters(endpoint: Endpoint[Any]) -> list[Json]:
    in_path = [
        {"name": name, "in": "path", "required": True, "schema": PATH_PARAMETERS[name]}
        for name in endpoint.path_parameters
    ]
    in_query = [
        {"name": name, "in": "query", "schema": schema} for name, schema in endpoint.query.items()
    ]
    return in_path + in_query
