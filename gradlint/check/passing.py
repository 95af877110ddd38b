"""What a repair has moved, and what may pass it by now.

for epoch in range(n):
    train(loader)
    scheduler.step()          behind the step, and in front of others
    if epoch % 2:
        continue
    train(replayed)           these would have the next rate in the same epoch

A schedule that moves once in a turn has to be as much later at each step; and gradients that were cleared in each turn
may stay where a guard leaves the turn in front of the new place, unless that is how a window goes on.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import pairwise
from typing import TYPE_CHECKING

from gradlint.account.accounts import resized
from gradlint.account.names import called
from gradlint.fix.ways import left_by, ways_out
from gradlint.model.books import place_of, real
from gradlint.model.edits import Delete, Insert, Modulus, Move
from gradlint.model.effects import Gate
from gradlint.model.events import Kind, Schedule, Zero
from gradlint.model.program.statements import Break, Continue, Define, For, If, Return, Try, While, With
from gradlint.model.program.whole import Class, Function, statements
from gradlint.model.record import dataclass
from gradlint.model.roots import may_share, overlaps
from gradlint.syntax.source import tree_of

if TYPE_CHECKING:
    from gradlint.account.case import Case
    from gradlint.model.books import Book
    from gradlint.model.edits import Repair
    from gradlint.model.finding import Span
    from gradlint.model.program.statements import Stmt
    from gradlint.model.program.whole import Program

# ------------------------------------------------------------------------------------ schedules


def recounted(repairs: Iterable[Repair], before: Case, after: Case, *, early: bool) -> Iterator[str]:
    """Why a count that begins elsewhere, or a schedule that was `early`, may be wrong although the rows are right."""
    if any(isinstance(edit, Modulus) for repair in repairs for edit in repair.edits):
        yield from resized(before, after)
    if early and _unevenly_moved(before, after):
        yield "a schedule would be left behind by more for some updates than for others"


def _unevenly_moved(before: Case, after: Case) -> bool:
    """Whether a schedule is moved away by more for some updates than for others."""
    was, now = _moves(before), _moves(after)
    return any(
        len({old - new for old, new in zip(was[key], now[key], strict=False)}) > 1 for key in was.keys() & now.keys()
    )


def _moves(case: Case) -> dict[tuple[str, str], list[int]]:
    """For each optimizer and schedule, how often that had moved at each step; not for several of one name."""
    subjects = {event.subject for event in case.of(Kind.SCHEDULE)}
    names = {name for name, number in Counter(map(called, subjects)).items() if number == 1}
    moved = dict.fromkeys(names, 0)
    found: dict[tuple[str, str], list[int]] = {}
    for event in case.of(Kind.SCHEDULE, Kind.STEP):
        if event.kind is Kind.STEP:
            for name in names:
                found.setdefault((called(event.subject), name), []).append(moved[name])
        elif isinstance(event.detail, Schedule) and called(event.subject) in moved:
            moved[called(event.subject)] += 1
    return found


def stepped_behind(case: Case, program: Program, rows: Sequence[int], number: int) -> bool:
    """Whether a schedule that moves on some rows is followed by what may step in the same turn of its loop."""
    spots = {
        span
        for event in case.of(Kind.SCHEDULE)
        for span in (event.span, *event.calls)
        if span.module == number and span.row in rows
    }
    return any(_step_behind(suites, span) for span in spots for suites in _around(program, span))


def _around(program: Program, span: Span) -> Iterator[list[tuple[Stmt, ...]]]:
    """For the function around a place, its suites that hold it within the innermost loop, that of the loop first."""
    for function in _functions(program.module(span.module).body):
        suites = _within(function.body, span)
        if suites:
            yield suites


def _functions(body: Function) -> Iterator[Function]:
    yield body
    for node in statements(body.body):
        if isinstance(node, Define):
            yield from _defined(node.value)


def _defined(value: Function | Class) -> Iterator[Function]:
    for one in value.methods.values() if isinstance(value, Class) else (value,):
        yield from _functions(one)


def _within(body: tuple[Stmt, ...], span: Span) -> list[tuple[Stmt, ...]]:
    for node in body:
        if not isinstance(node, Define) and _holds(node, span):
            inner = next((found for suite in _suites(node) if (found := _within(suite, span))), [])
            looped = isinstance(node, (For, While)) and bool(inner)
            return inner if looped else [body, *inner]
    return []


def _suites(node: Stmt) -> tuple[tuple[Stmt, ...], ...]:
    if isinstance(node, If):
        return node.then, node.other
    if isinstance(node, (For, While, With)):
        return (node.body,)
    return (node.body, node.other, node.final) if isinstance(node, Try) else ()


def _holds(node: Stmt, span: Span) -> bool:
    """Whether a place is in a statement; that of a compound one may say no more than where it begins."""
    whole = node.span
    inside = whole.module == span.module and whole.row <= span.row <= whole.end_row
    return inside or any(_holds(one, span) for suite in _suites(node) for one in suite)


def _step_behind(suites: Sequence[tuple[Stmt, ...]], span: Span) -> bool:
    for suite in reversed(suites):
        at = next(number for number, node in enumerate(suite) if _holds(node, span))
        behind = suite[at + 1 :]
        if any(node.gates & Gate.STEP for node in behind):
            return True
        if any(isinstance(node, (Break, Continue, Return)) for node in behind):
            return False
    return False


# ------------------------------------------------------------------------------------ clears


@dataclass(frozen=True, slots=True)
class Moved:
    """The rows of a text that lose a statement, and pairs of such a row and one where it is put."""

    gone: tuple[int, ...]
    pairs: tuple[tuple[int, int], ...]


def moved_by(repair: Repair) -> Moved:
    """What the edits of one repair of one file move."""
    gone = [edit.what for edit in repair.edits if isinstance(edit, Delete)]
    put = [edit.to for edit in repair.edits if isinstance(edit, Insert) and edit.where in ("before", "after", "end")]
    moves = [(span, edit.to) for edit in repair.edits if isinstance(edit, Move) for span in edit.what]
    pairs = [*moves, *((one, other) for one in gone for other in put)]
    here = tuple((old.row, new.row) for old, new in pairs if old.module == new.module)
    return Moved(tuple(span.row for span in (*gone, *(old for old, _ in moves))), here)


def moved_between(before: str, after: str) -> Moved:
    """The clears that two texts have at different places: several repairs have done it together."""
    (old, was), (new, now) = map(_apart, (before, after))
    rows = {0: 0, len(new): len(old)}
    for block in SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks():
        rows |= {block.b + number: block.a + number for number in range(block.size)}
    there = {rows.get(place, -1) for place, _ in now}
    gone = [(place, row) for place, row in was if place not in there]
    here = {place for place, _ in was}
    rows_of = _rows_of(before)
    put = [rows_of[place - 1] for place in there - here if place > 0]
    return Moved(tuple(row for _, row in gone), tuple((row, to) for _, row in gone for to in put))


def _apart(text: str) -> tuple[list[str], list[tuple[int, int]]]:
    """The lines that clear nothing, and for each that does how many of these are ahead of it, and its row."""
    rest, clears = list[str](), list[tuple[int, int]]()
    for row, line in enumerate(text.splitlines(), 1):
        if "zero_grad" in line:
            clears.append((len(rest), row))
        else:
            rest.append(line)
    return rest, clears


def _rows_of(text: str) -> list[int]:
    """The rows of the lines that clear nothing."""
    return [row for row, line in enumerate(text.splitlines(), 1) if "zero_grad" not in line]


def left_uncleared(
    text: str, moved: Moved, optimizer: str, before: Case, after: Case, rare: Sequence[str]
) -> Iterator[str]:
    """The ways out on which gradients, cleared before, would stay for a later update.

    Args:
        text: the text before the repair.
        moved: which rows have lost a clear, and where it is now.
        optimizer: whose gradients these are.
        before: what happened.
        after: what happens with it.
        rare: the rare ways out, which are tried by themselves.
    """
    tree, tried = tree_of(text), {_plainly(one) for one in rare}
    for row in moved.gone:
        test = left_by(tree, row)
        if test and not ("%" in test and _in_windows(after, optimizer)):
            yield f"line {row} may drop what a batch has left on purpose, and goes on with the next"
    for old, new in moved.pairs:
        ways, guarded = ways_out(tree, old, new)
        left = [one for one in ways if one.test not in tried and not one.clears]
        left = [one for one in left if one.apart or _gone_back(before, old, one.row)]
        if left and (guarded or len(left) > 1 or _ends_itself(after, optimizer) or not _in_windows(after, optimizer)):
            yield f"line {left[0].row} may leave in front of it, with gradients that were cleared before"


def _plainly(test: str) -> str:
    """A test as `ast.unparse` has it."""
    try:
        return ast.unparse(ast.parse(test, mode="eval"))
    except SyntaxError:
        return test


def _gone_back(case: Case, old: int, row: int) -> bool:
    """Whether the turn that clears on a row may have gone back before another row of it."""
    clears = [event for event in case.of(Kind.ZERO) if _on(event.span, event.calls, old)]
    for event in case.of(Kind.BACKWARD):
        rows = [span.row for span in (event.span, *event.calls)]
        same = any(place_of(event.stamp) == place_of(zero.stamp) for zero in clears)
        if same and any(one < row for one in rows):
            return True
    return False


def _on(span: Span, calls: Sequence[Span], row: int) -> bool:
    return row in (one.row for one in (span, *calls))


def _in_windows(case: Case, optimizer: str) -> bool:
    """Whether an optimizer's updates are windows of one size, but for the last ones of a loop."""
    books = [book for book in case.books if book.optimizer == optimizer] or list(case.books)
    return all(map(_steady, books))


