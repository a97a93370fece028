"""The entry point of `cosca`: find the command, choose the language, report errors."""

import os
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

import click
from click.exceptions import NoArgsIsHelpError

import cosca
from cosca.cli.completion import drop_run
from cosca.cli.help import localize_help
from cosca.cli.terminal import echo_text
from cosca.core.errors import Refused
from cosca.words import LANGUAGE, LANGUAGES, first_known, say, speak

COMMANDS = (
    "play",
    "serve",
    "backup",
    "restore",
    "replay",
    "verify",
    "simulate",
    "arena",
    "bots",
    "bot-check",
    "rules",
    "bench",
    "new-game",
    "completion",
)

LANG_OPTION = "--lang"
LOCALE_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")
"""Environment variables with the language of the system, the most important first."""


class LazyGroup(click.Group):
    """The commands. Each is a module of its own, imported only when it is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        module = name.replace("-", "_")
        command: click.Command = import_module(f"cosca.cli.{module}").command
        return localize_help(command, f"help.{module}", click.Context(command, parent=ctx))

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List every command with its whole first sentence."""
        rows = []
        for name in self.list_commands(ctx):
            command = self.get_command(ctx, name)
            if command and command.help:
                rows.append((name, command.help.strip().partition("\n\n")[0]))
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            known = ", ".join(COMMANDS)
            raise Refused("command_line.no_command", command=args[0][:40], commands=known)
        return super().resolve_command(ctx, args)


def version() -> str:
    """Return the version, and whether the rules are compiled."""
    return f"cosca {cosca.__version__} ({'compiled' if cosca.is_compiled() else 'pure'})"


def _complete_language(ctx: Any, param: Any, incomplete: str) -> list[str]:
    return [language for language in LANGUAGES if language.startswith(incomplete)]


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--lang", metavar="CODE", expose_value=False, shell_complete=_complete_language)
@click.version_option(message=version())
def commands() -> None:
    """Group all commands; their help comes from the language files."""


def parse_language(words: Sequence[str], environ: Mapping[str, str]) -> tuple[str, list[str]]:
    """Return the language to use, and the arguments without the option that names it.

    This happens before click parses anything, because help texts and key labels depend on the
    language. An unknown language is refused if the user named it, and ignored if the system did.
    """
    rest = list(words)
    asked = environ.get("COSCA_LANG", "")
    for at, word in enumerate(words):
        if word == LANG_OPTION and at + 1 < len(words):
            asked = words[at + 1]
            del rest[at : at + 2]
            break
        if word.startswith(f"{LANG_OPTION}="):
            asked = word.partition("=")[2]
            del rest[at]
            break
    if asked and not first_known([asked]):
        raise Refused("bad_language", language=asked[:40], languages=", ".join(LANGUAGES))
    system = next(filter(None, map(environ.get, LOCALE_VARIABLES)), "")
    return first_known([asked, system]) or LANGUAGE, rest


def main() -> None:
    """Run a command. An error prints one sentence and exits with code 2."""
    try:
        language, words = parse_language(sys.argv[1:], os.environ)
        speak(language)
        drop_run()
        ctx = click.Context(commands, **commands.context_settings)
        localize_help(commands, "help", ctx).main(words, prog_name="cosca", standalone_mode=False)
    except Refused as refused:
        _fail(say(refused.key, refused.params))
    except click.ClickException as mistake:
        _fail(_describe_error(mistake))
    except (click.Abort, KeyboardInterrupt):
        sys.exit(130)


def _describe_error(mistake: click.ClickException) -> str:
    """Return one sentence about an error that click has found."""
    if isinstance(mistake, click.NoSuchOption):
        return say("command_line.no_option", {"option": mistake.option_name})
    if isinstance(mistake, click.BadOptionUsage):
        return say("command_line.bad_option", {"option": mistake.option_name})
    if isinstance(mistake, NoArgsIsHelpError):
        return mistake.format_message()
    if isinstance(mistake, click.BadParameter) and mistake.param:
        return _describe_parameter_error(mistake, mistake.param)
    return say("command_line.not_understood", {"reason": mistake.format_message()})


def _describe_parameter_error(mistake: click.BadParameter, what: click.Parameter) -> str:
    name = what.human_readable_name if isinstance(what, click.Argument) else what.opts[0]
    if isinstance(mistake, click.MissingParameter):
        return say("command_line.missing", {"what": name})
    if isinstance(what.type, click.Choice):
        return say("command_line.choice", {"what": name, "values": ", ".join(what.type.choices)})
    return say("command_line.bad_value", {"what": name, "reason": mistake.message})


def _fail(sentence: str) -> None:
    echo_text(sentence, err=True)
    sys.exit(2)
