"""Exploration: which functions to run, under which window, in which scenarios.

A region is a function nobody else runs, with everything it calls. It is run once with every open
guard on its default side, then once more for each guard that gates something, with that guard
flipped. A window learned on the way starts everything over.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import field
from typing import TypeAlias

from gradlint.interpret.entries import WORK, Entry, is_launched, is_trained, ordered, repeats
from gradlint.interpret.language import run
from gradlint.interpret.machine import Machine, machine_for
from gradlint.interpret.modules import bring, prepare
from gradlint.interpret.plan import LARGE_WINDOW, Accident, Fork, Options, Plan, Probe, Restart
from gradlint.interpret.state.budget import Infeasible, Truncated
from gradlint.interpret.state.contexts import Yielded
from gradlint.interpret.state.scenario import excludes
from gradlint.interpret.turns import is_looped, loops, run_in_turn
from gradlint.interpret.witness import NULL, Witness
from gradlint.model.effects import EVENTS, Gate
from gradlint.model.events import MAX_SCENARIOS, Backward, EventLog, Kind
from gradlint.model.finding import Span
from gradlint.model.program import Program, Works
from gradlint.model.record import dataclass, replace

MAX_RESTARTS = 24
MAX_SPENT = 400_000
"""Statements in all runs of a region; what is left then is not run, and all that was learned is in doubt."""
FRUITLESS = 6_000
"""Statements in a region of several files after which it is left where no scenario has come to a backward."""
MAX_SPENT_TOGETHER = 150_000
"""The same where several files take part: each is run by all that call it."""


@dataclass(slots=True, eq=False)
class Region:
    """One entry and the event log of every scenario it was run in.

    `looped` is false for a step function whose loop is elsewhere; `runs` are all that were run, by their decisions.
    `covered` are the functions that they ran, `launched` those that they ran as processes of their own, `modules` the
    numbers of the files that they took anything from. `longer` is the second look at it, once somebody has asked.
    """

    entry: Entry
    plan: Plan
    looped: bool
    scenarios: list[EventLog] = field(default_factory=list)
    covered: set[Span] = field(default_factory=set)
    modules: set[int] = field(default_factory=set)
    launched: set[Span] = field(default_factory=set)
    runs: dict[frozenset[tuple[str, bool]], Run] = field(default_factory=dict)
    longer: list[Region] = field(default_factory=list)


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """What came of one scenario: its event log, the guards that could have gone either way, what it ran and read."""

    log: EventLog
    feasible: bool
    forks: tuple[Fork, ...]
    covered: frozenset[Span]
    modules: frozenset[int]
    launched: frozenset[Span]


Runs: TypeAlias = Mapping[frozenset[tuple[str, bool]], Run]
"""Runs of one region under one plan, by their decisions."""

NOTHING_RUN: Runs = {}


def regions(
    program: Program,
    *,
    every_iteration: bool = False,
    covered: AbstractSet[Span] = frozenset(),
    shorter: Iterable[Region] = (),
    launched: AbstractSet[Span] = frozenset(),
) -> Iterator[Region]:
    """Every region of a program: the module body, then functions that nothing before has run or that only run it.

    A file that trains with another library has none.

    With `every_iteration`, iterations that have become alike are run nevertheless: where work is counted. Regions that
    were run without, and left none out, are those `shorter` ones. What others have `covered` is no region, unless they
    have `launched` it.
    """
    covered, started = set(covered) - launched, set[Span]()
    known = {(one.entry.function, one.entry.owner): _in_full(one) for one in shorter if not one.plan.shortened}
    if program.body.works is Works.NOT or program.main.library:
        return
    if program.body.gates & WORK:
        entry = Entry(program.body)
        region = known.get((entry.function, None)) or begun(program, entry, every_iteration=every_iteration)
        covered |= region.covered
        started |= region.launched
        yield region
    for entry in ordered(program):
        span = entry.function.span
        apart = span not in started and _starts_apart(program, entry)
        anew = span not in covered or apart or _fills_in(program, entry, covered)
        if anew and not repeats(program, entry, covered):
            same = known.get((entry.function, entry.owner))
            region = same or begun(program, entry, every_iteration=every_iteration)
            covered |= region.covered
            started |= region.launched
            yield region


def _in_full(region: Region) -> Region:
    """A region whose runs left nothing out, as it is with every iteration."""
    longer = [_in_full(one) for one in region.longer if not one.plan.shortened]
    plan = region.plan.again(replace(region.plan.options, every_iteration=True))
    return replace(region, plan=plan, longer=longer)


def _starts_apart(program: Program, entry: Entry) -> bool:
    return entry.outer is None and entry.owner is None and is_launched(program, entry.function.name)


def _fills_in(program: Program, entry: Entry, covered: AbstractSet[Span]) -> bool:
    """Whether a method of a base in another file was run for other classes only: nothing that this one fills in was."""
    if entry.owner is None or entry.function.span.module == program.main.number:
        return False
    own = [method.span for method in entry.owner.methods.values() if method.gates & (EVENTS | Gate.FORWARD)]
    return bool(own) and covered.isdisjoint(own)


def begun(program: Program, entry: Entry, *, every_iteration: bool) -> Region:
    """A region in all its scenarios, by the plan that it begins with: somebody may have told how large a window is."""
    plan = Plan(options=Options(every_iteration=every_iteration))
    if program.told.size:
        plan.window = plan.seen = program.told.size
    return explore(program, entry, plan)


def second_look(program: Program, region: Region) -> Region | None:
    """A loop that computes its tail, once more with a longer one: what is right for one batch may be wrong for four.

    So is one whose windows are shifted by a batch: only the longer one is left over.
    """
    plan = region.plan
    by_default = max(
        (plan.numbers.default_of(key) for key in plan.numbers.windows if plan.numbers.default_of(key) == plan.window),
        default=0,
    )
    longer = by_default != 2  # a tail of one is all that windows of two have
    if not (plan.marks.asks or plan.marks.shifted) or plan.whole or not longer:
        return None
    if not region.longer:
        region.longer.append(_look(program, region, by_default or LARGE_WINDOW, Options(long_tail=True)))
    return region.longer[0]


def _look(program: Program, region: Region, window: int, options: Options) -> Region:
    """A region once more under other sizes, in its first scenario only."""
    plan = Plan(window, replace(options, every_iteration=region.plan.options.every_iteration))
    return explore(program, region.entry, plan, scenarios=1)


def exceptions(program: Program, region: Region) -> Iterator[Region]:
    """A loop as it runs now and then, where its first scenario shows that something hangs on it.

    one       windows of one, which are the default, where `i % n == 1` is asked: it is never true then; or where an
              option allows no others
    accident  the rare ways out behind `unscale_`, or between a scaled backward and it, each taken at the first time
    """
    plan = region.plan
    by_default = any(plan.numbers.default_of(key) == 1 for key in plan.numbers.bindings)
    if plan.marks.forbidden or (plan.marks.phased and by_default):
        yield _look(program, region, 1, Options(Probe(window=1)))
    yield from _rare_ways(program, region)


MAX_WAYS_OUT = 4
"""Rare ways out that are taken in a region: the first that are met behind `unscale_`."""


def _rare_ways(program: Program, region: Region) -> Iterator[Region]:
    plan = region.plan
    for log in region.scenarios[:1]:
        ends = {site: passed[0] for site, passed in log.exits.items()}
        for site in [one for one in ends if _is_unscaled(log, ends[one]) or _is_scaled(log, ends[one])][:MAX_WAYS_OUT]:
            probe = replace(plan.options.probe, accident=Accident(site, 0))
            reads = plan.options.every_iteration or _is_scaled(log, ends[site])  # reads are told in such runs only
            again = plan.again(replace(plan.options, probe=probe, every_iteration=reads), frozen=True)
            yield rerun(program, region.entry, again, [log.decisions])


def _is_unscaled(log: EventLog, end: int) -> bool:
    """Whether gradients are unscaled before an event, and neither a step nor an update has come since."""
    kinds = (event.kind for event in reversed(log.events[:end]))
    about = (kind for kind in kinds if kind in (Kind.UNSCALE, Kind.STEP, Kind.UPDATE))
    return next(about, None) is Kind.UNSCALE


def _is_scaled(log: EventLog, end: int) -> bool:
    """Whether a scaled backward is the last before an event that has to do with the scale, and a scaler is updated."""
    about = (event for event in reversed(log.events[:end]) if event.kind in _OF_SCALES)
    last = next(about, None)
    scaled = last is not None and isinstance(last.detail, Backward) and last.detail.scaled_by is not None
    return scaled and any(event.kind is Kind.UPDATE for event in log.events)


_OF_SCALES = (Kind.BACKWARD, Kind.UNSCALE, Kind.STEP, Kind.UPDATE)


def explore(
    program: Program, entry: Entry, plan: Plan | None = None, scenarios: int = MAX_SCENARIOS, known: Runs = NOTHING_RUN
) -> Region:
    """Run a region in all its scenarios, or in the first few.

    Args:
        program: the file.
        entry: what to run.
        plan: the sizes and what is known of the region.
        scenarios: how many at most.
        known: what was run under this plan before, and is not run again.
    """
    plan = Plan() if plan is None else plan
    plan.numbers.defaults |= program.main.defaults
    plan.numbers.asserted = program.main.asserted
    for _ in range(MAX_RESTARTS):
        if plan.spent > _most(program):
            break
        try:
            return _pressed(program, entry, plan, scenarios, known)
        except Restart:
            known = NOTHING_RUN
    plan.frozen = True
    try:
        return _pressed(program, entry, plan, scenarios, known)
    except Restart:
        return Region(entry, plan, looped=False)


def _trains(log: EventLog) -> bool:
    return any(event.kind in (Kind.BACKWARD, Kind.STEP) for event in log.events)


def _most(program: Program) -> int:
    return MAX_SPENT_TOGETHER if program.link.several else MAX_SPENT


def _pressed(program: Program, entry: Entry, plan: Plan, scenarios: int, known: Runs) -> Region:
    """Run all scenarios, and once more past guards that raise where these let no network in sight learn.

    Who calls a function that raises goes on with what nobody knows: no backward goes through a network then.
    """
    region = _scenarios(program, entry, plan, scenarios, known)
    if plan.marks.forbidden and not _goes_back(region):
        plan.tries.bound = True
        region = _scenarios(program, entry, plan, scenarios, NOTHING_RUN)
    if not plan.tries.ended or plan.tries.presses or _learns(region):
        return region
    plan.tries.presses = True
    pressed = _scenarios(program, entry, plan, scenarios, NOTHING_RUN)
    if _learns(pressed) or not _goes_back(region):
        return pressed
    plan.tries.presses = False
    return region


def _goes_back(region: Region) -> bool:
    return any(event.kind is Kind.BACKWARD for one in region.scenarios for event in one.events)


def _learns(region: Region) -> bool:
    """Whether some backward goes through what a network in sight has computed."""
    details = (event.detail for one in region.scenarios for event in one.events if event.kind is Kind.BACKWARD)
    return any(isinstance(detail, Backward) and detail.forwards for detail in details)


def rerun(
    program: Program, entry: Entry, plan: Plan, scenarios: Sequence[Mapping[str, bool]], known: Runs = NOTHING_RUN
) -> Region:
    """Run a region in the scenarios of these decisions and no others; what they leave open goes its default way."""
    plan.numbers.defaults |= program.main.defaults
    plan.numbers.asserted = program.main.asserted
    for _ in range(MAX_RESTARTS):
        try:
            return _chosen(program, entry, plan, scenarios, known)
        except Restart:
            known = NOTHING_RUN
    plan.frozen = True
    return _chosen(program, entry, plan, scenarios, known)


def witnessed(program: Program, region: Region, log: EventLog, witness: Witness) -> EventLog:
    """One scenario of a region once more, every iteration of it, with a witness beside it.

    Nothing is learned any more: sizes are those of the region, and guards go as they went.
    """
    options = replace(region.plan.options, every_iteration=True)
    plan = region.plan.again(options, frozen=True)
    return _ran(program, region.entry, plan, log.decisions, witness).log


def _chosen(program: Program, entry: Entry, plan: Plan, scenarios: Sequence[Mapping[str, bool]], known: Runs) -> Region:
    region = Region(entry, plan, looped=loops(entry) or is_trained(program, entry))
    for decisions in scenarios:
        mark = frozenset(decisions.items())
        ran = region.runs[mark] = known.get(mark) or _ran(program, entry, plan, decisions)
        if ran.feasible:
            region.scenarios.append(ran.log)
        else:
            region.scenarios.append(EventLog(decisions=dict(decisions), faults=["this way contradicts itself"]))
    return region


def _ran(program: Program, entry: Entry, plan: Plan, decisions: Mapping[str, bool], witness: Witness = NULL) -> Run:
    machine = machine_for(program, plan, decisions, witness)
    try:
        feasible = _run(machine, entry)
    finally:
        plan.spent += machine.budget.statements
        for frame in machine.globals.values():
            frame.values.clear()  # functions that hold the frame that holds them
    return Run(
        machine.log,
        feasible,
        tuple(machine.scenario.forks),
        frozenset(machine.stack.covered),
        frozenset(machine.globals),
        frozenset(machine.ranks.launched),
    )


def _scenarios(program: Program, entry: Entry, plan: Plan, scenarios: int, known: Runs) -> Region:
    region = Region(entry, plan, looped=is_looped(program, entry))
    queue: list[dict[str, bool]] = [{}]
    seen: set[frozenset[tuple[str, bool]]] = set()
    runs = 0
    while queue and runs < scenarios:
        decisions = queue.pop(0)
        mark = frozenset(decisions.items())
        if mark in seen:
            continue
        seen.add(mark)
        runs += 1
        ran = region.runs[mark] = known.get(mark) or _ran(program, entry, plan, decisions)
        region.covered |= ran.covered
        region.modules |= ran.modules
        region.launched |= ran.launched
        repeated = ran.feasible and any(_same(ran.log, other) for other in region.scenarios)
        if ran.feasible:
            region.scenarios.append(ran.log)
        forks = [] if repeated else _forks(ran, plan)
        queue += [_flipped(decisions, fork) for fork in forks]
        if program.link.several and plan.spent > FRUITLESS and not any(map(_trains, region.scenarios)):
            break
        if plan.spent > _most(program):
            _doubt(region)
            break
    region.scenarios = [log for log in region.scenarios if not log.raised] or region.scenarios
    return region


def _flipped(decisions: Mapping[str, bool], fork: Fork) -> dict[str, bool]:
    """What to decide for an atom to go the other way; where it is true, what cannot be beside it is not."""
    kept = {key: on and (fork.went or not excludes(key, fork.key)) for key, on in decisions.items()}
    return {**kept, fork.key: not fork.went}


def _forks(ran: Run, plan: Plan) -> list[Fork]:
    """What is worth flipping after a scenario, the weightiest first; after one that contradicts itself, anything."""
    ordered = sorted(ran.forks, key=lambda fork: -fork.priority)
    urgent = [fork for fork in ordered if fork.priority > 0]
    return ordered if plan.options.curious or not (ran.feasible or urgent) else urgent


def _same(one: EventLog, other: EventLog) -> bool:
    """Whether the same happened in two scenarios."""
    return one.truncated == other.truncated and one.events == other.events


def _doubt(region: Region) -> None:
    """Scenarios that were never run might have said something else."""
    for log in region.scenarios:
        log.truncated = True


def _run(machine: Machine, entry: Entry) -> bool:
    """Run one scenario; false when it contradicts itself."""
    try:
        if entry.function.name == "<module>":
            bring(machine, machine.program.main)
            run(machine, entry.function.body)
        else:
            prepare(machine, machine.program.main)
            run_in_turn(machine, entry)
    except Truncated:
        return True
    except (Infeasible, Yielded):
        return False
    return True
