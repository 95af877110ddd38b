"""Files of one project repaired in turn: each as the repairs of the others have left it.

a.py ──repairs──► a.py, engine.py ──► b.py, judged with both as they are now ──► ...   until nothing changes
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gradlint.check.surroundings import within
from gradlint.model.record import replace
from gradlint.project.roots import absolute

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from gradlint.fix.result import FixResult
    from gradlint.project.project import Project

    Fix = Callable[[str, str], FixResult]

MAX_PASSES = 3
"""How often all files are gone through while repairs in some make others possible."""


def fix_in_turn(files: Iterable[tuple[str, str]], project: Project, fix: Fix) -> tuple[tuple[FixResult, ...], Project]:
    """What becomes of files of a project, in their order; and the project with that.

    Args:
        files: their paths and texts.
        project: what they belong to.
        fix: repairs a text that is at a path, and says which other files change with it.
    """
    names = dict(files)
    texts = {absolute(path): text for path, text in names.items()}
    results: dict[str, FixResult] = {}
    for number in range(MAX_PASSES):
        before = dict(texts)
        for path in names:
            with within(project):
                result = fix(texts[absolute(path)], path)
            for name, text in ((path, result.text), *((one.path, one.text) for one in result.others)):
                if texts.get(absolute(name)) != text:
                    project = project.with_text(name, text)
                    texts[absolute(name)] = text
            results[path] = _both(results[path], result) if path in results else result
        if texts == before or (number == 0 and len(names) == 1 and not result.others):
            break
    return tuple(replace(result, text=texts[absolute(path)]) for path, result in results.items()), project


def _both(first: FixResult, second: FixResult) -> FixResult:
    """What became of a file in two goes."""
    others = {one.path: one for one in first.others}
    for one in second.others:
        others[one.path] = replace(one, before=others[one.path].before) if one.path in others else one
    applied = (*first.applied, *second.applied)
    return replace(second, before=first.before, applied=applied, others=tuple(others.values()))
