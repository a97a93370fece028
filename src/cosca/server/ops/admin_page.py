"""The admin page as accessible HTML without scripts."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from html import escape
from typing import Final

from cosca.server.ops.table_index import IndexedTable
from cosca.words import say, spoken

STYLE: Final = """
:root { color-scheme: light dark; font-family: system-ui, sans-serif; line-height: 1.5; }
body { margin: 0 auto; max-width: 64rem; padding: 1rem; }
table { border-collapse: collapse; }
caption { text-align: start; padding-block: 0.5rem; }
th, td { border-bottom: 1px solid GrayText; padding: 0.4rem 0.8rem; text-align: start; }
td form { margin: 0; }
button, input { font: inherit; min-height: 2.5rem; padding-inline: 0.8rem; }
dt { font-weight: bold; }
.wide { overflow-x: auto; }
"""


@dataclass(frozen=True)
class Load:
    """How busy the house is."""

    version: str
    started: float
    """Seconds since 1970."""
    cpu: float
    """The share of one core this process has used since its start."""
    load: float
    """The load average of the machine over the last minute."""
    memory: float
    """Bytes."""
    sockets: int
    loaded: int
    """Tables in memory."""
    tables: int
    """Tables in the store."""
    moves: int
    """Moves in the last minute."""


def login_page(message: str = "") -> str:
    """Return the page that asks for the token."""
    form = _form(
        "/admin/enter",
        f'<p><label for="token">{_say("token")}</label><br>'
        '<input id="token" name="token" type="password" required '
        'autocomplete="current-password"></p>',
        _say("enter"),
    )
    return _page(_message(message, "alert") + form)


def confirm_page(table: IndexedTable) -> str:
    """Return the page that asks for confirmation before a table is deleted."""
    question = _say("sure", table=table.alias or table.code)
    form = _form("/admin/close", _hidden("code", table.code) + _hidden("sure", "yes"), _say("yes"))
    return _page(f'<h2>{question}</h2>{form}<p><a href="/admin">{_say("no")}</a></p>')


def overview_page(
    load: Load, tables: Sequence[IndexedTable], bans: Sequence[tuple[str, int]], message: str = ""
) -> str:
    """Return the page with load, tables and bans, under a message if there is one."""
    leave = _form("/admin/leave", "", _say("leave"))
    sections = _load(load) + _tables(load, tables) + _bans(bans)
    return _page(_message(message, "status") + sections + leave)


def _load(load: Load) -> str:
    """Return the section with the load of the house."""
    rows = {
        "version": load.version,
        "began": _time(int(load.started * 1000)),
        "cpu": f"{100 * load.cpu:.1f} %",
        "load": f"{load.load:.2f}",
        "memory": f"{load.memory / 1e6:.0f} MB",
        "sockets": str(load.sockets),
        "loaded": str(load.loaded),
        "tables": str(load.tables),
        "moves": str(load.moves),
    }
    items = "".join(f"<dt>{_say(name)}</dt><dd>{value}</dd>" for name, value in rows.items())
    return f"<section><h2>{_say('house')}</h2><dl>{items}</dl></section>"


def _tables(load: Load, tables: Sequence[IndexedTable]) -> str:
    """Return the section with the latest tables and the form that closes one by its code."""
    names = ("table", "game", "stage", "seats", "last", "action")
    heads = "".join(f'<th scope="col">{_say(f"head_{name}")}</th>' for name in names)
    rows = "".join(map(_row, tables))
    caption = _say("caption", shown=len(tables), all=load.tables)
    close = _form(
        "/admin/close",
        f'<p><label for="code">{_say("code")}</label><br>'
        '<input id="code" name="code" required autocomplete="off"></p>',
        _say("close"),
    )
    table = f"<table><caption>{caption}</caption><tr>{heads}</tr>{rows}</table>"
    return (
        f'<section><h2 id="tables">{_say("tables_title")}</h2>'
        f'<div class="wide" tabindex="0" role="region" aria-labelledby="tables">{table}</div>'
        f"{close}</section>"
    )


def _row(table: IndexedTable) -> str:
    """Return the row of a table, with a button that closes it."""
    name = escape(table.alias or "?")
    seats = _say("seats", people=table.people, bots=table.bots, all=table.seats)
    close = _form(
        "/admin/close", _hidden("alias", table.alias), _say("close_one", table=table.alias)
    )
    cells = (
        escape(table.game),
        say(f"stages.{table.stage}", {}),
        seats if table.seats else "?",
        _time(table.last),
        close if table.alias else "",
    )
    rest = "".join(f"<td>{cell}</td>" for cell in cells)
    return f'<tr><th scope="row">{name}</th>{rest}</tr>'


def _bans(bans: Sequence[tuple[str, int]]) -> str:
    """Return the section with the banned addresses and the form that bans one."""
    rows = "".join(
        f"<li>{escape(address)}, {_time(since)} "
        + _form("/admin/lift", _hidden("address", address), _say("lift", address=address))
        + "</li>"
        for address, since in bans
    )
    listed = f"<ul>{rows}</ul>" if rows else f"<p>{_say('no_bans')}</p>"
    form = _form(
        "/admin/ban",
        f'<p><label for="address">{_say("address")}</label><br>'
        '<input id="address" name="address" required autocomplete="off"></p>',
        _say("ban"),
    )
    return f"<section><h2>{_say('bans')}</h2>{listed}{form}</section>"


def _page(content: str) -> str:
    title = _say("title")
    return (
        f'<!doctype html><html lang="{spoken()}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<title>{title}</title><link rel="icon" href="/icon.svg" type="image/svg+xml">'
        '<link rel="stylesheet" href="/admin/style.css"></head>'
        f"<body><main><h1>{title}</h1>{content}</main></body></html>"
    )


def _form(action: str, fields: str, button: str) -> str:
    return f'<form method="post" action="{action}">{fields}<button>{button}</button></form>'


def _hidden(name: str, value: str) -> str:
    return f'<input type="hidden" name="{name}" value="{escape(value)}">'


def _message(text: str, role: str) -> str:
    return f'<p role="{role}">{escape(text)}</p>' if text else ""


def _time(date: int) -> str:
    """Return a date in UTC: without scripts the host's time zone is unknown."""
    at = datetime.fromtimestamp(date // 1000, UTC)
    return f'<time datetime="{at.isoformat()}">{at:%Y-%m-%d %H:%M} UTC</time>'


def _say(name: str, **params: int | str) -> str:
    return escape(say(f"admin.{name}", params))
