"""All endpoints of the HTTP API, each declared in one place."""

from typing import Final

from cosca.server import wire
from cosca.server.domain.opening import NewTable
from cosca.server.http.api import Api
from cosca.server.http.endpoint import Endpoint

VIEWER: Final = {"viewer": {"type": "string", "pattern": "^(all|spectator|[0-9]{1,2})$"}}
"""Whose view of a finished game to return: that of a seat, of a spectator, or of everything."""

ENDPOINTS: Final[tuple[Endpoint[Api], ...]] = (
    Endpoint(
        method="GET",
        path="/api/games",
        summary="List the games, with everything a host may choose.",
        response=list[wire.GameInfo],
        handler=Api.games,
    ),
    Endpoint(
        method="GET",
        path="/api/games/{game}/rules",
        summary="Get the rulebook of a game, in Markdown.",
        media_type="text/markdown",
        refusals=("bad_game",),
        handler=Api.rules,
    ),
    Endpoint(
        method="GET",
        path="/api/games/{game}/primer",
        summary="Get the rules of an edition on one page, in plain words.",
        query={"edition": {"type": "string", "maxLength": 40}},
        response=wire.Primer,
        refusals=("bad_edition", "bad_game"),
        handler=Api.primer,
    ),
    Endpoint(
        method="POST",
        path="/api/tables",
        summary="Open a table.",
        request=NewTable,
        response=wire.Place,
        refusals=(
            "bad_bot",
            "bad_edition",
            "bad_game",
            "bad_option",
            "bad_seats",
            "bad_value",
            "web.empty_name",
            "web.no_days",
            "web.not_written",
            "web.one_you",
            "web.too_many_tables",
        ),
        handler=Api.open,
    ),
    Endpoint(
        method="GET",
        path="/api/tables/{code}",
        summary="Get a table as everybody who knows its code may see it.",
        response=wire.Room,
        handler=Api.room,
    ),
    Endpoint(
        method="GET",
        path="/api/tables/{code}/primer",
        summary="Get the rules on one page, in plain words, for the settings of a table.",
        response=wire.Primer,
        handler=Api.table_primer,
    ),
    Endpoint(
        method="POST",
        path="/api/tables/{code}/join",
        summary="Take an open seat.",
        request=wire.Join,
        response=wire.Place,
        refusals=(
            "web.begun",
            "web.empty_name",
            "web.full",
            "web.seat_taken",
            "web.table_full",
        ),
        handler=Api.join,
    ),
    Endpoint(
        method="POST",
        path="/api/tables/{code}/claim",
        summary="Come back to a seat with the token of its link.",
        request=wire.Claim,
        response=wire.Place,
        refusals=(
            "web.bad_link",
            "web.seated",
            "web.table_full",
        ),
        handler=Api.claim,
    ),
    Endpoint(
        method="GET",
        path="/api/tables/{code}/qr.svg",
        summary="Get the link of a table as a QR code.",
        media_type="image/svg+xml",
        handler=Api.qr_code,
    ),
    Endpoint(
        method="GET",
        path="/api/tables/{code}/record",
        summary="Get the record of a finished game.",
        media_type="application/x-ndjson",
        refusals=("web.not_over",),
        cost=10,
        handler=Api.record,
    ),
    Endpoint(
        method="GET",
        path="/api/tables/{code}/replay",
        summary="Get a finished game move by move, as a viewer saw it.",
        query=VIEWER,
        response=wire.Replay,
        refusals=(
            "web.bad_viewer",
            "web.not_over",
        ),
        cost=20,
        handler=Api.replay,
    ),
    Endpoint(
        method="GET",
        path="/api/tables/{code}/replay/{number}",
        summary="Get the table as a viewer saw it after some moves of a finished game.",
        query=VIEWER,
        response=wire.TextView,
        refusals=(
            "web.bad_viewer",
            "web.no_such_move",
            "web.not_found",
            "web.not_over",
        ),
        handler=Api.snapshot,
    ),
    Endpoint(
        method="GET",
        path="/api/tables/{code}/chances",
        summary="Get how the win chances of each seat went in a finished game.",
        response=wire.WinChances,
        refusals=("web.not_over",),
        cost=2,
        handler=Api.win_chances,
    ),
    Endpoint(
        method="GET",
        path="/api/me/tables",
        summary="List the tables at which this browser has a seat.",
        response=list[wire.Listed],
        refusals=("web.not_written",),
        handler=Api.my_tables,
    ),
    Endpoint(
        method="GET",
        path="/api/watch",
        summary="List the tables that anybody may watch.",
        response=list[wire.Listed],
        refusals=("web.not_written",),
        handler=Api.listed_tables,
    ),
    Endpoint(
        method="POST",
        path="/api/invite",
        summary="Open the server to the local network; only for its own computer.",
        response=wire.Addresses,
        refusals=(
            "web.no_network",
            "web.only_here",
            "web.port_taken",
        ),
        handler=Api.invite,
    ),
    Endpoint(
        method="GET",
        path="/api/openapi.json",
        summary="Get this document.",
        handler=Api.openapi,
    ),
)
