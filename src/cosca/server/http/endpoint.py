"""One thing that may be asked for over HTTP, declared in one place."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request

from cosca.server.domain.identifiers import hashed
from cosca.server.http.identity import LOCAL_PLAYERS, local_player_owner


@dataclass(frozen=True)
class ApiRequest:
    """One request: who asks, for what, and what came with it."""

    http: Request
    token: str
    body: Any

    @property
    def owner(self) -> str:
        """Who asks: the hash of what only their browser knows."""
        return hashed(self.token)

    def local_player(self, number: int) -> str:
        """One of several people at the same browser."""
        return local_player_owner(self.token, number)

    @property
    def local_players(self) -> list[str]:
        """Everybody who may sit at the browser, the owner first."""
        return [self.local_player(int(number)) for number in LOCAL_PLAYERS]

    @property
    def code(self) -> str:
        """The code of the table in the address."""
        return str(self.http.path_params["code"]).lower()


@dataclass(frozen=True, kw_only=True)
class Endpoint:
    """One thing that may be asked for: method, address, what comes in and what goes out."""

    method: str
    path: str
    summary: str
    request: type | None = None
    response: Any = None
    handler: Callable[[Any, ApiRequest], Awaitable[Any]]
    media_type: str = "application/json"
