"""What lies between the old place and the new one of what a repair moves, or in front of what it adds.

limit = median(norms(params))       the scale is still in these
scaler.unscale_(opt)
clip(params, limit)                 the limit comes from them
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from gradlint.fix.hanging import asks_for_scale, divides_by_scale, hangs_on
from gradlint.fix.layout import Layout, Refused, layout_of
from gradlint.fix.worked_with import worked_with
from gradlint.model.edits import Delete, Insert, Measure, Move
from gradlint.model.events import Clipping, Event, Kind
from gradlint.syntax.nodes import walk

if TYPE_CHECKING:
    from gradlint.account.case import Case
    from gradlint.model.books import Clip, Update
    from gradlint.model.edits import Repair
    from gradlint.model.finding import Span


def works_with_rate(text: str, repair: Repair, module: int) -> Iterator[str]:
    """The doubt about a schedule that moves past what works with its rate: the inner steps of an adaptation."""
    for edit in repair.edits:
        code = worked_with(text, edit) if isinstance(edit, Move) and edit.to.module == module else ""
        if code:
            yield f"`{code[:60]}` works with its rate, and would with another one"


# ------------------------------------------------------------------------------------ clips


def stepped_unseen(text: str, repair: Repair, cases: Sequence[Case], module: int) -> Iterator[str]:
    """The doubt about a clip that moves past a `step()` of nobody knows what: it may use what is clipped."""
    ways = [sorted((old.row, new.row)) for old, new in _ways(repair) if new.module == module]
    layout = layout_of(text)
    for node in layout.statements() if ways else ():
        if any(first < node.lineno < last for first, last in ways) and _is_step(node):
            here = layout.span(node)._replace(module=module)
            if not any(here in (event.span, *event.calls) for case in cases for event in case.events):
                yield f"nobody sees what `{layout.code(node)}` steps: it may use what is clipped in front of it"


def _is_step(node: ast.stmt) -> bool:
    """`something.step()`."""
    call = node.value if isinstance(node, ast.Expr) else None
    if not isinstance(call, ast.Call) or call.args or call.keywords:
        return False
    return isinstance(call.func, ast.Attribute) and call.func.attr == "step"


def _ways(repair: Repair) -> Iterator[tuple[Span, Span]]:
    """The old and the new place of each statement that is moved, or does its work there."""
    gone = [edit.what for edit in repair.edits if isinstance(edit, Delete)]
    for edit in repair.edits:
        if isinstance(edit, Move):
            yield from ((span, edit.to) for span in edit.what if span.module == edit.to.module)
        elif isinstance(edit, Insert):
            yield from ((span, edit.to) for span in gone if span.module == edit.to.module)
        elif isinstance(edit, Measure):
            yield from ((edit.what, span) for span in edit.to if span.module == edit.what.module)


def limited_by_scaled(text: str, case: Case, module: int) -> Iterator[str]:
    """The doubt about a clip that hangs on gradients which were read while the scale was in them."""
    layout = layout_of(text)
    for update in case.updates:
        for clip in update.clips:
            looked = _looked_at_scaled(case, update, clip)
            rows = {span.row for event in looked for span in _places(event) if span.module == module}
            for node in _all_hung_on(layout, clip, module) if looked else ():
                if _reads(node, rows) and not (asks_for_scale(layout, node) and divides_by_scale(layout, node)):
                    yield f"line {node.lineno} looks at gradients that are scaled, and the clip hangs on it"
                    return


def meant_for_scaled(tree: ast.Module) -> Iterator[str]:
    """The limits that a guard compares something with, and that are made of the scale: `LIMIT = 10 * SCALE`."""
    orders = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
    for node in (one for one in walk(tree) if isinstance(one, ast.If)):
        asked = [one for one in walk(node.test) if isinstance(one, ast.Compare) and isinstance(one.ops[0], orders)]
        names = {part.id for one in asked for part in walk(one) if isinstance(part, ast.Name)}
        for made in (one for one in walk(tree) if isinstance(one, ast.Assign)):
            of_scale = not isinstance(made.value, ast.Call) and _SCALE.search(ast.unparse(made.value)) is not None
            yield from (name for name in sorted(names & set(map(ast.unparse, made.targets))) if of_scale)


_SCALE = re.compile(r"(?i)scale")


def _reads(node: ast.stmt, rows: set[int]) -> bool:
    """Whether a simple statement, or what a compound one asks or goes over, stands on some rows, or names gradients."""
    own = node.test if isinstance(node, ast.If) else node.iter if isinstance(node, (ast.For, ast.AsyncFor)) else node
    named = any(isinstance(part, ast.Attribute) and part.attr == "grad" for part in ast.walk(own))
    return named or not rows.isdisjoint(range(own.lineno, (own.end_lineno or own.lineno) + 1))


def _places(event: Event) -> tuple[Span, ...]:
    """The calls that lead to where gradients are looked at; of a reading it is not known where in the last one."""
    return event.calls if event.kind is Kind.READ else (event.span, *event.calls)


def _looked_at_scaled(case: Case, update: Update, clip: Clip) -> list[Event]:
    """What looks at gradients behind the last scaled backward of a clip, before they are unscaled."""
    scaled = [item.order for item in clip.live if item.detail.scaled_by is not None]
    if not scaled or clip.detail.infinite:
        return []
    first = min((one.number for one in update.unscales if one.number > max(scaled)), default=clip.event.number)
    between = range(max(scaled) + 1, min(first, clip.event.number))
    return [event for event in case.of(Kind.READ, Kind.CLIP) if event.number in between and _looks(event)]


def _looks(event: Event) -> bool:
    """Whether gradients are only looked at: read, or measured by a clip without a limit."""
    return event.kind is Kind.READ or (isinstance(event.detail, Clipping) and event.detail.infinite)


def _all_hung_on(layout: Layout, clip: Clip, module: int) -> Iterator[ast.stmt]:
    """What a clip, and the calls that lead to it, hang on."""
    for span in (clip.event.span, *clip.event.calls):
        if span.module == module:
            try:
                yield from hangs_on(layout, layout.statement(span))
            except Refused:
                continue
