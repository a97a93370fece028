"""`cosca serve`: open the house, for a browser here, friends on the same network, or the world."""

from pathlib import Path
from typing import Any

import click

from cosca.cli.options import WholeNumber
from cosca.cli.saved import folder


@click.command()
@click.option("--host", default="127.0.0.1", help="The address to listen at.", show_default=True)
@click.option(
    "--port", type=WholeNumber(1, 65535), default=8642, help="The port.", show_default=True
)
@click.option("--lan", is_flag=True, help="Let friends on the same network in.")
@click.option("--browse", is_flag=True, help="Open the first page in a browser.")
@click.option("--store", type=click.Path(path_type=Path), help="The file that keeps all tables.")
@click.option("--host-name", multiple=True, help="A name the house is known by, as cosca.example.")
@click.option("--trust-proxy", multiple=True, help="The address of a reverse proxy to be trusted.")
@click.option(
    "--workers", type=WholeNumber(1, 64), default=1, help="Processes for bots.", show_default=True
)
def command(
    host: str,
    port: int,
    lan: bool,
    browse: bool,
    store: Path | None,
    host_name: tuple[str, ...],
    trust_proxy: tuple[str, ...],
    workers: int,
) -> None:
    """Open the house: tables for people and bots in any browser.

    It listens on this computer only, unless --lan or --host says otherwise. All tables are kept in
    one file, and go on where they were when the house is opened again.
    """
    settings: dict[str, Any] = {"host": host, "port": port, "names": host_name}
    settings |= {"proxies": trust_proxy, "workers": workers}
    open_house(lan=lan, browse=browse, store=store, **settings)


def open_house(*, lan: bool, browse: bool, store: Path | None = None, **settings: Any) -> None:
    """Open the house; at any free port where none is named."""
    from cosca.server.serve import free_port, serve  # takes a while to be read
    from cosca.server.settings import Settings

    settings.setdefault("port", free_port())
    kept = Settings(store=store or folder() / "tables.db", **settings)
    serve(kept, click.echo, lan=lan, browse=browse)
