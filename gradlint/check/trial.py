"""Trials: one region of a text, run once more under another probe, in scenarios that are given.

base      windows of 3, a tail of 1           as `check` runs it
one       windows of 1                        where the window has a name
whole     no tail                             a loader that is a multiple of the window, where something counts to one
long      windows of 5, a tail of 4           the same
accident  `if not isfinite(norm): continue`   once, in the second iteration; once, in the last of a window
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from gradlint.check.cases import cases
from gradlint.check.effort import note
from gradlint.check.judge import Judged, Judging, deep
from gradlint.check.looked import remembered
from gradlint.check.surroundings import Ground, ground
from gradlint.interpret.entries import entry_named
from gradlint.interpret.explore import NOTHING_RUN, Runs, explore, rerun
from gradlint.interpret.plan import LARGE_WINDOW, PLAIN, Accident, Options, Plan, Probe
from gradlint.model.events import EventLog, Kind
from gradlint.model.once import cached_property
from gradlint.model.record import dataclass, replace

if TYPE_CHECKING:
    from gradlint.account.case import Case
    from gradlint.interpret.explore import Region
    from gradlint.model.program import Program

MAX_WAYS_OUT = 4
"""Rare ways out that are taken in a region: the first that are met, those in a window before all others."""

MAX_SCENARIOS = 4
"""Scenarios in which the further probes are run."""

Scenario = tuple[tuple[str, bool], ...]


@dataclass(frozen=True, eq=False)
class Trial:
    """What happens in a region under one probe, scenario by scenario, and what the rules say of it.

    `exits` are the rare ways out that were passed by, and how often each; `window` is the size that was run,
    `named` says that the source leaves it open, `counted` that there is anything in the source that it is the size of.
    """

    cases: tuple[Case, ...]
    program: Program
    region: Region
    exits: tuple[tuple[str, int], ...]
    window: int
    named: bool
    counted: bool

    @property
    def spent(self) -> int:
        """The statements that it took."""
        return self.region.plan.spent

    @cached_property
    def judged(self) -> tuple[Judged, ...]:
        """What the rules say; they are asked when somebody wants to know."""
        judging = Judging(self.program, lambda rule: rule.default)
        with deep():
            for case in self.cases:
                judging.hear(case, 0)
            return judging.findings(judging.said())


@dataclass(frozen=True, slots=True)
class Task:
    """What is to be tried: a region by its name, under a probe, in some scenarios, or in all there are.

    Where something goes wrong on the way, all is known that a trial `before` has learned of the region, in which
    nothing does; scenarios that do not come there are as they were in it.
    """

    region: str
    probe: Probe = PLAIN
    scenarios: tuple[Scenario, ...] | None = None
    before: Task | None = None


def attempt(text: str, path: str, task: Task) -> Trial | None:
    """Try a region of a text; `None` where the text has no such region."""
    trial = remembered_trial(text, path, task, ground())
    if trial is not None:
        note((text, path, task, ground().changed), trial.spent)
    return trial


@lru_cache(maxsize=64)
def remembered_trial(text: str, path: str, task: Task, ground: Ground) -> Trial | None:
    """`attempt`, of which nobody takes note."""
    seen = remembered(text, path, ground)
    assert seen.program is not None
    with deep():
        ran = next((one for one in seen.ran if one.name(seen.program) == task.region), None)
        program = seen.program if ran is None else ran.program
        entry = entry_named(program, task.region) if ran is None else ran.region.entry
        if entry is None:
            return None
        usual = remembered_trial(text, path, task.before, ground) if task.before is not None else None
        plan, runs = _plan(task.probe), NOTHING_RUN
        if usual is not None and task.probe.accident is not None:
            plan, runs = usual.region.plan.again(plan.options, spent=0), _passing_by(usual.region, task.probe.accident)
        elif ran is not None and task.probe == PLAIN:
            plan = ran.region.plan.again(replace(ran.region.plan.options, curious=True), spent=0)
            runs = ran.region.runs
        elif ran is not None and (longer := _looked_at(ran.region, plan)) is not None:
            plan, runs = longer.plan.again(plan.options), longer.runs
        if task.scenarios is None:
            region = explore(program, entry, plan, known=runs)
        else:
            scenarios = [dict(scenario) for scenario in task.scenarios]
            region = rerun(program, entry, plan, scenarios, _by_all_decisions(runs))
        return _trial(program, region)


def _looked_at(region: Region, plan: Plan) -> Region | None:
    """The second look at a region, where it was under this plan; nothing that was tried of it goes on from there."""
    for one in region.longer if plan.options.long_tail else ():
        tries = one.plan.tries
        if one.plan.window == plan.window and not (one.plan.frozen or tries.presses or tries.bound):
            return one
    return None


def _passing_by(region: Region, accident: Accident) -> Runs:
    """The runs of a region that never come to where an accident happens."""
    site, number = accident.site, accident.iteration
    return {mark: run for mark, run in region.runs.items() if len(run.log.exits.get(site, ())) <= number}


def _by_all_decisions(runs: Runs) -> Runs:
    """Runs by all that was decided in them, not only by what they were told to decide."""
    return {frozenset(run.log.decisions.items()): run for run in runs.values()}


def _plan(probe: Probe) -> Plan:
    long = probe.rest < 0
    return Plan(probe.window, Options(PLAIN if long else probe, long, every_iteration=True, curious=True))


def _trial(program: Program, region: Region) -> Trial:
    found = tuple(cases(region, program))
    exits: dict[str, int] = {}
    for log in region.scenarios:
        for site, passed in sorted(log.exits.items(), key=lambda one: not _in_a_window(log, one[1][0])):
            exits[site] = max(len(passed), exits.get(site, 0))
    plan = region.plan
    named = bool(plan.numbers.windows) and plan.window == plan.usual
    return Trial(found, program, region, tuple(exits.items()), plan.window, named, counted=plan.knows_windows)


def _in_a_window(log: EventLog, end: int) -> bool:
    """Whether gradients wait for a step where an event comes next."""
    kinds = (event.kind for event in reversed(log.events[:end]))
    return next((kind for kind in kinds if kind in (Kind.BACKWARD, Kind.STEP)), None) is Kind.BACKWARD


def scenarios_of(found: Sequence[Case]) -> tuple[Scenario, ...]:
    """The answers of each scenario."""
    return tuple(case.scenario.decisions for case in found)


def further(base: Trial) -> Iterator[tuple[Probe, str]]:
    """The probes beside the first that a repair has to hold under, each with words for it."""
    if base.named:
        yield Probe(window=1), "with windows of one micro-batch"
    if base.window > 1 and base.counted:
        yield Probe(rest=0), "where the loader is a multiple of the window"
        yield Probe(window=LARGE_WINDOW, rest=-1), "where the tail is longer than one micro-batch"
    for site, times in base.exits[:MAX_WAYS_OUT]:
        guard = site.rpartition("@")[0]
        last = max(0, times - 2)  # something has to come behind it
        for iteration in sorted({min(1, last), min(base.window - 1, last)}):
            yield Probe(accident=Accident(site, iteration)), f"when `{guard[:60]}` leaves the usual way"
