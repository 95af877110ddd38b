"""How a report ends when there is nothing to report. This module imports nothing: most runs need no other report."""

from __future__ import annotations


def count(number: int, noun: str) -> str:
    """`1 file`, `2 files`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def nothing(files: int, loops: int, missing: str = "") -> str:
    """What was checked without a finding; it never says that a loop is right.

    Args:
        files: How many files were checked.
        loops: How many training loops are in them.
        missing: What to say of files that could not be checked.
    """
    if not files:
        return f"No Python files were checked{missing}."
    if not loops:
        return f"No training loop found: {count(files, 'file')}{missing}."
    return f"No problems found: {count(files, 'file')}, {count(loops, 'training loop')}{missing}."
