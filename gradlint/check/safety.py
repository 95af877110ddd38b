"""Safe or not: the one place that decides it, by five points, each with its own way to fail.

1. every field of the ledger that the rule speaks of is the meant one in every scenario, under every probe, on the
   rare ways out too; every other field is as before
2. no rule says anything new there, at any confidence
3. nothing about the objects in it is assumed by name alone
4. optimizer, loss and window belong to torch or a known library, and nobody out of sight may do what it adds
5. each name means the same at its new place, and is bound there

A repair that fails at one of them is unsafe, and says at which.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from gradlint.account.accounts import account_of, differing, seen_from_inside, unmeant, worse
from gradlint.account.faults import disputed, faults, spoiled
from gradlint.account.names import called
from gradlint.check.counted import counting, of_ranks, planned
from gradlint.check.evidence import assumed, out_of_sight
from gradlint.check.in_between import limited_by_scaled, meant_for_scaled, stepped_unseen, works_with_rate
from gradlint.check.passing import (
    left_by_a_closure,
    left_uncleared,
    moved_between,
    moved_by,
    recounted,
    stepped_behind,
    taken_by_others,
)
from gradlint.check.readings import cleared_in_part, found_at_last, left_as_it_is, left_empty, of_clips
from gradlint.check.surroundings import changed
from gradlint.check.trial import MAX_SCENARIOS, Task, attempt, further, scenarios_of
from gradlint.check.unguarded import let_through, moved_away
from gradlint.fix.bound import unbound
from gradlint.fix.divisors import of_rates, unfit
from gradlint.fix.held import asked_again, kept_by_place, read_behind
from gradlint.fix.passes import restarts
from gradlint.fix.plain import detached_plain
from gradlint.fix.samplers import asked_first
from gradlint.fix.sized import unsized
from gradlint.fix.uncalled import as_it_runs
from gradlint.model.edits import Call, Detach, Insert, Loss, Modulus, Move, NoSync, Sync, Tail, Undivide
from gradlint.model.events import MAX_SCENARIOS as EVERY_SCENARIO
from gradlint.model.events import Backward, Forward, Kind
from gradlint.model.finding import Confidence, Severity, Span
from gradlint.model.ledger import Field
from gradlint.model.record import dataclass, replace
from gradlint.syntax.nodes import walk
from gradlint.syntax.source import tree_of

if TYPE_CHECKING:
    from gradlint.account.case import Case
    from gradlint.check.judge import Judged
    from gradlint.check.surroundings import Texts
    from gradlint.check.trial import Trial
    from gradlint.model.books import Update
    from gradlint.model.edits import Repair
    from gradlint.model.events import Event
    from gradlint.model.finding import Span


@dataclass(frozen=True, slots=True)
class Candidate:
    """A repair that was carried out, to be judged.

    `regions` are the names of all regions that run what it touches, `mended` the findings that it is about, `module` is
    the number of the file. Of a repair that changes several files it is one of them; what the `others` were and are.
    """

    before: str
    after: str
    path: str
    repairs: tuple[Repair, ...]
    mended: tuple[Judged, ...]
    regions: tuple[str, ...]
    module: int = 0
    others_before: Texts = ()
    others: Texts = ()

    @property
    def spoken(self) -> frozenset[Field]:
        """The fields that the repair may change."""
        return frozenset(chain.from_iterable(one.rule.speaks for one in self.mended))

    def old(self, task: Task, text: str = "") -> Trial | None:
        """A trial without the repair, or of another such `text`."""
        with changed(dict(self.others_before)):
            return attempt(text or self.before, self.path, task)

    def new(self, task: Task) -> Trial | None:
        """The same trial with it."""
        with changed(dict(self.others)):
            return attempt(self.after, self.path, task)


def doubt_about(candidate: Candidate) -> str:
    """Why a repair is not safe: the first point that fails; empty for none."""
    points = (_names, _tensors, _sampled, _lengths, _wrapped, _values, _limits, _more_updates, _evidence, _runs)
    return next((doubt for point in points for doubt in point(candidate)), "")


def _names(candidate: Candidate) -> Iterator[str]:
    """The fifth point."""
    rows = changed_rows(candidate.before, candidate.after)
    found = unbound(tree_of(candidate.after), rows)
    known = set(unbound(tree_of(candidate.before), range(1, candidate.before.count("\n") + 2))) if found else set()
    for name, statement in found:
        if (name, statement) not in known:
            yield f"`{name}` may not be bound there, or may be `None`"


def _tensors(candidate: Candidate) -> Iterator[str]:
    """The third point, for what is detached: it must be a tensor on every way."""
    if not any(isinstance(edit, Detach) for repair in candidate.repairs for edit in repair.edits):
        return
    for name in detached_plain(tree_of(candidate.after), changed_rows(candidate.before, candidate.after)):
        yield f"`{name}` may be a plain number there"


def _values(candidate: Candidate) -> Iterator[str]:
    """The first point, for what no field tells: a loss that is divided no more is a larger number where it is shown."""
    for edit in (edit for repair in candidate.repairs for edit in repair.edits):
        if isinstance(edit, Insert) and ".set_epoch(" in edit.code:
            rows = [span.row for span in (*edit.over, edit.to) if span.module == edit.to.module]
            for name in kept_by_place(tree_of(candidate.before), rows):
                yield f"`{name}` remembers batches by their number, which has other samples in each epoch then"
            for code in restarts(tree_of(candidate.before), rows) if edit.over else ():
                yield f"`{code}` begins anew in each turn, whose passes may be meant to have the same orders"
        if isinstance(edit, Modulus) and not edit.here:
            for text, row in asked_again(tree_of(candidate.before), edit.guard.row):
                yield f"line {row} asks `{text}`, too, and would not go with the updates any more"
        if isinstance(edit, Loss) and "{window}" in edit.pattern:
            for name, row in unfit(tree_of(candidate.after), changed_rows(candidate.before, candidate.after)):
                yield f"line {row} asks whether `{name}` is a number to divide by at all"
        if isinstance(edit, Undivide):
            own = range(edit.backward.row, edit.backward.end_row + 1)
            for row in changed_rows(candidate.after, candidate.before):
                for name in [] if row in own else read_behind(tree_of(candidate.before), row, own):
                    yield f"`{name}` is read elsewhere, too, as it is divided now"
            yield from (f"`{name}` makes the rate, too" for name in of_rates(tree_of(candidate.before)))


def _limits(candidate: Candidate) -> Iterator[str]:
    """The first point, for gradients that are unscaled ahead of a question: its limit may be one of scaled ones."""
    edits = [edit for repair in candidate.repairs for edit in repair.edits if isinstance(edit, Insert)]
    unscaled = any(".unscale_(" in edit.code for edit in edits) and any(".update()" in edit.code for edit in edits)
    if unscaled:
        yield from (f"`{name}` may be a limit of scaled ones" for name in meant_for_scaled(tree_of(candidate.before)))


def _more_updates(candidate: Candidate) -> Iterator[str]:
    """The first point, for an update more in each epoch: what goes by their number, and ranks that agree on it."""
    edits = [edit for repair in candidate.repairs for edit in repair.edits if isinstance(edit, Tail)]
    if not edits:
        return
    tree = tree_of(candidate.before)
    cases = [case for name in candidate.regions for case in _cases(candidate, name)]
    backwards = (event.detail for case in cases for event in case.of(Kind.BACKWARD))
    if of_ranks(candidate.before) or any(isinstance(one, Backward) and one.synced is not None for one in backwards):
        yield "several processes would have to make one update more"
    yield from (f"`{name}` goes by the number of updates" for name in planned(tree))
    places = {(event.span.row, event.span.column) for case in cases for event in case.of(*_OF_UPDATES)}
    for edit in edits:
        for name in counting(tree, edit.guard, places):
            yield f"`{name}` may go by the number of updates, of which there would be one more in each epoch"


_OF_UPDATES = (Kind.ZERO, Kind.UNSCALE, Kind.CLIP, Kind.STEP, Kind.UPDATE)


def _sampled(candidate: Candidate) -> Iterator[str]:
    """The third point, for a sampler that is told the epoch: on another way there may be none, or another one."""
    edits = [edit for repair in candidate.repairs for edit in repair.edits]
    if not any(isinstance(edit, Insert) and ".set_epoch(" in edit.code for edit in edits):
        return
    if any(isinstance(one, ast.FunctionDef) and one.name == "set_epoch" for one in walk(tree_of(candidate.before))):
        yield "a sampler of the file's own may do more with the epoch than shuffle"
    if asked_first(tree_of(candidate.after), changed_rows(candidate.before, candidate.after)):
        return
    cases = (case for name in candidate.regions for case in _cases(candidate, name))
    if any(case.of(Kind.STEP) and not case.of(Kind.EPOCH) for case in cases):
        yield "on another way the loader has another sampler"


def _lengths(candidate: Candidate) -> Iterator[str]:
    """The third point, for what is asked for its last iteration: a stream has no length."""
    edits = (edit for repair in candidate.repairs for edit in repair.edits)
    if any(isinstance(edit, Tail) or (isinstance(edit, NoSync) and edit.rest) for edit in edits):
        for name in unsized(tree_of(candidate.after), changed_rows(candidate.before, candidate.after)):
            yield f"whether `{name}` has a length cannot be seen"


def _wrapped(candidate: Candidate) -> Iterator[str]:
    """The third point, for a model that is to wait with its all-reduce: whoever runs the loop must have wrapped it."""
    rows = candidate.after.splitlines()
    new = [rows[row - 1] for row in changed_rows(candidate.before, candidate.after)]
    for edit in (edit for repair in candidate.repairs for edit in repair.edits if isinstance(edit, NoSync)):
        asked = re.compile(rf"\b(?:isinstance|hasattr)\({re.escape(edit.model)}, ")
        every = [_cases(candidate, name) for name in candidate.regions]
        plain = any(_plain(case, edit) for cases in every for case in cases) or any(map(_cut_short, every))
        if not any(map(asked.search, new)) and plain:
            yield f"`{edit.model}` is not wrapped by everybody who runs this, and has no `no_sync` then"
        if any(case.program.hears_all_reduces for cases in every for case in cases):
            yield "a communication hook is asked with each all-reduce, and would be asked less often"
    if any(isinstance(edit, Sync) and edit.turned for repair in candidate.repairs for edit in repair.edits):
        cases = (case for name in candidate.regions for case in _cases(candidate, name))
        if any("ddp" not in _wrappers(case.of(Kind.FORWARD)) for case in cases if case.of(Kind.STEP)):
            yield "the model is not wrapped by everybody who runs this, and has no `no_sync` then"


def _cases(candidate: Candidate, name: str) -> tuple[Case, ...]:
    base = candidate.old(Task(name))
    return base.cases if base is not None else ()


def _cut_short(cases: Sequence[Case]) -> bool:
    """Whether a switch leaves networks bare, and not all was run that can hang on it: there are too many ways."""
    full = len(cases) >= EVERY_SCENARIO
    return full and any("ddp" not in _wrappers(case.of(Kind.FORWARD)) for case in cases if case.of(Kind.STEP))


def _plain(case: Case, edit: NoSync) -> bool:
    """Whether no model that goes forward between two places is wrapped by DDP, or one only behind a guard."""
    inside = [
        event
        for event in case.of(Kind.FORWARD)
        if any(_between(edit.first, span, edit.last) for span in (event.span, *event.calls))
    ]
    wrappers = _wrappers(inside)
    return (bool(wrappers) and "ddp" not in wrappers) or any(map(_is_sometimes, inside))


def _is_sometimes(event: Event) -> bool:
    return isinstance(event.detail, Forward) and event.detail.attached and event.detail.sometimes


def _wrappers(forwards: Iterable[Event]) -> list[str]:
    details = (event.detail for event in forwards)
    return [detail.wrapper for detail in details if isinstance(detail, Forward) and detail.attached]


def _between(first: Span, span: Span, last: Span) -> bool:
    return first.module == span.module and first.row <= span.row and span.end_row <= last.end_row


def changed_rows(before: str, after: str) -> list[int]:
    """The rows of a text that are not in the other."""
    from difflib import SequenceMatcher

    matcher = SequenceMatcher(None, before.splitlines(), after.splitlines(), autojunk=False)
    return [row + 1 for tag, _, _, start, end in matcher.get_opcodes() if tag != "equal" for row in range(start, end)]


def _evidence(candidate: Candidate) -> Iterator[str]:
    """The third and the fourth point."""
    gathers = False
    for name in candidate.regions:
        base = candidate.old(Task(name))
        for case in base.cases if base is not None else ():
            gathers = gathers or any(len(update.consumed_batches) > 1 for book in case.books for update in book.updates)
            for one, repair in zip(candidate.mended, candidate.repairs, strict=False):
                yield from assumed(case, one, repair)
                yield from out_of_sight(case, one, repair)
    if not gathers and any(one.rule.name in _OF_WINDOWS for one in candidate.mended):
        yield "no update of several micro-batches is seen, and so not which of them is the last"


_OF_WINDOWS = frozenset({"missing-no-sync", "forward-outside-no-sync"})
"""Rules whose repairs treat the last micro-batch of a window otherwise than the others."""


def _runs(candidate: Candidate) -> Iterator[str]:
    """The first and the second point, in every region that runs what was changed, until it takes too long.

    Where the same happens in a region as in one before, by whoever it is called, the further probes say the same, too.
    """
    spent, known = 0, set[object]()
    for name in candidate.regions:
        base = candidate.old(Task(name))
        if base is None:
            yield "the loop that it belongs to cannot be run by itself"
            continue
        spent += base.spent
        yield from _passed_by(candidate, base, Task(name, scenarios=scenarios_of(base.cases)))
        seen = frozenset(map(seen_from_inside, base.cases))
        for task, old, new, words in _tried(candidate, name, base, once=seen <= known):
            yield from _compared(candidate, task, old, new, words)
            spent += sum(trial.spent for trial in (old, new) if trial is not None and trial is not base)
            if spent > MAX_TRIED:
                yield "there are too many long loops around it to try it in all of them"
        known |= seen


MAX_TRIED = 400_000
"""Statements for which one repair is tried in all regions that run it, some fifteen seconds."""


def _tried(
    candidate: Candidate, name: str, base: Trial, *, once: bool
) -> Iterator[tuple[Task, Trial, Trial | None, str]]:
    """A region without the repair and with it, under one probe after the other, with words for each, or under one."""
    scenarios = scenarios_of(base.cases)
    first = Task(name, scenarios=scenarios)
    yield first, base, candidate.new(first), ""
    for probe, words in () if once else further(base):
        task = Task(name, probe, scenarios[:MAX_SCENARIOS], Task(name))
        old, new = candidate.old(task), candidate.new(replace(task, before=first))
        assert old is not None
        yield task, old, new, words


def _passed_by(candidate: Candidate, old: Trial, task: Task) -> Iterator[str]:
    """What leaves an iteration in front of what was moved, or uses what a schedule that was moved has set."""
    new = candidate.new(task)
    if new is None or len(new.cases) != len(old.cases):
        return
    early = [one for one in candidate.mended if one.rule.name == _EARLY]
    rows = changed_rows(candidate.before, candidate.after) if early else []
    ends = any(isinstance(edit, Move) and edit.last for repair in candidate.repairs for edit in repair.edits)
    if early and ends and any(stepped_behind(case, new.program, rows, candidate.module) for case in new.cases):
        yield "an update that follows in the same iteration would have the next value of the schedule"
    yield from let_through(candidate.repairs, old.cases, new.cases)
    if not moved_away(candidate.repairs).isdisjoint(
        chain.from_iterable(case.scenario.log.strangers for case in old.cases)
    ):
        yield "the same call steps something of the project's own, which would go with it"
    rare = [site.rpartition("@")[0] for site, _ in old.exits]
    several = len(candidate.repairs) > 1
    for one, repair in zip(candidate.mended, candidate.repairs, strict=False):
        if one.rule.name == _EARLY:
            yield from works_with_rate(candidate.before, repair, candidate.module)
        if Kind.CLIP in one.rule.mends:
            yield from stepped_unseen(candidate.before, repair, old.cases, candidate.module)
        moved = moved_between(candidate.before, candidate.after) if several else moved_by(repair)
        for before, after in zip(old.cases, new.cases, strict=True) if Kind.ZERO in one.rule.mends else ():
            yield from left_uncleared(candidate.before, moved, one.subject, before, after, rare)


_EARLY = "scheduler-before-optimizer"


def _compared(candidate: Candidate, task: Task, old: Trial, new: Trial | None, words: str) -> Iterator[str]:
    """What differs between the two texts under one probe, save what the repair is about."""
    where, plain = f" {words}" if words else "", task.probe.accident is None
    if new is None or len(new.cases) != len(old.cases):
        yield f"the loop is another one{where}"
        return
    for before, after in zip(old.cases, new.cases, strict=True):
        yield from (f"{reason}{where}" for reason in _scenario(candidate, before, after, plain=plain))
    said = new.judged
    for news in _news(candidate, _known(candidate, old, task), said, plain=plain) if said else ():
        yield f"it brings {news}{where}"


def _known(candidate: Candidate, old: Trial, task: Task) -> tuple[Judged, ...]:
    """What the rules say of a text as it runs: of what is only named and not called, nothing yet.

    Where nothing steps without that call, they say what they will.
    """
    runs = as_it_runs(candidate.before, candidate.repairs, candidate.module)
    now = candidate.old(task, runs) if runs != candidate.before else None
    stepped = now is not None and all(
        len(one.books) == len(was.books) for one, was in zip(now.cases, old.cases, strict=False)
    )
    return now.judged if now is not None and stepped else old.judged


def _scenario(candidate: Candidate, before: Case, after: Case, *, plain: bool) -> Iterator[str]:
    if before.scenario.truncated or after.scenario.truncated:
        yield "the loop is too long to be run to its end"
        return
    spoken = _spoken(candidate, before, after)
    for field in differing(account_of(before), account_of(after), spoken):
        yield f"it changes {field.value}"
    known = set(faults(before))
    for fault in faults(after):
        if fault not in known:
            yield f"{fault} then"
    for field in worse(before, after, spoken):
        yield f"{field.value} would be wrong in an update that was right"
    for one in candidate.mended if plain else ():
        scales = one.finding.category == "mixed-precision"
        for field in unmeant(after, one.subject, one.rule.speaks, scales=scales) if _heard(one, before) else ():
            yield f"{field.value} would still be wrong for `{called(one.subject)}`"
        if scales and Kind.CLIP in one.rule.mends:
            yield from limited_by_scaled(candidate.after, after, candidate.module)
    early = any(one.rule.name == _EARLY for one in candidate.mended)
    yield from recounted(candidate.repairs, before, after, early=early)
    yield from _of_clears(candidate, before, after) if Field.OLD in spoken else ()
    if Field.EPOCHS in spoken and _told_strangers(after) > _told_strangers(before):
        yield "nobody can see that it is the sampler which is told the epoch"
    mends = frozenset[Kind]().union(*(one.rule.mends for one in candidate.mended))
    yield from left_empty(after) if Kind.ZERO in mends else ()
    yield from of_clips(before, after) if Kind.CLIP in mends else ()
    yield from left_as_it_is(before, after) if Kind.UPDATE in mends else ()
    known_bad = set() if Field.OLD in spoken else set(spoiled(before))  # who clears, clears those too
    if set(spoiled(after)) - known_bad:
        yield "the gradient of a batch that went wrong is used"


def _spoken(candidate: Candidate, before: Case, after: Case) -> frozenset[Field]:
    """The fields that a repair may change in a scenario."""
    spoken = candidate.spoken
    if Field.OLD in spoken and after.scenario.accident is not None:
        spoken |= {Field.WINDOW}  # what a batch that went wrong has left is gone
    if any(one.rule.name == "zero-grad-before-step" for one in candidate.mended) and found_at_last(before, after):
        spoken |= {Field.READS}  # what was cleared too early was to be read
    return spoken


def _told_strangers(case: Case) -> int:
    """How often something is told the epoch that nobody can see to be a sampler."""
    return sum(event.subject == "*" for event in case.of(Kind.SET_EPOCH))


def _of_clears(candidate: Candidate, before: Case, after: Case) -> Iterator[str]:
    """Why a clear at another place may be wrong although the rows are right."""
    for one in candidate.mended:
        yield from left_by_a_closure(after, one.subject)
        if one.rule.name == "zero-grad-before-step" and cleared_in_part(after, one.subject):
            yield "it would clear what another backward of the same batch has left"
    for name, other in sorted(taken_by_others(after) - taken_by_others(before)):
        yield f"`{called(other)}` would clear what `{called(name)}` has not used yet"
    if disputed(after) - disputed(before):
        yield "a loss may be used that is another optimizer's"
    if any(_clears_outside(update) for book in after.books for update in book.updates):
        yield "a closure may be evaluated several times in a step, and the clear stands outside of it"
    if any(_computed_twice(after, update) for book in after.books for update in book.updates):
        yield "a batch goes through the same lines twice before a step, and the last time alone may be meant"


def _clears_outside(update: Update) -> bool:
    """Whether the step calls a closure that goes back, and nothing in that closure clears what it left before."""
    inside = {item.event.function for item in update.consumed} - {update.step.function}
    return update.detail.closure and bool(inside) and not any(zero.function in inside for zero in update.zeros)


def _computed_twice(case: Case, update: Update) -> bool:
    """Whether the same forwards and the same backward are run twice for one batch, as in a step of two passes."""
    passes = Counter(
        (item.event.span, item.batch, frozenset(case.events[number].span for number in item.detail.forwards))
        for item in update.consumed
        if item.detail.forwards
    )
    return any(times > 1 for times in passes.values())


def _heard(one: Judged, case: Case) -> bool:
    """Whether a finding shows in this very scenario."""
    return any(hit.span == one.finding.span for hit in one.rule.check(case))


def _news(candidate: Candidate, before: Iterable[Judged], after: Sequence[Judged], *, plain: bool) -> Iterator[str]:
    """What the rules say of a repaired text, and did not say before: by rule and optimizer, whatever the confidence.

    A warning that the mended mistake had hidden is no news; an error is, unless nobody is sure of it and it is about
    something that stands there already. Where a batch went wrong, a clear that the repair is about may clear it.
    Windows that begin one later leave another rest, which is no news where the loop clears it, as it did before.
    """
    clears = not plain and Field.OLD in candidate.spoken
    known = Counter((one.finding.rule, called(one.subject)) for one in before)
    hid = {one.finding.rule for one in candidate.mended}
    if any(isinstance(edit, Call) for repair in candidate.repairs for edit in repair.edits):
        hid |= {name for name, _ in known} - {one.finding.rule for one in after}  # what is mended by the call
    for one in after:
        key = (one.finding.rule, called(one.subject))
        known[key] -= 1
        led = hid & (one.rule.yields_to | one.rule.yields_here_to)
        hidden = bool(led) and (one.finding.severity is not Severity.ERROR or _unsure(one))
        rest = "accumulation-off-by-one" in hid and one.rule.name == "dropped-accumulation-tail" and _unsure(one)
        if known[key] < 0 and not hidden and not rest and not (clears and Field.OLD in one.rule.speaks):
            yield one.finding.rule + ("" if one.finding.confidence is Confidence.HIGH else " perhaps")


def _unsure(one: Judged) -> bool:
    """Whether a finding is uncertain, and not about something that is missing."""
    return one.finding.confidence is not Confidence.HIGH and not one.rule.absence


def regions_of(places: Sequence[tuple[str, frozenset[Span]]], rows: Iterable[int], module: int = 0) -> tuple[str, ...]:
    """The regions that run functions on some rows of a module, whose own statements belong to its body."""
    wanted = set(rows)
    places = [(name, frozenset(span for span in spans if span.module == module)) for name, spans in places]
    inside = {row for _, spans in places for span in spans for row in wanted if span.row <= row <= span.end_row}
    return tuple(
        name
        for name, spans in places
        if any(span.row <= row <= span.end_row for span in spans for row in wanted)
        or (name == "<module>" and wanted - inside)
    )
