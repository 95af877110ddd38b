"""Writing to the user: reports to standard output, everything else to standard error."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from gradlint.report.style import WIDEST, Style, wants_colour

if TYPE_CHECKING:
    from collections.abc import Callable

    from gradlint.syntax.notebook import Notebook

NARROWEST = 40


def screen(stream: TextIO | None = None) -> Style:
    """What a stream can show, by default standard output."""
    stream = stream or sys.stdout
    columns = shutil.get_terminal_size((WIDEST, 24)).columns
    return Style(
        colour=wants_colour(os.environ, stream.isatty()),
        unicode=_speaks_unicode(stream.encoding),
        width=max(NARROWEST, min(columns, WIDEST)),
    )


def emit(text: str) -> None:
    """Write `text` to standard output; a reader that has gone away is no error."""
    _write(sys.stdout, text)


def page_through(text: str) -> None:
    """Write `text` to standard output, on a terminal through the pager (`PAGER`; short texts without stopping)."""
    if not sys.stdout.isatty():
        emit(text)
        return
    import click

    os.environ.setdefault("LESS", "-FRX")
    click.echo_via_pager(text, color=screen().colour)


def emit_bytes(data: bytes) -> None:
    """Write `data` to standard output as it is; a reader that has gone away is no error."""

    def write() -> None:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)

    _flushed(sys.stdout, write)


def complain(text: str) -> None:
    """Write one line, or several, to standard error."""
    _write(sys.stderr, f"{text}\n")


def _write(stream: TextIO, text: str) -> None:
    def write() -> None:
        try:
            stream.write(text)
        except UnicodeEncodeError:
            encoding = stream.encoding
            stream.write(text.encode(encoding, "backslashreplace").decode(encoding))

    _flushed(stream, write)


def _flushed(stream: TextIO, write: Callable[[], None]) -> None:
    try:
        write()
        stream.flush()
    except BrokenPipeError:
        # Python flushes again on exit; with nowhere to write to, that would print a traceback.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _speaks_unicode(encoding: str | None) -> bool:
    try:
        "…│├└─✓·".encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def sources(known: dict[str, str]) -> Callable[[str, int | None], str]:
    """A reader of files for the reports, each read once.

    Args:
        known: Texts that no file holds, such as standard input, by name.
    """
    texts = dict(known)

    def read(path: str, cell: int | None) -> str:
        from gradlint.syntax.source import SourceError, read_text

        if path not in texts:
            try:
                texts[path] = read_text(Path(path))
            except SourceError:
                texts[path] = ""
        return texts[path] if cell is None else _cell(path, cell)

    notebooks: dict[str, Notebook] = {}

    def _cell(path: str, number: int) -> str:
        from gradlint.syntax.notebook import Notebook

        if path not in notebooks:
            notebooks[path] = Notebook.parse(texts[path])
        return notebooks[path].cell(number).source

    return read
