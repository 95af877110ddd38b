"""The loops of a file: how many there are, and those of which not all was judged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gradlint.check.sight.calls import backwards, functions, reads_gradients
from gradlint.check.sight.seen import Ran, Seen
from gradlint.model.effects import Gate
from gradlint.model.finding import Cure, Unjudged
from gradlint.model.program import Attr, Program
from gradlint.model.roles import Role

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gradlint.interpret.explore import Region
    from gradlint.model.finding import Span
    from gradlint.model.program import Class, Function

MODULE = "<module>"


class Sight:
    """What was seen of a file's loops so far."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._seen: list[Seen] = []

    def begin(self, region: Region) -> Seen:
        """The next region; its cases are looked at one by one."""
        self._seen.append(Seen(region.entry, Ran(region.covered)))
        return self._seen[-1]

    def loops(self) -> tuple[int, tuple[Unjudged, ...]]:
        """How many loops there are, and of which not all was judged."""
        loops = [one for one in self._seen if self._is_of_file(one) and self._is_loop(one)]
        hidden = list(self._hidden())
        found = [*hidden, *self._unjudged([one for one in loops if not one.clear])]
        dropped = len([one for one in loops if not one.clear]) - (len(found) - len(hidden))
        ordered = sorted(found, key=lambda one: (one.span, one.function))
        return len(loops) + len(hidden) - dropped, tuple(ordered)

    # ----------------------------------------------------------------------- what a loop is

    def _is_of_file(self, seen: Seen) -> bool:
        """Whether a loop begins in the file, or goes back or steps there: it may only pass through."""
        number = self._program.main.number
        places = (seen.entry.function.span, *seen.backwards, *seen.steps)
        return any(place.module == number for place in places)

    def _is_loop(self, seen: Seen) -> bool:
        if not seen.works or self._apart(seen):
            return False
        if seen.judged:
            return True
        entry = seen.entry
        part = entry.function.name in self._program.told.callables
        return not part and (entry.owner is None or not self._apart_by_class(entry.owner))

    def _apart_by_class(self, owner: Class) -> bool:
        """Whether a class is an optimizer, or a function of autograd: its methods are called by what is a loop."""
        kinds = {base.split(".")[-1] for base in owner.bases}
        return self._role(owner) is Role.OPTIMIZER or "Function" in kinds or {"step", "zero_grad"} <= set(owner.methods)

    def _apart(self, seen: Seen) -> bool:
        """Whether somebody has told that nothing is trained there."""
        if not self._program.told.apart:
            return False
        places = [*seen.backwards, *seen.steps]
        entry = seen.entry.function
        for row in self._program.told.apart:
            around = self._innermost(row)
            if around is entry or (around is not None and any(_inside(place, around.span) for place in places)):
                return True
            if any(place.row <= row <= place.end_row for place in places):
                return True
        return False

    def _innermost(self, row: int) -> Function | None:
        around = [one for one in functions(self._program) if one.name != MODULE]
        around = [one for one in around if one.span.row <= row <= one.span.end_row]
        return max(around, key=lambda one: one.span.row, default=None)

    def _role(self, cls: Class) -> Role | None:
        """What objects of a class are, by it and its bases in this file."""
        known = {cls.name}
        while cls.role is None:
            bases = [self._program.classes.get(base.split(".")[-1]) for base in cls.bases]
            fresh = next((base for base in bases if base is not None and base.name not in known), None)
            if fresh is None:
                return None
            known.add(fresh.name)
            cls = fresh
        return cls.role

    # ---------------------------------------------------------------------- what was hidden

    def _hidden(self) -> Iterator[Unjudged]:
        """Functions whose backwards the dry run never came to."""
        reached = {name for seen in self._seen for name in seen.ran.reached}
        covered = {place for seen in self._seen for place in seen.ran.covered}
        through = {place for seen in self._seen for place in seen.ran.through}
        told = {place for seen in self._seen if seen.steps and not seen.backwards for place in seen.ran.covered}
        library = self._program.main.library
        for function in functions(self._program):
            if function.qualname in reached or Gate.BACKWARD not in function.gates:
                continue
            if function.name == MODULE and not (library or self._was_cut(function)):
                continue
            if any(_inside(place, function.span) and place.module == function.span.module for place in through):
                continue
            if function.span in told:  # the loop that runs it is told to have no backward
                continue
            first = next(iter(backwards(function)), None)
            if first is None or any(
                function.span.row <= row <= function.span.end_row for row in self._program.told.apart
            ):
                continue
            method = first.func.name if isinstance(first.func, Attr) else ""
            own = any(method in cls.methods for cls in self._program.classes.values())
            if self._trains(function) and not own and not self._within_test(function):
                from gradlint.check.sight import reasons

                path = self._program.path
                if library:
                    yield reasons.elsewhere(path, function, first, library)
                    continue
                cut = any(seen.truncated for seen in self._seen if function.span in seen.ran.covered)
                cut = cut or function.name == MODULE
                yield reasons.hidden(path, function, first, covered=function.span in covered, cut=cut)

    def _was_cut(self, function: Function) -> bool:
        """Whether every run of a function ended before its time."""
        return any(seen.entry.function is function and seen.truncated and not seen.works for seen in self._seen)

    @staticmethod
    def _trains(function: Function) -> bool:
        """Whether a function that was not run holds more than a backward: a step, or a loop."""
        return bool(function.gates & (Gate.STEP | Gate.LOOP_BACKWARD))

    # --------------------------------------------------------------------------- the others

    def _unjudged(self, seen: Sequence[Seen]) -> Iterator[Unjudged]:
        if not seen:
            return
        from gradlint.check.sight import reasons  # most files have no use for it

        found = {id(one): reasons.of(one, self._program) for one in seen}
        told = {name for one in found.values() for name in one.calls}
        halves = [one for one in seen if not one.judged and found[id(one)].kind in ("no-step", "no-backward")]
        second: set[int] = set()
        for one in halves:
            if one.steps:
                continue
            other = next((two for two in halves if self._partner(one, two)), None)
            if other is None:
                found[id(one)] = reasons.beside(self._unseen(one), found[id(one)])
            else:
                found[id(one)].cure = _after(one, other)
                second.add(id(other))
        for one in seen:
            why = found[id(one)]
            helper = not one.judged and (one.entry.function.name in told or id(one) in second)
            checks = not one.judged and why.cure is None and (self._checks(one) or self._again(one))
            if not (helper or checks):
                yield reasons.unjudged(one, why, self._program)

    def _again(self, seen: Seen) -> bool:
        """Whether all of it belongs to another loop: one that does more with it, or that was seen before."""
        before = True
        for other in self._seen:
            before = before and other is not seen
            same = set(seen.backwards) <= set(other.backwards) and set(seen.steps) <= set(other.steps)
            more = len(other.backwards) + len(other.steps) > len(seen.backwards) + len(seen.steps)
            if other is not seen and (before or more) and same:
                return True
        return False

    def _unseen(self, seen: Seen) -> list[Function]:
        """The other methods of its class in which nothing was seen to happen."""
        owner = seen.entry.owner
        if owner is None:
            return []
        quiet = [one.ran for one in self._seen if not one.works and one.entry.owner is owner]
        return [one for one in functions(self._program) for ran in quiet if one.span in ran.covered]

    @staticmethod
    def _partner(one: Seen, two: Seen) -> bool:
        """Whether one method, or function, runs backward and the other steps."""
        here, there = one.entry, two.entry
        if one.steps or two.backwards or MODULE in (here.function.name, there.function.name):
            return False
        return here.owner is there.owner and here.outer is None and there.outer is None

    def _checks(self, seen: Seen) -> bool:
        """Whether the gradients are for something else than training.

        So it is in a test, where they are read, and where nobody can step: once in the module's body.
        """
        entry = seen.entry
        if self._within_test(entry.function):
            return True
        if seen.steps:
            return False
        loops = any(iteration.kind != "call" for event in seen.backwards.values() for iteration in event.stamp)
        once = entry.function.name == MODULE and (not loops or self._in_tests())
        return once or any(reads_gradients(one) for one in functions(self._program) if one.span in seen.ran.covered)

    def _within_test(self, function: Function) -> bool:
        """Whether a function is a test or stands in one."""
        around = [one for one in functions(self._program) if one.name != MODULE and _inside(function.span, one.span)]
        return any(self._is_test(one.name, one.owner) for one in (function, *around))

    def _is_test(self, function: str, owner: str | None) -> bool:
        named = function.lower().startswith("test") or (owner or "").startswith("Test")
        return named or (owner or "").endswith(("Test", "Tests", "TestCase"))

    def _in_tests(self) -> bool:
        file = self._program.path.replace("\\", "/").rsplit("/", 1)[-1]
        return file.startswith("test_") or file.endswith("_test.py")


def _inside(place: Span, around: Span) -> bool:
    return around.row <= place.row and place.end_row <= around.end_row


def _after(one: Seen, other: Seen) -> Cure:
    name = one.entry.function.name
    return Cure(f"# gradlint: assume after={name}", "that they are called in turn", other.entry.function.span.row)
