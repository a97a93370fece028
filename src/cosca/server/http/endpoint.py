"""The declaration of an HTTP endpoint, and the request its handler gets.

Routing, rate limits, the OpenAPI document and the client's types all follow from declarations.
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Generic, Literal, TypeVar

from starlette.requests import Request
from starlette.routing import compile_path

from cosca.catalog import ALL
from cosca.server.http.identity import LOCAL_PLAYERS, owner_id

Service = TypeVar("Service")

Schema = Mapping[str, Any]
"""A JSON schema."""

PATH_PARAMETERS: Final[Mapping[str, Schema]] = {
    "code": {"type": "string", "pattern": "^[A-Za-z0-9]{6,12}$"},
    "game": {"type": "string", "enum": [game.name for game in ALL]},
    "number": {"type": "integer", "minimum": 0, "maximum": 9_999_999},
}
EVERY: Final = ("web.bad_host", "web.too_large", "web.failed")
"""What any request may be refused for,"""
LIMITED: Final = ("web.banned", "web.too_fast", "web.too_many_open")
"""any request that is rate limited,"""
WRITING: Final = ("web.bad_origin",)
"""any that writes,"""
WITH_BODY: Final = ("web.not_json",)
"""any that has a body,"""
OF_TABLE: Final = ("web.no_table", "web.other_version", "web.not_written")
"""and any about one table: it may be unknown, from another version, or its disk may fail."""


@dataclass(frozen=True)
class ApiRequest:
    """A request as handlers get it: parsed, and with the browser identified."""

    http: Request
    token: str
    body: Any

    @property
    def owner(self) -> str:
        """The id of the browser."""
        return owner_id(self.token)

    def local_player(self, number: int) -> str:
        """Return the id of one of several people who share the browser."""
        return owner_id(self.token, number)

    @property
    def local_players(self) -> list[str]:
        """The ids of everybody who may share the browser, its owner first."""
        return [self.local_player(number) for number in LOCAL_PLAYERS]

    @property
    def code(self) -> str:
        """The code of the table in the path."""
        return str(self.http.path_params["code"]).lower()


@dataclass(frozen=True, kw_only=True)
class Endpoint(Generic[Service]):
    """One method at one path: what it takes, what it returns, and what limits it."""

    method: Literal["GET", "POST"]
    path: str
    summary: str
    handler: Callable[[Service, ApiRequest], Awaitable[Any]]
    request: type | None = None
    """The type of its JSON body; None if it has none."""
    response: Any = None
    """The type of its JSON response; None if the response is not JSON with a type of ours."""
    media_type: str = "application/json"
    query: Mapping[str, Schema] = field(default_factory=dict)
    """The schema of each query parameter."""
    refusals: tuple[str, ...] = ()
    """The keys of what its handler may refuse, besides what follows from the other fields."""
    cost: int = 1
    """How many requests it counts as."""
    rate_limited: bool = True
    """False for health checks, which are answered at any time, and to anybody."""

    @property
    def writes(self) -> bool:
        """Whether it changes something: then it needs an origin, and is limited more."""
        return self.method != "GET"

    @property
    def all_refusals(self) -> frozenset[str]:
        """The keys of everything a request to it may be refused for."""
        general = (
            (EVERY, True),
            (LIMITED, self.rate_limited),
            (WRITING, self.writes),
            (WITH_BODY, self.request is not None),
            (OF_TABLE, "{code}" in self.path),
        )
        return frozenset(self.refusals).union(*(keys for keys, holds in general if holds))

    @property
    def path_parameters(self) -> list[str]:
        """The names of the parameters in its path."""
        return [part[1:-1] for part in self.path.split("/") if part.startswith("{")]


class EndpointIndex:
    """Finds the endpoint of a request before it is routed."""

    def __init__(self, endpoints: Iterable[Endpoint[Any]]) -> None:
        self._endpoints = [(compile_path(each.path)[0], each) for each in endpoints]

    def find(self, method: str, path: str) -> Endpoint[Any] | None:
        """Return the endpoint at a path; None for pages, files and unknown addresses."""
        method = "GET" if method == "HEAD" else method
        for pattern, endpoint in self._endpoints:
            if endpoint.method == method and pattern.match(path):
                return endpoint
        return None
