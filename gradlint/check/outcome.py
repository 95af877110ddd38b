"""What came of one file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gradlint.model.record import dataclass

if TYPE_CHECKING:
    from gradlint.model.finding import Report


@dataclass(frozen=True, slots=True)
class Outcome:
    """The report of a file, and what it has to do with others, which are told by their whole paths.

    Attributes:
        report: What was found in the file.
        beside: The other files that run with it.
        told: Those among them in which something is said that may have to do with this one.
        digest: Of what was read.
    """

    report: Report
    beside: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
    digest: str = ""
