"""The group of commands. A command's module is imported when it is run or listed."""

from __future__ import annotations

from importlib import import_module

import click

import gradlint
from gradlint.model.nearest import unknown

COMMANDS = ("check", "fix", "verify", "trace", "explain", "rules", "server", "clean", "completion")


class Commands(click.Group):
    """Finds command NAME as `gradlint.cli.NAME.command`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands in the order of a user's day."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, imported now."""
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"gradlint.cli.{cmd_name}")
        command = module.command
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command to run, or say which one was probably meant."""
        if args and not args[0].startswith("-") and args[0] not in COMMANDS:
            ctx.fail(unknown("command", args[0], COMMANDS))
        return super().resolve_command(ctx, args)


EPILOG = """\b
Examples:
  gradlint check                          check the current folder
  gradlint check train.py                 check one file
  gradlint fix                            show what would be repaired
  gradlint fix --apply                    repair it
  gradlint verify train.py                run it on a tiny model, before and after repair
  gradlint trace train.py                 show what a loop's gradients go through
  gradlint explain clip-after-step        read about a rule

\b
Exit status:
  0  nothing found
  1  findings
  2  bad usage or configuration
  3  a file could not be read, parsed or written (wins over 1)
  4  verify: a loop could not be judged
"""


@click.command(
    cls=Commands,
    epilog=EPILOG,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(gradlint.__version__, prog_name="gradlint", message="%(prog)s %(version)s (torch-gradlint)")
def app() -> None:
    """Find PyTorch training loops that train silently wrong."""
