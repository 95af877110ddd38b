"""All loops of a text: each is judged here, and every run of it is a process of its own."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace
from functools import cache

from gradlint.libraries.packages import trained_with
from gradlint.syntax.source import SourceError, parse
from gradlint.verify.isolate import Limits, isolated, supported
from gradlint.verify.judge import Asked, judge
from gradlint.verify.reasons import Reason
from gradlint.verify.result import FileResult, Loop, Shown, Verdict, loop_from_plain, to_plain
from gradlint.verify.runs import Forked, here
from gradlint.verify.slice.link import place, told
from gradlint.verify.slice.regions import Region, Slice, slice_text

LONGEST = 2_000_000
Told = Callable[[str], None]


@cache
def warm() -> bool:
    """Load what every run needs, once, before the first fork. Nothing is computed here: that would start threads."""
    from gradlint.verify.trust import trusted

    with trusted():
        import torch

    torch.set_num_threads(1)
    torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=0.1)  # loads what is slow about the first optimizer
    import gradlint.verify.machine.machine
    import gradlint.verify.world.distributed  # noqa: F401

    return True


def warm_libraries(sliced: Slice) -> None:
    """Load the libraries that a file speaks of, where they are installed: slow, and needed by few loops."""
    from gradlint.verify.world.libraries import LIBRARIES, load

    for one in LIBRARIES:
        if one.used_in(sliced.index):
            load(one)


def verify_text(text: str, path: str, asked: Asked, tell: Told | None = None) -> FileResult:
    """The verdict on every loop of a text; `tell` is called with a loop's name when its run begins."""
    sliced, failed = sliced_text(text, path)
    if sliced is None:
        return failed
    if not sliced.regions:
        return FileResult(path, (), Reason.NO_LOOP.value)
    library = trained_with(sliced.index.imports.values())
    if library:
        return FileResult(path, (), Reason.FRAMEWORK.value, f"the file trains with {library}")
    if not supported():
        return FileResult(path, (), Reason.LIMIT.value, "this system cannot fork")
    loops = []
    for region in sliced.regions:
        if tell is not None:
            tell(region.name)
        loops.append(_judged(sliced, region, asked))
    return FileResult(path, tuple(loops))


def sliced_text(text: str, path: str) -> tuple[Slice | None, FileResult]:
    """The loops of a text, or why there are none to be had."""
    nothing = FileResult(path, (), Reason.DOES_NOT_PARSE.value)
    if len(text) > LONGEST:
        return None, replace(nothing, reason=Reason.LIMIT.value, detail="the file is too long")
    try:
        return slice_text(text, parse(text), path), nothing
    except SourceError as error:
        return None, replace(nothing, detail=error.message)
    except RecursionError:
        return None, replace(nothing, reason=Reason.LIMIT.value, detail="nested too deep")


def _judged(sliced: Slice, region: Region, asked: Asked) -> Loop:
    warm()
    if not asked.shims:
        warm_libraries(sliced)
    if asked.device == "cpu":
        loop = judge(sliced, region, asked, Forked(sliced, Limits(), asked.ranks))
        return placed(loop, sliced.files)
    return _judged_together(sliced, region, asked)


def _judged_together(sliced: Slice, region: Region, asked: Asked) -> Loop:
    """On a GPU all runs of a loop share one process: each new one would begin by waking the device for seconds."""

    def job(rank: int) -> object:
        return to_plain(judge(sliced, region, replace(asked, rank=rank), here(sliced)))

    outcome = isolated(job, Limits(processor=120, patience=600, memory=0), asked.ranks)
    if outcome.reason is None:
        return placed(loop_from_plain(outcome.value), sliced.files)
    return Loop(
        region.name,
        region.row,
        region.end_row,
        Verdict.INCONCLUSIVE,
        outcome.reason.value,
        outcome.detail,
        device=asked.device,
    )


def placed(loop: Loop, files: tuple[str, ...]) -> Loop:
    """A loop whose rows tell the file they are of."""
    if not files:
        return loop
    runs = tuple(
        replace(run, detail=told(run.detail, files), shown=tuple(_shown(one, files) for one in run.shown))
        for run in loop.runs
    )
    notes = (*(told(one, files) for one in loop.notes), f"helpers are followed into {', '.join(files)}")
    unseen = tuple(told(one, files) for one in loop.unseen)
    return replace(loop, runs=runs, detail=told(loop.detail, files), notes=notes, unseen=unseen)


def _shown(one: Shown, files: tuple[str, ...]) -> Shown:
    path, row = place(one.row, files)
    return replace(one, path=path, row=row, text=told(one.text, files))


def has_cuda() -> bool:
    """Whether there is a GPU. Asked in a child: a process that has touched one cannot be forked."""
    warm()

    def ask(rank: int) -> bool:
        import torch

        return bool(torch.cuda.is_available())

    outcome = isolated(ask, Limits(processor=60, memory=0))
    return outcome.value is True


def loops_of(sliced: Slice) -> dict[str, ast.AST]:
    """The syntax that each loop may walk, as one tree, for telling whether a repair touched it."""
    from gradlint.verify.judge import reachable

    return {
        region.name: ast.Module([node for node in reachable(sliced, region) if isinstance(node, ast.stmt)], [])
        for region in sliced.regions
    }
