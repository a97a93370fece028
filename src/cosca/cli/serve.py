"""`cosca serve`: run the server for browsers on this computer, on the network or anywhere."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from cosca.cli.options import WholeNumber
from cosca.cli.saved_game import data_folder, protect_default_folder

F = TypeVar("F", bound=Callable[..., Any])


def _setting(flag: str, *names: str, **attributes: Any) -> Callable[[F], F]:
    """Return an option that can also be set by a variable, as `--port` by `COSCA_PORT`."""
    envvar = "COSCA_" + flag.removeprefix("--").replace("-", "_").upper()
    return click.option(flag, *names, envvar=envvar, **attributes)


@click.command()
@_setting("--host", default="127.0.0.1")
@_setting("--port", type=WholeNumber(1, 65535), default=8642)
@_setting("--lan", is_flag=True)
@_setting("--browse", is_flag=True)
@_setting("--store", type=click.Path(path_type=Path))
@_setting("--host-name", "names", multiple=True)
@_setting("--trust-proxy", "proxies", multiple=True)
@_setting("--workers", type=WholeNumber(1, 64), default=1)
@_setting(
    "--keep-days",
    type=WholeNumber(1, 36_500),
)
@_setting("--metrics", is_flag=True)
@_setting("--admin-token", default="")
@_setting(
    "--log",
    type=click.Choice(["text", "json"]),
    default="text",
)
@_setting(
    "--log-level",
    type=click.Choice(["debug", "info", "warning", "error"]),
    default="info",
)
def command(lan: bool, browse: bool, store: Path | None, **settings: Any) -> None:
    """Run the server: tables for people and bots in any browser.

    It listens on this computer only, unless you give --lan or --host. All tables are stored in one
    file and continue after a restart. Every option can also be set by an environment variable, for
    example COSCA_PORT=8642.
    """
    open_house(lan=lan, browse=browse, store=store, **settings)


def open_house(*, lan: bool, browse: bool, store: Path | None = None, **settings: Any) -> None:
    """Run the server, on any free port if none is given."""
    from cosca.server.ops.settings import Settings
    from cosca.server.serve import free_port, serve  # slow to import

    settings.setdefault("port", free_port())
    if store is None:
        protect_default_folder()
    kept = Settings(store=store or data_folder() / "tables.db", **settings)
    serve(kept, click.echo, lan=lan, browse=browse)
