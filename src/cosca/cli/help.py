"""Help texts of commands in the current language."""

from collections.abc import Iterator
from contextlib import contextmanager

import click

from cosca.words import LANGUAGES, say, sentences


class LocalizedHelpFormatter(click.HelpFormatter):
    """A help page with headings in the current language."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        super().write_usage(prog, args, say("help.usage", {}) + " ")

    @contextmanager
    def section(self, name: str) -> Iterator[None]:
        with super().section(say(f"help.{name.lower()}", {})):
            yield


class LocalizedContext(click.Context):
    """A click context whose help is in the current language."""

    formatter_class = LocalizedHelpFormatter


def localize_help(command: click.Command, key: str, ctx: click.Context) -> click.Command:
    """Set the help of a command and its options in the current language; return the command.

    An option without a text of the command has the one that all commands share.
    """
    command.context_class = LocalizedContext
    if option := command.get_help_option(ctx):
        option.help = say("help.help", {})
    command.help = say(f"{key}.about", {})
    for each in command.params:
        if isinstance(each, click.Option):
            own = f"{key}.{each.name}"
            text = own if own in sentences() else f"help.common.{each.name}"
            each.help = say(text, {"languages": ", ".join(LANGUAGES)}) + _default(each)
    return command


def _default(option: click.Option) -> str:
    """Return the sentence with the default of an option; the others say theirs in their text."""
    value = option.default
    if option.multiple:
        value = say("help.none", {})
    if option.is_flag or not isinstance(value, int | float | str) or value == "":
        return ""
    return " " + say("help.default", {"value": str(value)})
