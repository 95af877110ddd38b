"""From runs to a verdict: which runs a loop needs, and what they show together.

probe ──► window, limits, switches ──► lo twice (identity) ──► hi, inf, tail ──► each switch flipped
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from gradlint.verify.books import books
from gradlint.verify.coverage import Missed, Seen, collectives, hooked, missed, passing, reduced
from gradlint.verify.earned import muddled, unclear
from gradlint.verify.measures import CLOSE
from gradlint.verify.observables import GUESS, every_sign, signs
from gradlint.verify.reasons import InconclusiveError, Reason
from gradlint.verify.record import HI, INF, LO, TAIL, UNEVEN, Clip, Record
from gradlint.verify.result import Binding, Figures, Judged, Loop, Shown, Verdict
from gradlint.verify.runs import Runner
from gradlint.verify.slice.check import check
from gradlint.verify.slice.regions import MODULE, Graph, Region, Slice, is_main_guard, script
from gradlint.verify.unseen import unseen
from gradlint.verify.windows import fold
from gradlint.verify.world.plan import Plan

MOST_FLIPS = 4
MOST_WAYS = 8
MOST_LATER = 3
"""Runs of what a loop does later, when its counters have passed what they are held against."""
MOST_DETOURS = 10
"""Runs that only look behind guards that no other run has passed."""
COMPARED = re.compile(r" (Lt|LtE|Gt|GtE|In|Is|Add|Sub|Mult|FloorDiv|Mod) ")
"""A guard that compares what nobody knows is no switch: the other way need not be a configuration."""
COUNTS = re.compile(r" (Eq|Lt|LtE|Gt|GtE|Mod) ")
"""A guard that holds one number against another, as those do that end a window."""
QUIET = ("a shim of DeepSpeed", "a shim of Opacus", "a shim of Lightning")
"""Shims of libraries that decide so much themselves that they may confirm and never accuse."""
PASSED = frozenset((Reason.BRANCH.value, Reason.NO_UPDATE.value))
"""Nothing is trained behind a guard that skips; it was looked behind all the same."""
COUNTED = frozenset(
    """zero-grad-in-accumulation accumulation-off-by-one dropped-accumulation-tail unscaled-accumulation-loss
    accumulation-divisor-mismatch""".split()
)
"""What is told by how many micro-batches an update has: where a guard on data says when, nobody knows."""
ACTIVE = 50.0
TOLERANCE = {"": 1e-6, "fp32": 1e-3, "fp16": 3e-2, "bf16": 1e-1}
MILD = {Reason.CONTRADICTION.value, Reason.BRANCH.value, Reason.NO_UPDATE.value, Reason.SURROGATE.value}


@dataclass(frozen=True)
class Asked:
    """What the user asked for."""

    device: str = "cpu"
    precision: str = ""
    ranks: int = 1
    rank: int = 0
    flips: int = MOST_FLIPS
    shims: bool = False


class Judge:
    """Has one region run as often as needed. Nothing of the loop is executed here: `runner` does that."""

    def __init__(self, sliced: Slice, region: Region, asked: Asked, runner: Runner) -> None:
        self.runner = runner
        self.sliced = sliced
        self.region = self.entry = region
        self.asked = asked
        self.plan = Plan(
            device=asked.device, dtype=asked.precision, rank=asked.rank, ranks=asked.ranks, shims=asked.shims
        )
        self.probe = Record()
        self.rate = 1.0
        self.runs: list[Judged] = []
        self.seen = Seen()
        self.detour = ""
        self.forced: set[int] = set()
        self.turned = ""
        self.clips: list[Clip] = []

    def judge(self) -> Loop:
        """The verdict on the loop."""
        try:
            check(reachable(self.sliced, self.region), self.sliced.index)
        except InconclusiveError as error:
            return self._inconclusive(error.reason.value, error.detail)
        except RecursionError:
            return self._inconclusive(Reason.LIMIT.value, "nested too deep")
        self._probe()
        if self.probe.reason:
            return self._inconclusive(self.probe.reason, self.probe.detail)
        lo, hi = self._regimes({})
        again = self._run(LO, {})
        if not lo.same(again):
            return self._inconclusive(Reason.NOT_SEPARABLE.value, "two runs under one seed are not equal")
        asked = [(key, answer) for key, answer in lo.asked.items() if key not in self.plan.answers]
        switches = [(key, answer) for key, answer in asked if not COMPARED.search(key)]
        flipped = switches[: self.asked.flips]
        for key, answer in flipped:
            self._regimes({key: not answer})
        if not any(one.verdict is Verdict.DIFFERS for one in self.runs):
            rest = dict([*asked, *lo.asked_of_data.items()])
            self._detours([(key, answer) for key, answer in rest.items() if (key, answer) not in flipped])
        return self._verdict(lo, hi)

    # ------------------------------------------------------------------ runs

    def _probe(self) -> None:
        """The first run tells the window and the limits; where the entry leads nowhere, one further in is tried."""
        self.probe = self.runner(self.region, self.plan)
        for name in self.region.inner if self.probe.reason else ():
            inner = replace(self.region, name=name, inner=())
            other = self.runner(inner, self.plan)
            if not other.reason:
                other.notes.append(f"run from {name}")
                self.region, self.probe = inner, other
                break
        if self.probe.reason == Reason.NO_UPDATE.value and self.probe.window:
            self._longer()
        if self.probe.reason in (Reason.BRANCH.value, Reason.NO_UPDATE.value):
            self._otherwise()
        if self.probe.reason == Reason.SURROGATE.value or not any(one.norm for one in self.probe.updates):
            self._pool()
        self.plan = replace(self.plan, window=self.probe.window)
        self.clips = self.probe.clips

    def _longer(self) -> None:
        """The source names a window that the probe's few batches do not fill: it is run again with enough of them."""
        plan = replace(self.plan, window=self.probe.window)
        other = self.runner(self.region, plan)
        if not other.reason:
            self.plan, self.probe = plan, other

    def _otherwise(self) -> None:
        """No backward or step on the way taken: one guard of that way is answered differently."""
        every = [*self.probe.asked_of_data.items(), *list(self.probe.asked.items())[::-1]]
        for key, answer in every[:MOST_WAYS]:
            plan = replace(self.plan, answers={key: not answer})
            other = self.runner(self.region, plan)
            if not other.reason:
                other.notes.append(f"{key} is taken to be {not answer}: else nothing is trained")
                counts = key in self.probe.asked_of_data and COUNTS.search(key)
                self.turned = key if counts else ""
                self.plan, self.probe = plan, other
                return

    def _pool(self) -> None:
        """No gradient reaches the optimizer: its parameters were chosen out of sight. They are the models', then."""
        plan = replace(self.plan, pool=True)
        other = self.runner(self.region, plan)
        if not other.reason and any(one.norm for one in other.updates):
            other.notes.append("which parameters the optimizer owns is out of sight: taken for those of the models")
            self.plan, self.probe = plan, other

    def _run(self, regime: str, answers: dict[str, bool]) -> Record:
        both = {**self.plan.answers, **answers}
        plan = replace(self.plan, regime=regime, answers=both, boost=self._boost(regime))
        if regime == INF:
            plan = replace(plan, infinite_at=0)
        record = self.runner(self.region, plan)
        self.seen.add(record)
        return record

    def _boost(self, regime: str) -> float:
        limits = self._limits()
        if not limits:
            return 1.0
        if regime == HI:
            return ACTIVE * max(limits) / self.rate
        norms = [clip.norm for clip in self.clips if math.isfinite(clip.norm)]
        norms += [update.norm for update in self.probe.updates if update.finite]
        return min(1.0, min(limits) / (ACTIVE * max(norms, default=1.0) or 1.0))

    def _limits(self) -> list[float]:
        return _finite(self.clips)

    def _regimes(self, answers: dict[str, bool]) -> tuple[Record, Record | None]:
        """All regimes of one configuration."""
        lo = self._run(LO, answers)
        if not self._limits() and _finite(lo.clips):
            self.clips = lo.clips  # the first configuration in which anything is clipped
            lo = self._run(LO, answers)
        self._add(lo, answers)
        high: Record | None = None
        if lo.reason or lo.error:
            return lo, high
        if self._limits():
            self.rate = _rate(lo) / self._boost(LO)
            high = self._run(HI, answers)
            self._add(high, answers)
        if any(column.scaled for column in lo.columns):
            self._add(self._run(INF, answers), answers)
        if self.plan.window:
            tail = self._run(TAIL, answers)
            if UNEVEN not in tail.detail:
                self._add(tail, answers)
        return lo, high

    def _detours(self, guards: list[tuple[str, bool]]) -> None:
        """Look behind the guards that no run has passed, as long as something that works on gradients stands there.

        And past those that every run has passed, because its counters are young.

        A guard that is passed each time may be passed once in a training of hours, so what shows behind it accuses
        nobody; it is no confirmation.
        """
        tried: set[Missed] = set()
        while len(tried) < MOST_DETOURS:
            left = (one for one in self._left() if one.guards and one not in tried)
            call = next(left, None)
            if call is None:
                break
            tried.add(call)
            (row, _), way = call.guards[-1]
            if self._looked(replace(self.plan, forced=dict(call.guards)), f"line {row}: where this guard is {way}"):
                self.forced.add(row)
        for (row, column), way in passing(self.sliced, self.region, self.seen)[:MOST_LATER]:
            self._looked(replace(self.plan, forced={(row, column): way}), f"line {row}: where this guard is {way}")
        for key, answer in guards[:MOST_DETOURS]:
            if not self._left():
                return
            answers = {**self.plan.answers, key: not answer}
            self._looked(replace(self.plan, answers=answers), f"where {key} is {not answer}")

    def _looked(self, plan: Plan, where: str) -> bool:
        """Whether a run came to its end; what it came to counts as seen."""
        boost = self._boost(LO)
        record = self.runner(self.region, replace(plan, boost=boost))
        if record.reason and record.reason not in PASSED:
            return False
        self.seen.add(record)
        said = self._behind(record)
        limits = _finite(record.clips)
        if limits and not said:
            high = ACTIVE * max(limits) * boost / _rate(record)
            said = self._behind(self.runner(self.region, replace(plan, regime=HI, boost=high)))
        if said and not self.detour:
            self.detour = f"{where}, {said}"
        return True

    def _left(self) -> list[Missed]:
        """What works on gradients and no run has come to."""
        return [one for one in self._missed() if one.matters and not one.rare]

    def _behind(self, record: Record) -> str:
        """What is wrong behind a guard that was forced open, or nothing."""
        if record.error:
            return f"torch raises: {record.error}"
        shown = every_sign(record)
        if shown:
            return f"{shown[0].rule} shows"
        missing = unclear(record, self._tolerance())
        return missing[1] if missing is not None and missing[0] is Reason.UNEXPLAINED else ""

    def _missed(self) -> list[Missed]:
        return missed(self.sliced, self.region, self.seen)

    def _add(self, record: Record, answers: dict[str, bool]) -> None:
        configuration = tuple(sorted(answers.items()))
        shown = tuple(Shown(one.rule, one.row, one.text) for one in signs(record))
        reason, detail = record.reason, record.detail
        said = muddled(record)
        if said is None and self.turned and any(one.rule in COUNTED for one in shown):
            said = Reason.BRANCH, f"windows are cut by `{self.turned}`, which no run can compute"
        if said is None and shown and record.wrapper.startswith(QUIET):
            said = Reason.FRAMEWORK, f"under {record.wrapper}, {shown[0].rule} shows"
        if said is None and not shown and not reason:
            said = unclear(record, self._tolerance())
        if said is not None:
            shown, reason, detail = (), said[0].value, said[1]
        verdict = Verdict.DIFFERS if shown else Verdict.INCONCLUSIVE if reason else Verdict.CONFIRMED
        if shown:
            reason = detail = ""
        self.runs.append(Judged(configuration, record.regime, verdict, shown, reason, detail, books(record)))

    def _tolerance(self) -> float:
        return TOLERANCE.get(self.asked.precision or ("fp32" if self.asked.device != "cpu" else ""), CLOSE)

    # ------------------------------------------------------------------ the verdict

    def _inconclusive(self, reason: str, detail: str) -> Loop:
        return replace(self._loop(self.probe, None), verdict=Verdict.INCONCLUSIVE, reason=reason, detail=detail)

    def _verdict(self, lo: Record, hi: Record | None) -> Loop:
        loop = self._loop(lo, hi)
        if any(one.verdict is Verdict.DIFFERS for one in self.runs):
            return replace(loop, verdict=Verdict.DIFFERS)
        for one in self.runs:
            if one.verdict is Verdict.INCONCLUSIVE and not (one.configuration and one.reason in MILD):
                return replace(loop, verdict=Verdict.INCONCLUSIVE, reason=one.reason, detail=one.detail)
        if self.detour:
            return replace(loop, verdict=Verdict.INCONCLUSIVE, reason=Reason.BRANCH.value, detail=self.detour)
        row = reduced(self.sliced, self.region, self.seen)
        if row:
            text = f"line {row}: what this collective does to the gradients is not carried out"
            return replace(loop, verdict=Verdict.INCONCLUSIVE, reason=Reason.COLLECTIVE.value, detail=text)
        row = hooked(self.sliced, self.region)
        if row:
            text = f"line {row}: what this hook does is not carried out"
            return replace(loop, verdict=Verdict.INCONCLUSIVE, reason=Reason.HOOK.value, detail=text)
        gate = self._gated_by_caller()
        if gate:
            text = f"`{gate}`, which the caller decides, says when a step comes, and the caller was not run"
            return replace(loop, verdict=Verdict.INCONCLUSIVE, reason=Reason.BRANCH.value, detail=text)
        for call in self._left():
            text = f"line {call.row}: no run came to `{call.text}`"
            return replace(loop, verdict=Verdict.INCONCLUSIVE, reason=Reason.BRANCH.value, detail=text)
        by_hand = collectives(self.sliced, self.region)
        return replace(loop, unseen=unseen(lo, self._missed(), by_hand, sorted(self.forced)))

    def _gated_by_caller(self) -> str:
        """The parameter of a function without a loop that decides whether a backward is followed by a step."""
        node = Graph(self.sliced.index).nodes.get(self.region.name)
        if node is None or any(isinstance(one, (ast.For, ast.While)) for one in ast.walk(node)):
            return ""
        parameters = {one.arg for one in (*node.args.args, *node.args.kwonlyargs)}
        return next(_gating(node, parameters), "")

    def _loop(self, lo: Record, hi: Record | None) -> Loop:
        limits = self._limits()
        return Loop(
            name=self.entry.name,
            row=self.entry.row,
            end_row=self.entry.end_row,
            verdict=Verdict.CONFIRMED,
            window=lo.window,
            runs=tuple(self.runs),
            figures=tuple(figures(lo)),
            clipped=tuple(figures(hi)) if hi is not None else (),
            limit=max(limits) if limits else None,
            bindings=tuple(Binding(name, *one) for name, one in sorted(lo.bindings.items())),
            notes=(*lo.notes, *([GUESS] if lo.guessed else [])),
            wrapper=lo.wrapper,
            device=self.asked.device,
            precision=self.asked.precision or ("float64" if self.asked.device == "cpu" else "float32"),
            plan=tuple(
                f"{'+'.join(f'{k}={v}' for k, v in one.configuration) or 'base'}:{one.regime}" for one in self.runs
            ),
        )


