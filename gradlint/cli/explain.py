"""`gradlint explain`: print a rule's page."""

from __future__ import annotations

import click

from gradlint import pages
from gradlint.cli import Exit
from gradlint.cli.console import emit, screen
from gradlint.nearest import unknown
from gradlint.report import explain

EPILOG = """\b
Examples:
  gradlint explain clip-after-step
  gradlint explain unscaled-accumulation-loss | less

\b
Exit status:
  0  printed
  2  there is no such rule
"""


@click.command("explain", epilog=EPILOG, short_help="Print a rule's page.")
@click.argument("rule")
def command(rule: str) -> int:
    """Print what RULE finds, why it matters, and how to repair it."""
    try:
        page = pages.read(rule)
    except pages.PageError:
        raise click.UsageError(unknown("rule", rule, pages.names())) from None
    emit(explain.render(page, screen()))
    return Exit.CLEAN
