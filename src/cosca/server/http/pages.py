"""Serve the pages of the client and its files."""

from collections.abc import Sequence
from html import escape
from importlib import resources
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from cosca.core.errors import Refused
from cosca.server.http.refusals import problem
from cosca.words import LANGUAGE, say, spoken

PAGES: Final = ("/", "/new", "/join", "/verify", "/t/{code}", "/t/{code}/replay", "/seat/{code}")
CLIENT: Final = Path(str(resources.files("cosca.server") / "web"))


def page_routes() -> Sequence[BaseRoute]:
    """Return the routes of all pages and files of the client."""
    found: list[BaseRoute] = [Route(page, _page, methods=["GET"]) for page in PAGES]
    if (CLIENT / "assets").is_dir():
        found.append(Mount("/assets", StaticFiles(directory=CLIENT / "assets")))
    if CLIENT.is_dir():
        found.append(Route("/{name}", _file, methods=["GET"]))
    return found


async def _page(request: Request) -> Response:
    """Serve the client, which reads the address itself."""
    return _client(200) or problem(Refused("web.no_client"))


async def _file(request: Request) -> Response:
    """Serve one of the few files beside the page, such as its icon."""
    name = request.path_params["name"]
    known = {path.name: path for path in CLIENT.iterdir() if path.is_file()}
    return FileResponse(known[name]) if name in known else problem(Refused("web.not_found"))


async def missing(request: Request, error: Exception) -> Response:
    """Answer an unknown address: with a page for people, with a problem for programs."""
    page = None if request.url.path.startswith("/api/") else _client(404)
    return page or problem(Refused("web.not_found"))


def _client(status: int) -> Response | None:
    """Return the page of the client with its few texts translated; None if it is not built."""
    page = CLIENT / "index.html"
    if not page.is_file():
        return None
    text = page.read_text(encoding="utf-8").replace(f'lang="{LANGUAGE}"', f'lang="{spoken()}"')
    for key in ("web.description", "web.no_script"):
        text = text.replace(say(key, {}, LANGUAGE), escape(say(key, {})))
    return HTMLResponse(text, status)


async def failed(request: Request, error: Exception) -> Response:
    return problem(Refused("web.failed"))


async def not_allowed(request: Request, error: Exception) -> Response:
    return problem(Refused("web.wrong_method"))
