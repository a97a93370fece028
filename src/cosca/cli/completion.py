"""`cosca completion`: the lines that let a shell complete our commands."""

import click
from click.shell_completion import get_completion_class

from cosca.core.errors import Refused

SHELLS = ("bash", "zsh", "fish")


@click.command()
@click.argument("shell", metavar="|".join(SHELLS))
def command(shell: str) -> None:
    """Print what lets your shell complete cosca commands with the Tab key.

    For bash, put this line into ~/.bashrc:  eval "$(cosca completion bash)"
    """
    if shell not in SHELLS:
        raise Refused("bad_shell", shell=shell[:40], shells=", ".join(SHELLS))
    from cosca.cli.main import commands

    completion = get_completion_class(shell)
    if completion is None:
        raise Refused("bad_shell", shell=shell, shells=", ".join(SHELLS))
    click.echo(completion(commands, {}, "cosca", "_COSCA_COMPLETE").source())
