"""A repair on trial: the loop as it was beside the loop as it is now.

| before | after | the repair is |
|---|---|---|
| shows a mistake | does not show it, shows nothing new | confirmed |
| shows nothing | | not confirmed: nothing that can be measured was wrong |
| | shows something new, or cannot be judged | not confirmed |
| | the linter is sure of a mistake that it did not see before | not confirmed |
| | has lost a micro-batch, an update, a clip, or moves a scheduler otherwise | not confirmed |
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from gradlint.verify.books import lost
from gradlint.verify.files import loops_of, sliced_text, verify_text
from gradlint.verify.judge import Asked
from gradlint.verify.linter import compared
from gradlint.verify.reasons import Reason
from gradlint.verify.record import INF
from gradlint.verify.result import FileResult, Judged, Loop, Trial, Verdict

if TYPE_CHECKING:
    from gradlint.model.settings import Settings

WINDOWS = ("accumulation-off-by-one", "zero-grad-in-accumulation", "missing-zero-grad")
COUNTED = frozenset(one.value for one in (Reason.WINDOW, Reason.UNSPENT, Reason.UNEXPLAINED))
"""Reasons of a run that was measured from end to end: what it did is known, though it is no confirmation."""
HIDDEN = frozenset(("dropped-accumulation-tail",))
"""Where the windows are wrong, nobody can see whether the rest of an epoch is lost: that it is, is no news."""


def confirmed(before: str, after: str, path: str, asked: Asked | None = None, settings: Settings | None = None) -> str:
    """Why a repair of a whole text is not confirmed, or nothing."""
    asked = asked or Asked()
    names = touched(before, after, path)
    old, new = verify_text(before, path, asked), verify_text(after, path, asked)
    old, new = both_compared((old, before), (new, after), settings)
    if new.reason:
        return said(new.reason, new.detail)
    if not names:
        return "nothing that runs was changed"
    loops = {loop.name: loop for loop in old.loops}, {loop.name: loop for loop in new.loops}
    reasons = ((name, judged(loops[0].get(name), loops[1].get(name))) for name in sorted(names))
    return next((f"{name}: {reason}" for name, reason in reasons if reason), "")


def both_compared(
    old: tuple[FileResult, str], new: tuple[FileResult, str], settings: Settings | None = None
) -> tuple[FileResult, FileResult]:
    """The verdicts on a text and on its repaired form, held against what the linter is sure of."""
    after = compared(*new, settings)
    doubted = any(loop.errors for loop in after.loops)
    return compared(*old, settings, always=doubted), after


def nothing(result: FileResult) -> Trial:
    """A text that has no loop to run, told as one."""
    loop = Loop("<module>", 1, 1, Verdict.INCONCLUSIVE, result.reason, result.detail)
    return Trial(result.path, loop)


def trials(before: FileResult, after: FileResult | None, names: frozenset[str]) -> tuple[Trial, ...]:
    """Every loop with its repaired form, where the repair touched it."""
    new = {loop.name: loop for loop in after.loops} if after is not None else {}
    found = []
    for loop in before.loops:
        if after is None or loop.name not in names:
            found.append(Trial(before.path, loop))
        else:
            found.append(Trial(before.path, loop, new.get(loop.name), judged(loop, new.get(loop.name))))
    return tuple(found)


def touched(before: str, after: str, path: str) -> frozenset[str]:
    """The loops whose statements differ."""
    old, new = sliced_text(before, path)[0], sliced_text(after, path)[0]
    trees = [{} if one is None else {k: ast.dump(v) for k, v in loops_of(one).items()} for one in (old, new)]
    return frozenset(name for name in {*trees[0], *trees[1]} if trees[0].get(name) != trees[1].get(name))


def judged(old: Loop | None, new: Loop | None) -> str:
    """Why the repair of one loop is not confirmed, or nothing."""
    if old is None or new is None:
        return "the loop is not there before and after the repair"
    for loop, when in ((old, "before"), (new, "after")):
        if loop.verdict is Verdict.INCONCLUSIVE and not (loop is new and _known(old, new)):
            lost_work = broken(old, new) if loop is new and loop.reason in COUNTED else ""
            return lost_work or f"inconclusive {when} the repair: {said(loop.reason, loop.detail)}"
    if not old.rules:
        return "the loop shows no mistake as it is"
    hidden = HIDDEN if old.rules & set(WINDOWS) else frozenset()
    more = sorted(new.rules - old.rules - hidden)
    if more:
        return f"the repaired loop shows {more[0]}"
    if not old.rules - new.rules:
        return f"the repaired loop still shows {min(new.rules)}"
    if old.window is not None and new.window is not None and old.window != new.window:
        return f"the windows differ: {old.window} and {new.window}"
    return broken(old, new)


def _known(old: Loop, new: Loop) -> bool:
    """Whether all that is held against the repaired loop is what the linter said of the loop as it was, too."""
    mine = {one.rule for one in new.errors}
    return new.reason == Reason.LINTER.value and mine <= {one.rule for one in old.errors}


def broken(old: Loop, new: Loop) -> str:
    """What the loop did and no longer does: the first regime tells. Infinite losses are for what rules show."""
    now = {run.key: run for run in new.runs}
    for run in old.runs:
        other = now.get(run.key)
        if other is None or run.regime == INF or not (_counts(run) and _counts(other)):
            continue
        text = lost(run.books, other.books, old.rules - new.rules, run.regime)
        if text:
            return f"the repair changes more than the mistake: {text}"
    return ""


def _counts(run: Judged) -> bool:
    """Whether what a run counted can be held against another one's."""
    return run.verdict is not Verdict.INCONCLUSIVE or run.reason in COUNTED


def said(reason: str, detail: str) -> str:
    """A reason with its detail."""
    return f"{reason} ({detail})" if detail else reason
