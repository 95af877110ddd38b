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
from gradlint.verify.observables import CLOSE, GUESS, doubt, signs
from gradlint.verify.reasons import InconclusiveError, Reason
from gradlint.verify.record import HI, INF, LO, TAIL, Clip, Record
from gradlint.verify.result import Binding, Figures, Judged, Loop, Shown, Verdict
from gradlint.verify.runs import Runner
from gradlint.verify.slice.check import check
from gradlint.verify.slice.regions import MODULE, Graph, Region, Slice, is_main_guard, script
from gradlint.verify.windows import Window, fold
from gradlint.verify.world.plan import Plan

MOST_FLIPS = 4
MOST_WAYS = 8
COMPARED = re.compile(r" (Lt|LtE|Gt|GtE|In|Is|Add|Sub|Mult|FloorDiv|Mod) ")
"""A guard that compares what nobody knows is no switch: the other way need not be a configuration."""
QUIET = ("a shim of DeepSpeed", "a shim of Opacus", "a shim of Lightning")
"""Shims of libraries that decide so much themselves that they may confirm and never accuse."""
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
        for key, answer in switches[: self.asked.flips]:
            self._regimes({key: not answer})
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
        if self.probe.reason in (Reason.BRANCH.value, Reason.NO_UPDATE.value):
            self._otherwise()
        if self.probe.reason == Reason.SURROGATE.value or not any(one.norm for one in self.probe.updates):
            self._pool()
        self.plan = replace(self.plan, window=self.probe.window)

    def _otherwise(self) -> None:
        """No backward or step on the way taken: one guard of that way is answered differently."""
        every = [*self.probe.asked_of_data.items(), *list(self.probe.asked.items())[::-1]]
        for key, answer in every[:MOST_WAYS]:
            plan = replace(self.plan, answers={key: not answer})
            other = self.runner(self.region, plan)
            if not other.reason:
                other.notes.append(f"{key} is taken to be {not answer}: else nothing is trained")
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
        return self.runner(self.region, plan)

    def _boost(self, regime: str) -> float:
        limits = self._limits()
        if not limits:
            return 1.0
        if regime == HI:
            return ACTIVE * max(limits) / self.rate
        norms = [clip.norm for clip in self.probe.clips if math.isfinite(clip.norm)]
        norms += [update.norm for update in self.probe.updates if update.finite]
        return min(1.0, min(limits) / (ACTIVE * max(norms, default=1.0) or 1.0))

    def _limits(self) -> list[float]:
        return [clip.limit for clip in self.probe.clips if math.isfinite(clip.limit) and clip.limit > 0]

    def _regimes(self, answers: dict[str, bool]) -> tuple[Record, Record | None]:
        """All regimes of one configuration."""
        lo = self._run(LO, answers)
        self._add(lo, answers)
        high: Record | None = None
        if lo.reason or lo.error:
            return lo, high
        if self._limits():
            norms = [one.norm for one in lo.updates if one.finite and one.norm]
            scaled = norms or [clip.norm for clip in lo.clips if clip.norm and math.isfinite(clip.norm)]
            self.rate = (sum(scaled) / len(scaled) if scaled else 1.0) / self._boost(LO)
            high = self._run(HI, answers)
            self._add(high, answers)
        if any(column.scaled for column in lo.columns):
            self._add(self._run(INF, answers), answers)
        if self.plan.window:
            self._add(self._run(TAIL, answers), answers)
        return lo, high

    def _add(self, record: Record, answers: dict[str, bool]) -> None:
        configuration = tuple(sorted(answers.items()))
        kept = books(record)
        found = tuple(Shown(one.rule, one.row, one.text) for one in signs(record))
        if found and record.wrapper.startswith(QUIET):
            seen = f"under {record.wrapper}, {found[0].rule} shows"
            self.runs.append(
                Judged(configuration, record.regime, Verdict.INCONCLUSIVE, (), Reason.FRAMEWORK.value, seen, kept)
            )
            return
        if found:
            self.runs.append(Judged(configuration, record.regime, Verdict.DIFFERS, found, books=kept))
            return
        reason, detail = record.reason, record.detail
        if not reason:
            reason, detail = self._unclear(record)
        verdict = Verdict.INCONCLUSIVE if reason else Verdict.CONFIRMED
        self.runs.append(Judged(configuration, record.regime, verdict, (), reason, detail, kept))

    def _unclear(self, record: Record) -> tuple[str, str]:
        """A reason why a run that shows nothing says nothing either."""
        windows = fold(record)
        doubted = doubt(record)
        if doubted:
            return Reason.NOT_SEPARABLE.value, doubted
        if record.error:
            return Reason.SURROGATE.value, f"line {record.error_row}: {record.error}"
        if record.regime == LO:
            if not any(one.update.norm for one in windows) and windows:
                return Reason.SURROGATE.value, "no gradient reaches the optimizer"
            for one in windows:
                many = one.turns >= 2 and not one.crosses
                if many and record.vague and _whole(one):
                    return Reason.OPAQUE.value, f"line {one.columns[0].row}: nobody says that these are to be averaged"
                if many and record.divided_elsewhere and _whole(one):
                    where = f"line {record.divided_elsewhere}: the window divides something that may be in the loss"
                    return Reason.OPAQUE.value, where
                if many and any(not column.known for column in one.columns):
                    return Reason.OPAQUE.value, f"line {one.columns[0].row}: the loss's weight is not known"
                if many and not record.knob and _odd(one):
                    where = (
                        f"line {one.columns[0].row}: {one.turns} backwards are divided by what is no window's length"
                    )
                    return Reason.OPAQUE.value, where
                if many and not record.knob and _whole(one):
                    return (
                        Reason.OPAQUE.value,
                        f"line {one.columns[0].row}: {one.turns} backwards are summed, and no number says of how many",
                    )
            limit = TOLERANCE.get(self.asked.precision or ("fp32" if self.asked.device != "cpu" else ""), CLOSE)
            worst = max((one.update.residual for one in windows if one.update.finite), default=0.0)
            if worst > limit and not any(clip.by_value for clip in record.clips):
                return Reason.NOT_SEPARABLE.value, f"{worst:.1e} of a consumed gradient is no micro-batch's"
        return "", ""

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
        return loop

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


def _odd(window: Window) -> bool:
    """Whether a place of many batches is divided, and not by how many there are."""
    columns = window.record.columns
    places = [(n, window.turns_at(columns[n].site)) for n in window.consumed if columns[n].divisors]
    return any(turns > 1 and abs(abs(window.weight(n)) * turns - 1) > CLOSE for n, turns in places)


def _whole(window: Window) -> bool:
    return any(abs(window.share(number) - 1) < CLOSE and window.turns_at(window.record.columns[number].site) > 1
               for number in window.consumed)  # fmt: skip


def figures(record: Record) -> Iterator[Figures]:
    """The numbers of each update."""
    for window in fold(record):
        update = window.update
        labels = {number: place for place, number in enumerate(window.feeds, 1)}
        shown = [(f"g{labels[n]}", window.weight(n), False) for n in window.feeds]
        shown = [(f"old {n + 1}", update.weights[n], True) for n in window.stale] + shown
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
