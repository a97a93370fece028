"""`cosca completion`: print the script that adds tab completion to a shell."""

import click
from click.shell_completion import get_completion_class

from cosca.core.errors import Refused

SHELLS = ("bash", "zsh", "fish")


@click.command()
@click.argument("shell", metavar="|".join(SHELLS))
def command(shell: str) -> None:
    """Print the script that lets your shell complete cosca commands with Tab.

    For bash, put this line into ~/.bashrc:  eval "$(cosca completion bash)"
    """
    if shell not in SHELLS:
        raise Refused("bad_shell", shell=shell[:40], shells=", ".join(SHELLS))
    from cosca.cli.main import commands

    completion = get_completion_class(shell)
    if completion is None:
        raise Refused("bad_shell", shell=shell, shells=", ".join(SHELLS))
    click.echo(completion(commands, {}, "cosca", "_COSCA_COMPLETE").source())