def _gating(node: ast.AST, parameters: set[str]) -> Iterator[str]:
    """The parameters that are asked in front of a step: `if finish: step()`, `if not finish: return`."""
    for one in ast.walk(node):
        if not isinstance(one, ast.If):
            continue
        asked = one.test.operand if isinstance(one.test, ast.UnaryOp) else one.test
        steps = any(isinstance(inner, ast.Attribute) and inner.attr == "step" for inner in ast.walk(one))
        if isinstance(asked, ast.Name) and asked.id in parameters and (steps or isinstance(one.body[-1], ast.Return)):
            yield asked.id


def _rate(record: Record) -> float:
    """How long the gradients of a run are."""
    norms = [one.norm for one in record.updates if one.finite and one.norm]
    norms = norms or [clip.norm for clip in record.clips if clip.norm and math.isfinite(clip.norm)]
    return sum(norms) / len(norms) if norms else 1.0


def _finite(clips: list[Clip]) -> list[float]:
    """The limits that clips have; an infinite one only measures."""
    return [clip.limit for clip in clips if math.isfinite(clip.limit) and clip.limit > 0]


def figures(record: Record) -> Iterator[Figures]:
    """The numbers of each update."""
    for window in fold(record):
        update = window.update
        labels = {number: place for place, number in enumerate(window.feeds, 1)}
        shown = [(f"g{labels[n]}", window.weight(n), False) for n in window.feeds]
        extra = sorted((*window.stale, *window.foreign))
        shown = [(f"old {n + 1}", update.weights[n], True) for n in extra] + shown
        yield Figures(
            optimizer=update.optimizer,
            number=window.place + 1,
            weights=tuple(shown),
            meant=tuple((f"g{labels[n]}", weight) for n, weight in window.meant().items()),
            norm=update.norm,
            reference_norm=update.reference_norm,
            error=update.reference_error,
            clip=_clip_word(update.clips),
            all_reduces=update.all_reduces if record.distributed else None,
            scheduler_moves=update.scheduler_moves,
            turns=window.turns,
        )


