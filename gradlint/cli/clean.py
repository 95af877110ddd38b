"""`gradlint clean`: remove the cache."""

from __future__ import annotations

import click

from gradlint.cli import Exit
from gradlint.cli.console import complain, emit

EPILOG = """\b
Examples:
  gradlint clean                          forget everything that was found

\b
Exit status:
  0  the cache is gone, or there was none
  3  it could not be removed
"""


@click.command("clean", epilog=EPILOG, short_help="Remove the cache.")
def command() -> int:
    """Remove the folder in which `check` remembers what it found: .gradlint_cache at the project's root.

    GRADLINT_CACHE_DIR in the environment names another folder.
    """
    from gradlint.files.cache import clean, location

    folder = location()
    try:
        gone = clean(folder)
    except OSError as error:
        complain(f"error: {folder}: cannot be removed: {error.strerror or error}")
        return Exit.INCOMPLETE
    emit(f"Removed {folder}.\n" if gone else f"There is no cache: {folder}.\n")
    return Exit.CLEAN
