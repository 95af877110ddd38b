"""Where the runs of a loop happen: each in a fork of the warm process, or all in this one.

    judge ──region, plan──► Forked ──► isolated child: run ──record as JSON──► judge

The judge reads records and never executes anything of a loop, so it stays in the warm process. What one run leaves
behind (a process group, a seeded generator, a library's singletons) is gone before the next one begins.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from gradlint.verify.isolate import Limits, isolated
from gradlint.verify.reasons import Reason
from gradlint.verify.record import Record
from gradlint.verify.run import run
from gradlint.verify.slice.regions import Region, Slice
from gradlint.verify.world.plan import Plan

Runner = Callable[[Region, Plan], Record]
"""One run of a region; a run that could not be finished is a record with a reason."""


class Forked:
    """Every run in a child of its own, once for each rank; all runs of one loop share one allowance of CPU time.

    They share the patience with the clock, too: ranks that wait for each other would do so in every run.
    """

    def __init__(self, sliced: Slice, limits: Limits, ranks: int = 1) -> None:
        self._sliced = sliced
        self._limits = limits
        self._ranks = ranks
        self._left = limits.processor
        self._until: float | None = None

    def __call__(self, region: Region, plan: Plan) -> Record:
        """Fork, run, and read back what was recorded."""
        if self._left <= 0:
            return self._late(plan)

        def job(rank: int) -> dict[str, Any]:
            return run(self._sliced, region, replace(plan, rank=rank)).plain()

        now = time.monotonic()
        self._until = now + self._limits.patience if self._until is None else self._until
        limits = replace(self._limits, processor=self._left, patience=max(1.0, self._until - now))
        outcome = isolated(job, limits, self._ranks)
        self._left -= outcome.spent
        if outcome.reason is Reason.ENDLESS:
            return self._late(plan)
        if outcome.reason is not None:
            return Record(plan.regime, reason=outcome.reason.value, detail=outcome.detail)
        return Record.from_plain(outcome.value)

    def _late(self, plan: Plan) -> Record:
        detail = f"stopped after {self._limits.processor:g} seconds of CPU time"
        return Record(plan.regime, reason=Reason.ENDLESS.value, detail=detail)


def here(sliced: Slice) -> Runner:
    """Every run in this process."""
    return lambda region, plan: run(sliced, region, plan)
