"""`gradlint completion`: let the shell complete commands, options and rules."""

from __future__ import annotations

import click

from gradlint.cli import Exit
from gradlint.cli.console import emit

EPILOG = """\b
Examples:
  gradlint completion bash >> ~/.bashrc
  gradlint completion zsh >> ~/.zshrc
  gradlint completion fish > ~/.config/fish/completions/gradlint.fish
"""


@click.command("completion", epilog=EPILOG, short_help="Let the shell complete words.")
@click.argument("shell", type=click.Choice(("bash", "zsh", "fish")))
def command(shell: str) -> int:
    """Print what SHELL must read at its start to complete gradlint's commands, options and rules."""
    from click.shell_completion import get_completion_class

    from gradlint.cli.app import app

    kind = get_completion_class(shell)
    assert kind is not None
    emit(kind(app, {}, "gradlint", "_GRADLINT_COMPLETE").source())
    return Exit.CLEAN
