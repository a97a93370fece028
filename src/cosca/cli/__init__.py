"""The command line: every door to Cosca that is typed."""

from cosca.cli.main import main

__all__ = ["main"]
