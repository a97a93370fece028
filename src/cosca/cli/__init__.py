"""The command line interface, `cosca`."""

from cosca.cli.main import main

__all__ = ["main"]
