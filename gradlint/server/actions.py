"""What the editor offers to do: each finding's repair, and all safe ones at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from lsprotocol.types import CodeAction, CodeActionKind, Diagnostic, Range

from gradlint.model.finding import Safety
from gradlint.server.diagnostics import SOURCE, of_finding
from gradlint.server.edits import between, workspace_edit

if TYPE_CHECKING:
    from lsprotocol.types import CodeActionContext, Position

    from gradlint.fix.result import FixResult
    from gradlint.model.finding import Finding, Fix, Report
    from gradlint.server.client import Client
    from gradlint.server.others import Others
    from gradlint.server.units import Unit

FIX_ALL = f"{CodeActionKind.SourceFixAll.value}.{SOURCE}"


def wanted(kind: str, only: Sequence[CodeActionKind | str] | None) -> bool:
    """Whether the editor asks for actions of a kind; it may name a wider one."""
    if only is None:
        return True
    names = [one.value if isinstance(one, CodeActionKind) else one for one in only]
    return any(name in ("", kind) or kind.startswith(f"{name}.") for name in names)


def quick_fixes(
    unit: Unit, report: Report, uri: str, where: Range, context: CodeActionContext, client: Client, others: Others
) -> Iterator[CodeAction]:
    """The repairs of the findings in a range; a safe one is preferred.

    Args:
        unit: the program as it is now.
        report: what was found in it.
        uri: the text in which the range is.
        where: the cursor or the selection.
        context: what the editor shows there and which kinds it asks for.
        client: what the editor understands.
        others: where other files' places are.
    """
    if not wanted(CodeActionKind.QuickFix.value, context.only):
        return
    for finding in report.findings:
        at = unit.location(finding.span)
        if finding.fix is None or at.uri != uri or not _overlap(at.range, where):
            continue
        edit = workspace_edit(unit, finding.fix.edits, client)
        if edit is not None:
            shown = _shown(finding, at.range, context.diagnostics) or of_finding(unit, finding, client, others)
            yield CodeAction(
                title=_title(finding, finding.fix),
                kind=CodeActionKind.QuickFix,
                diagnostics=[shown],
                is_preferred=finding.fix.safety is Safety.SAFE,
                edit=edit,
            )


def fixable(report: Report) -> bool:
    """Whether fix-all has something to do."""
    return any(one.fix is not None and one.fix.safety is Safety.SAFE for one in report.findings)


def fix_all(unit: Unit) -> CodeAction:
    """The action that applies all safe repairs, without its edit."""
    return CodeAction(title="gradlint: apply all safe repairs", kind=FIX_ALL, data={"uri": unit.uri})


def fixed(action: CodeAction, unit: Unit, result: FixResult, client: Client) -> CodeAction:
    """The same action with its edit."""
    action.edit = workspace_edit(unit, between(unit.text, result.text), client)
    return action


def _title(finding: Finding, fix: Fix) -> str:
    note = "" if fix.safety is Safety.SAFE else f", {fix.safety.value}"
    return f"{fix.title} ({finding.rule}{note})"


def _shown(finding: Finding, where: Range, shown: Sequence[Diagnostic]) -> Diagnostic | None:
    """The diagnostic in which the editor shows a finding."""
    return next((one for one in shown if one.code == finding.rule and one.range == where), None)


def _overlap(one: Range, other: Range) -> bool:
    """Whether two ranges share a place; a range's end counts, as a cursor can stand there."""

    def key(position: Position) -> tuple[int, int]:
        return position.line, position.character

    return key(one.start) <= key(other.end) and key(other.start) <= key(one.end)
