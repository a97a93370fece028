"""`cosca`: the commands, and how a mistake is told."""

import sys
from importlib import import_module

import click

import cosca
from cosca.core.errors import Refused
from cosca.words import say

COMMANDS = (
    "play",
    "serve",
    "backup",
    "restore",
    "replay",
    "verify",
    "simulate",
    "arena",
    "bot-check",
    "rules",
    "bench",
    "new-game",
    "completion",
)


class Commands(click.Group):
    """The commands, each in a file of its own that is read only when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command: click.Command = import_module(f"cosca.cli.{name.replace('-', '_')}").command
        return command


def version() -> str:
    """What runs here: the version, and whether the rules are compiled."""
    return f"cosca {cosca.__version__} ({'compiled' if cosca.is_compiled() else 'pure'})"


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(message=version())
def commands() -> None:
    """Mafia games of hidden information: play them, watch bots play them, study them."""


def main() -> None:
    """Run a command. A mistake is told in one sentence, with exit code 2 and nothing lost."""
    try:
        commands.main(prog_name="cosca", standalone_mode=False)
    except Refused as refused:
        _tell(say(refused.key, refused.params))
    except click.ClickException as mistake:
        _tell(mistake.format_message())
    except (click.Abort, KeyboardInterrupt):
        sys.exit(130)


def _tell(sentence: str) -> None:
    click.echo(sentence, err=True)
    sys.exit(2)
