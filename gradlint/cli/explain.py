"""`gradlint explain`: print a rule's page."""

from __future__ import annotations

import click

from gradlint.cli import Exit
from gradlint.cli.console import page_through, screen
from gradlint.model.nearest import unknown
from gradlint.report import explain, pages

EPILOG = """\b
Examples:
  gradlint explain clip-after-step
  gradlint explain unscaled-accumulation-loss | cat

\b
Exit status:
  0  printed
  2  there is no such rule
"""


@click.command("explain", epilog=EPILOG, short_help="Print a rule's page.")
@click.argument("rule", shell_complete=lambda _context, _parameter, begun: _begun(begun))
def command(rule: str) -> int:
    """Print what RULE finds, why it matters, and how to repair it; on a terminal page by page."""
    try:
        page = pages.read(rule)
    except pages.PageError:
        raise click.UsageError(unknown("rule", rule, pages.names())) from None
    page_through(explain.render(page, screen()))
    return Exit.CLEAN


def _begun(begun: str) -> list[str]:
    """The rules whose names begin so."""
    return [name for name in pages.names() if name.startswith(begun)]
