"""The admin page: load, tables and bans, for the host."""

import os
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final
from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from cosca import __version__
from cosca.core.errors import Refused
from cosca.server.http.addresses import client_address
from cosca.server.http.refusals import status_of
from cosca.server.http.request_body import read_body
from cosca.server.http.sockets import Sockets
from cosca.server.live.clock import Clock
from cosca.server.live.house import House
from cosca.server.ops import admin_page
from cosca.server.ops.admin_auth import SESSION_SECONDS, AdminAuth
from cosca.server.ops.bans import Bans
from cosca.server.ops.table_index import IndexedTable, table_index
from cosca.server.telemetry.logs import log_event
from cosca.server.telemetry.metrics import resident_bytes
from cosca.words import say

PATH: Final = "/admin"
COOKIE: Final = "cosca_admin"
FORBIDDEN: Final = 403
DONE: Final = ("closed", "banned", "lifted")
"""The actions the page can confirm."""

Form = dict[str, str]


class Admin:
    """Serves the admin page and handles its forms."""

    def __init__(
        self, house: House, sockets: Sockets, bans: Bans, auth: AdminAuth, clock: Clock
    ) -> None:
        self._house = house
        self._sockets = sockets
        self._bans = bans
        self._auth = auth
        self._clock = clock

    def routes(self) -> list[BaseRoute]:
        """Return the routes of the page and its forms."""
        actions = {"close": self._close, "ban": self._ban, "lift": self._lift, "leave": self._leave}
        return [
            Route(PATH, self._show, methods=["GET"]),
            Route(f"{PATH}/style.css", _style, methods=["GET"]),
            Route(f"{PATH}/enter", self._enter, methods=["POST"]),
            *(
                Route(f"{PATH}/{name}", partial(self._act, action), methods=["POST"])
                for name, action in actions.items()
            ),
        ]

    # --- Login ------------------------------------------------------------------------------------

    async def _enter(self, request: Request) -> Response:
        """Log a browser in that sends the token."""
        try:
            form = await _form(request)
            if not self._auth.accepts(form.get("token", ""), client_address(request)):
                raise Refused("web.bad_token")
        except Refused as reason:
            log_event("admin_refused", reason=reason.key)
            return _html(admin_page.login_page(_sentence(reason)), status_of(reason.key))
        log_event("admin_entered")
        response = _back()
        response.set_cookie(
            COOKIE,
            self._auth.new_session(),
            max_age=SESSION_SECONDS,
            path=PATH,
            secure=request.url.scheme == "https",
            httponly=True,
            samesite="strict",
        )
        return response

    def _is_logged_in(self, request: Request) -> bool:
        return self._auth.is_valid_session(request.cookies.get(COOKIE, ""))

    async def _act(
        self, action: Callable[[Request, Form], Awaitable[Response]], request: Request
    ) -> Response:
        """Do what a form asks for if the browser is logged in."""
        if not self._is_logged_in(request):
            return _html(admin_page.login_page(), FORBIDDEN)
        try:
            return await action(request, await _form(request))
        except Refused as reason:
            return _html(await self._page(_sentence(reason)), status_of(reason.key))

    # --- Overview ---------------------------------------------------------------------------------

    async def _show(self, request: Request) -> Response:
        if not self._is_logged_in(request):
            return _html(admin_page.login_page())
        done = request.query_params.get("done", "")
        return _html(await self._page(say(f"admin.{done}", {}) if done in DONE else ""))

    async def _page(self, message: str) -> str:
        tables = await table_index(self._house)
        return admin_page.overview_page(await self._load(), tables, self._bans.all(), message)

    async def _load(self) -> admin_page.Load:
        metrics = self._house.metrics
        return admin_page.Load(
            version=__version__,
            started=metrics.started,
            cpu=time.process_time() / max(1.0, time.time() - metrics.started),
            load=os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0,  # not on Windows
            memory=resident_bytes(),
            sockets=self._sockets.count,
            loaded=len(self._house.loaded()),
            tables=await self._house.store.tables.count(),
            moves=metrics.moves.count(self._clock.now()),
        )

    # --- Actions ----------------------------------------------------------------------------------

    async def _close(self, request: Request, form: Form) -> Response:
        """Delete a table, after asking for confirmation."""
        table = await self._find(form)
        if form.get("sure") != "yes":
            return _html(admin_page.confirm_page(table))
        await self._house.delete(table.code)
        log_event("table_closed", table=table.alias)
        return _back("closed")

    async def _find(self, form: Form) -> IndexedTable:
        """Return the table a form names, by its code or by its alias."""
        code, alias = form.get("code", "").strip().lower(), form.get("alias", "")
        for table in await table_index(self._house):
            if table.code == code or (alias and table.alias == alias):
                return table
        if code and not await self._house.store.tables.missing([code]):
            return IndexedTable(code, "", "", "", 0, 0, 0, 0)
        raise Refused("web.no_table", code=(code or alias)[:20])

    async def _ban(self, request: Request, form: Form) -> Response:
        await self._bans.ban(form.get("address", ""), self._clock.date(), client_address(request))
        log_event("address_banned")
        return _back("banned")

    async def _lift(self, request: Request, form: Form) -> Response:
        await self._bans.lift(form.get("address", ""))
        log_event("ban_lifted")
        return _back("lifted")

    async def _leave(self, request: Request, form: Form) -> Response:
        response = _back()
        response.delete_cookie(COOKIE, path=PATH, httponly=True, samesite="strict")
        return response


async def _form(request: Request) -> Form:
    """Read the fields of a form."""
    body = await read_body(request)
    try:
        fields = parse_qs(body.decode(), keep_blank_values=True, max_num_fields=10)
    except ValueError:
        raise Refused("web.bad_form") from None
    return {name: values[-1] for name, values in fields.items()}


async def _style(request: Request) -> Response:
    return Response(admin_page.STYLE, media_type="text/css")


def _html(page: str, status: int = 200) -> Response:
    return HTMLResponse(page, status)


def _back(done: str = "") -> Response:
    return RedirectResponse(f"{PATH}?done={done}" if done else PATH, 303)


def _sentence(reason: Refused) -> str:
    return say(reason.key, reason.params)
