"""`cosca completion`: print the script that adds tab completion to a shell."""

import os
import shlex
import sys
from collections.abc import MutableMapping
from typing import Any

import click
from click.shell_completion import get_completion_class

from cosca.core.errors import Refused

SHELLS = ("bash", "zsh", "fish")
VARIABLE = "_COSCA_COMPLETE"
"""Environment variable by which a script asks for completions."""
RUN = "./run"
"""The program of the source tree, whose `play` and `cosca` take the same words."""


def _complete_shell(ctx: Any, param: Any, incomplete: str) -> list[str]:
    return [shell for shell in SHELLS if shell.startswith(incomplete)]


@click.command()
@click.argument("shell", metavar="|".join(SHELLS), shell_complete=_complete_shell)
def command(shell: str) -> None:
    """Print the script that lets your shell complete cosca commands with Tab.

    For bash, put this line into ~/.bashrc:  eval "$(cosca completion bash)"
    """
    from cosca.cli.main import commands

    completion = get_completion_class(shell) if shell in SHELLS else None
    if completion is None:
        raise Refused("bad_shell", shell=shell[:40], shells=", ".join(SHELLS))
    click.echo(_with_this_python(completion(commands, {}, "cosca", VARIABLE).source()))


def _with_this_python(script: str) -> str:
    """Let a script ask this Python, so that it works where no `cosca` is on the path."""
    asking = f"{shlex.quote(sys.executable)} -m cosca.cli"
    script = script.replace("bash_complete $1)", f"bash_complete {asking})")
    script = script.replace("zsh_complete cosca)", f"zsh_complete {asking})")
    script = script.replace("(commandline -t) cosca)", f"(commandline -t) {asking})")
    script = script.replace("    (( ! $+commands[cosca] )) && return 1\n", "")
    return script.replace("_cosca_completion cosca\n}", f"_cosca_completion cosca {RUN}\n}}")


def drop_run(environ: MutableMapping[str, str] = os.environ) -> None:
    """Turn `./run cosca verify` into `cosca verify` where a shell asks for completions."""
    words = environ.get("COMP_WORDS", "").split()
    if VARIABLE not in environ or words[:1] != [RUN]:
        return
    if words[1:2] == ["cosca"] and environ.get("COMP_CWORD", "").isdecimal():
        environ["COMP_CWORD"] = str(int(environ["COMP_CWORD"]) - 1)
        words = words[1:]
    environ["COMP_WORDS"] = "\n".join(["cosca", *words[1:]])
