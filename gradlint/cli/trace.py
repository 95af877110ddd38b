"""`gradlint trace`: show a loop as the dry run sees it."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gradlint.cli import Exit, internal
from gradlint.cli.console import complain, emit, screen

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gradlint.model.settings import Settings

EPILOG = """\b
Examples:
  gradlint trace train.py                 every training loop in the file
  gradlint trace train.py:42              the one around line 42
  gradlint trace train.ipynb:3:12         the one around line 12 of cell 3
  gradlint trace --rule missing-no-sync train.py:42
                                          what the rule said of line 42, and what became of it

\b
Exit status:
  0  shown, or there is no training loop
  2  bad usage, such as a rule that does not exist
  3  the file could not be read or parsed
"""


@click.command("trace", epilog=EPILOG, short_help="Show what a loop's gradients go through.")
@click.option("--rule", metavar="NAME", help="Say why this rule spoke at the line, stood back, was excused or doubted.")
@click.argument("place", metavar="FILE[:[CELL:]LINE]")
def command(rule: str | None, place: str) -> int:
    """Show the loop's gradient events in order, and its ledger as executed beside as meant."""
    from gradlint.syntax.source import SourceError

    file, where = _split(place)
    if rule is not None:
        _check_rule(rule, where)
    try:
        if rule is not None and where is not None:
            emit(_explained(file, where, rule))
        else:
            emit(_traced(file, where))
    except SourceError as error:
        complain(f"{file}: {error.message}")
        return Exit.INCOMPLETE
    except Exception as error:
        complain(f"{file}: {internal(error)}")
        return Exit.INCOMPLETE
    return Exit.CLEAN


def _check_rule(rule: str, where: tuple[int | None, int] | None) -> None:
    """Make sure that there is such a rule, and a line to ask it about."""
    from gradlint.model.nearest import unknown
    from gradlint.rules.support.rule import all_rules

    names = {one.name for one in all_rules()}
    if rule not in names:
        raise click.UsageError(f"--rule: {unknown('rule', rule, names)}")
    if where is None:
        raise click.UsageError("--rule asks about a line: FILE:LINE, or NOTEBOOK.ipynb:CELL:LINE")


def _explained(file: str, where: tuple[int | None, int], rule: str) -> str:
    from gradlint.check.cells import explain_file
    from gradlint.report.explanation import render
    from gradlint.syntax.source import read_text

    with _looking_at(file) as settings:
        return render(explain_file(read_text(Path(file)), file, rule, where, settings), screen())


def _traced(file: str, where: tuple[int | None, int] | None) -> str:
    from gradlint.check.cells import trace_file
    from gradlint.model.custom import using
    from gradlint.report.trace import render
    from gradlint.syntax.source import read_text

    with _looking_at(file) as settings, using(settings.custom):
        regions = trace_file(read_text(Path(file)), file, where)
    if not regions:
        return f"No training loop {_called(where)} {file}.\n"
    style = screen()
    return "\n".join(render(region, style) for region in regions)


@contextmanager
def _looking_at(file: str) -> Iterator[Settings]:
    """A file's settings, and its project around it."""
    from gradlint.check.projects import Projects
    from gradlint.check.surroundings import within
    from gradlint.config.resolve import Project

    configuration = Project()
    settings = configuration.of_file(file)
    with within(Projects(configuration).around(file, settings)):
        yield settings


def _called(where: tuple[int | None, int] | None) -> str:
    if where is None:
        return "in"
    cell, line = where
    return f"at line {line} of" if cell is None else f"at line {line} of cell {cell} of"


def _split(place: str) -> tuple[str, tuple[int | None, int] | None]:
    """FILE and the place in it; a file whose name really ends in `:12` is a file."""
    file, line = _number(place)
    if line is None:
        return place, None
    notebook, cell = _number(file)
    if cell is not None and notebook.lower().endswith(".ipynb"):
        return notebook, (cell, line)
    return file, (None, line)


def _number(place: str) -> tuple[str, int | None]:
    """A text, and the number behind its last colon."""
    file, colon, line = place.rpartition(":")
    if colon and line.isdecimal() and not Path(place).exists():
        return file, int(line)
    return place, None
