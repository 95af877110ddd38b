"""What a loop does while a method in it is only named.

The machine runs `model.eval` as it is meant, called, so that what else is wrong there is told at once. A repair that
calls it is compared with what happens until then: nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from gradlint.fix.layout import Refused, carry_out, layout_of
from gradlint.model.edits import Call

if TYPE_CHECKING:
    from gradlint.model.edits import Repair


def as_it_runs(text: str, repairs: Iterable[Repair], module: int) -> str:
    """The text without the names that some repairs call: what it does now; the same text where they call none.

    Args:
        text: a file's text.
        repairs: what is to be done.
        module: which module of the program the file is.
    """
    calls = [edit.what for repair in repairs for edit in repair.edits if isinstance(edit, Call)]
    spans = [span._replace(module=0) for span in calls if span.module == module]
    if not spans:
        return text
    layout = layout_of(text)
    try:
        return carry_out(text, [layout.over(layout.expression(span), "...") for span in spans])
    except Refused:
        return text