def _clip_word(clips: tuple[Clip, ...]) -> str:
    """When the clips of an update came: in time, late, early or once for each micro-batch."""
    active = [clip for clip in clips if math.isfinite(clip.limit)]
    if not active:
        return "-"
    if all(clip.spent for clip in active):
        return "late"
    if not any(clip.fresh for clip in active):
        return "early"
    return "each" if len({clip.fresh for clip in active}) > 1 else "clipped"


def reachable(sliced: Slice, region: Region) -> list[ast.AST]:
    """The syntax that a region may walk: its functions and the module's own statements."""
    graph = Graph(sliced.index)
    names = graph.reach({region.name} if region.name != MODULE else set(graph.nodes))
    if region.class_name:
        names |= {f"{region.class_name}.__init__"} & set(graph.nodes)
    nodes = [graph.nodes[name] for name in sorted(names) if name in graph.nodes]
    body: list[ast.stmt] = script(sliced.index.tree)
    if region.name == MODULE:
        body += [one for one in sliced.index.tree.body if is_main_guard(one)]
    else:
        body = [one for one in body if not sliced.index.gates(one)]
    return [*nodes, *body]


def judge(sliced: Slice, region: Region, asked: Asked, runner: Runner) -> Loop:
    """The verdict on one loop."""
    return Judge(sliced, region, asked, runner).judge()
