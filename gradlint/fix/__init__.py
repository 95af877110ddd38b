"""Repairs carried out on source: edits in, text out.

    rule ──Repair──► realise ──cuts on whole statements──► text

A rule names the edits of `gradlint.model.edits`; this package knows how source is laid out. Whether the
result keeps the repair's promise is judged one layer up, in `gradlint.check.repair`.
"""

from gradlint.fix.result import FixResult, Withdrawn

__all__ = ["FixResult", "Withdrawn"]
