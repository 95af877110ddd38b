"""The wet run: a loop is run on a tiny model with real torch, and what its updates consumed is measured.

    text ──slice──► loops ──isolate──► machine in a world ──► records ──observables──► verdict ──linter──► what is said
                              one fork, one run

Importing this package needs no torch; its functions do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gradlint.model.settings import Settings


def confirm(before: str, after: str, path: str, settings: Settings | None = None) -> str:
    """Why the wet run does not confirm a repair, or nothing: before shows a mistake, after does not, nothing is new."""
    from gradlint.verify.compare import confirmed

    return confirmed(before, after, path, settings=settings)
