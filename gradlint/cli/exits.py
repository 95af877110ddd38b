"""What a command returns to the shell."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """The exit statuses that the package's page lists."""

    CLEAN = 0
    FINDINGS = 1
    USAGE = 2
    INCOMPLETE = 3
    INCONCLUSIVE = 4
    INTERRUPTED = 130
