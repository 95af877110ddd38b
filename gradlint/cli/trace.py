"""`gradlint trace`: show a loop as the dry run sees it."""

from __future__ import annotations

from pathlib import Path

import click

from gradlint.cli import Exit, internal
from gradlint.cli.console import complain, emit, screen

EPILOG = """\b
Examples:
  gradlint trace train.py                 every training loop in the file
  gradlint trace train.py:42              the one around line 42

\b
Exit status:
  0  shown, or there is no training loop
  2  bad usage
  3  the file could not be read or parsed
"""


@click.command("trace", epilog=EPILOG, short_help="Show what a loop's gradients go through.")
@click.argument("place", metavar="FILE[:LINE]")
def command(place: str) -> int:
    """Show the loop's gradient events in order, and its ledger as executed beside as meant."""
    from gradlint.config import Project
    from gradlint.custom import using
    from gradlint.engine import trace_text
    from gradlint.report.trace import render
    from gradlint.source import SourceError, read_text, refuse_notebook

    file, line = _split(place)
    try:
        refuse_notebook(file)
        with using(Project().of_file(file).custom):
            regions = trace_text(read_text(Path(file)), file, line)
    except SourceError as error:
        complain(f"{file}: {error.message}")
        return Exit.INCOMPLETE
    except Exception as error:
        complain(f"{file}: {internal(error)}")
        return Exit.INCOMPLETE
    if not regions:
        emit(f"No training loop {f'at line {line} of' if line else 'in'} {file}.\n")
    else:
        style = screen()
        emit("\n".join(render(region, style) for region in regions))
    return Exit.CLEAN


def _split(place: str) -> tuple[str, int | None]:
    """FILE and LINE; a file whose name really ends in `:12` is a file."""
    file, colon, line = place.rpartition(":")
    if colon and line.isdecimal() and not Path(place).exists():
        return file, int(line)
    return place, None
