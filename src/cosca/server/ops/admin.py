"""The admin page: load, tables and bans, for who has the token of the host."""

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
from cosca.server.http.guard import BODY_BYTES, CONFLICT, STATUS
from cosca.server.http.sockets import Sockets
from cosca.server.live.clock import Clock
from cosca.server.live.house import House
from cosca.server.ops import admin_page
from cosca.server.ops.admin_auth import SESSION, Key, address_of
from cosca.server.ops.bans import Bans
from cosca.server.ops.table_index import IndexedTable, table_index
from cosca.server.telemetry.logs import log_event
from cosca.server.telemetry.metrics import resident_bytes
from cosca.words import say

PATH: Final = "/admin"
COOKIE: Final = "cosca_admin"
FORBIDDEN: Final = 403
DONE: Final = ("closed", "banned", "lifted")
"""What the page can say has been done."""

Form = dict[str, str]


class Admin:
    """Answers the forms of the admin page."""

    def __init__(self, house: House, sockets: Sockets, bans: Bans, key: Key, clock: Clock) -> None:
        self._house = house
        self._sockets = sockets
        self._bans = bans
        self._key = key
        self._clock = clock

    def routes(self) -> list[BaseRoute]:
        """The addresses of the page and its forms."""
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

    # --- Who may ----------------------------------------------------------------------------------

    async def _enter(self, request: Request) -> Response:
        """Let a browser in that has the token, for some hours."""
        try:
            form = await _form(request)
            if not self._key.opens(form.get("token", ""), address_of(request)):
                raise Refused("web.bad_token")
        except Refused as reason:
            log_event("admin_refused", reason=reason.key)
            return _html(admin_page.login_page(_sentence(reason)), _status(reason))
        log_event("admin_entered")
        response = _back()
        response.set_cookie(
            COOKIE,
            self._key.session(),
            max_age=SESSION,
            path=PATH,
            secure=request.url.scheme == "https",
            httponly=True,
            samesite="strict",
        )
        return response

    def _is_in(self, request: Request) -> bool:
        return self._key.knows(request.cookies.get(COOKIE, ""))

    async def _act(
        self, action: Callable[[Request, Form], Awaitable[Response]], request: Request
    ) -> Response:
        """Do what a form asks for, if it was sent by who may."""
        if not self._is_in(request):
            return _html(admin_page.login_page(), FORBIDDEN)
        try:
            return await action(request, await _form(request))
        except Refused as reason:
            return _html(await self._page(_sentence(reason)), _status(reason))

    # --- What there is ----------------------------------------------------------------------------

    async def _show(self, request: Request) -> Response:
        if not self._is_in(request):
            return _html(admin_page.login_page())
        done = request.query_params.get("done", "")
        return _html(await self._page(say(f"admin.{done}", {}) if done in DONE else ""))

    async def _page(self, said: str) -> str:
        entries = await table_index(self._house)
        return admin_page.overview_page(await self._load(), entries, self._bans.all(), said)

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

    # --- What can be done -------------------------------------------------------------------------

    async def _close(self, request: Request, form: Form) -> Response:
        """Delete a table, if it is meant: there is no way back."""
        entry = await self._find(form)
        if form.get("sure") != "yes":
            return _html(admin_page.confirm_page(entry))
        await self._house.delete(entry.code)
        log_event("table_closed", table=entry.alias)
        return _back("closed")

    async def _find(self, form: Form) -> IndexedTable:
        """The table that is meant, by its code or by what it is called here."""
        code, alias = form.get("code", "").strip().lower(), form.get("alias", "")
        for entry in await table_index(self._house):
            if entry.code == code or (alias and entry.alias == alias):
                return entry
        if code and not await self._house.store.tables.missing([code]):
            return IndexedTable(code, "", "", "", 0, 0, 0, 0)
        raise Refused("web.no_table", code=(code or alias)[:20])

    async def _ban(self, request: Request, form: Form) -> Response:
        await self._bans.ban(form.get("address", ""), self._clock.date(), address_of(request))
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
    """What was filled in."""
    read = b""
    async for part in request.stream():
        read += part
        if len(read) > BODY_BYTES:
            raise Refused("web.too_large", most=BODY_BYTES)
    try:
        fields = parse_qs(read.decode(), keep_blank_values=True, max_num_fields=10)
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


def _status(reason: Refused) -> int:
    return STATUS.get(reason.key, CONFLICT)