def _ends_itself(case: Case, optimizer: str) -> bool:
    """Whether all windows are loops of their own in the iteration that steps: no guard says where one ends."""
    updates = [update for book in case.books if book.optimizer == optimizer for update in book.updates]
    return bool(updates) and all(
        len(item.batch) > len(around) and item.batch[: len(around)] == around
        for update in updates
        for around in (real(update.step.stamp),)
        for item in update.consumed
    )


def _steady(book: Book) -> bool:
    sizes = [len(update.consumed_batches) for update in book.updates]
    most = max(sizes, default=1)
    odd = [number for number, size in enumerate(sizes) if size != most]
    apart = not any(other == one + 1 for one, other in pairwise(odd))
    return most > 1 and 0 not in odd and apart and 2 * len(odd) <= len(sizes)


def left_by_a_closure(case: Case, optimizer: str) -> Iterator[str]:
    """What steps with a closure that nobody can follow may leave in gradients, where an update finds it.

    solver.step(closure)          goes back in there
    loss.backward()               adds to what that has left
    polish.step()
    """
    others = [update for book in case.books if book.optimizer != optimizer for update in book.updates]
    blind = [update for update in others if update.detail.closure and not update.consumed]
    for update in (one for book in case.books if book.optimizer == optimizer for one in book.updates):
        begun = min((item.order for item in update.consumed), default=0)
        since = update.previous.number if update.previous is not None else -1
        since = max((zero.number for zero in update.zeros if zero.number < begun), default=since)
        for one in blind:
            if since < one.step.number < begun and may_share(one.detail.params, update.detail.params):
                yield f"what the closure of `{one.step.text[:60]}` leaves in gradients cannot be seen"


def taken_by_others(case: Case) -> set[tuple[str, str]]:
    """Optimizers, each with another one that clears what both of them hold before the first has used it.

    for optimizer in optimizers:
        optimizer.step()
        optimizer.zero_grad()            the first one clears what the second was to use

    Who clears too early for its own step, too, is told so for itself.
    """
    updates = [update for book in case.books for update in book.updates]
    held = {update.optimizer: update.detail.params for update in updates}
    amiss = {(update.optimizer, zero.number) for update in updates for _, zero in update.wiped}
    clears = [
        (zero.number, zero.detail.optimizer)
        for zero in case.of(Kind.ZERO)
        if isinstance(zero.detail, Zero) and (zero.detail.optimizer, zero.number) not in amiss
    ]
    found = set[tuple[str, str]]()
    for update in (one for one in updates if one.consumed):
        since = max(item.order for item in update.consumed)
        for number, other in clears:
            between = since < number < update.step.number and other in held and other != update.optimizer
            if other is not None and between and overlaps(held[other], update.detail.params):
                found.add((update.optimizer, other))
    return found
