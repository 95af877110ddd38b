"""Loaders and samplers of the project's own: what torch's part of them was given, and whether they go by the epoch.

class Clips(DataLoader): ...                          Clips(data, sampler=DistributedSampler(data))
class Buckets(DistributedSampler):                    super().__init__(data, shuffle=True)
    def __iter__(self): ... manual_seed(self.epoch)
class Grouped(BatchSampler): ...                      Grouped(DistributedSampler(data), groups)
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from gradlint.interpret.atoms import truth
from gradlint.interpret.limits import nodes
from gradlint.interpret.lineage import classes_of, method_of
from gradlint.interpret.machine import Machine
from gradlint.interpret.state.course import Course
from gradlint.interpret.values import Tracked, Value
from gradlint.libraries.conventions.numbers import PROCESSES_NAME
from gradlint.model.effects import EVENTS
from gradlint.model.events import Kind, Pass
from gradlint.model.finding import Span
from gradlint.model.program import Attr, Program
from gradlint.model.program.expressions import Target
from gradlint.model.program.whole import assignments
from gradlint.model.roles import Role

MADE, FIRST = "(made)", "(first pass)"
"""When a sampler was made, and when it was first gone through."""
BATCHES = "batches"
"""The kind of torch's batch sampler."""


SHUFFLE = 3
"""The place of `shuffle` among the arguments of torch's `DistributedSampler`."""


def furnish(
    course: Course, made: Tracked, args: Sequence[Value], keywords: Mapping[str, Value], shuffle: int = SHUFFLE
) -> None:
    """Note what a loader or a sampler is made with, of all that torch's own `__init__` takes."""
    if made.role is Role.LOADER:
        made.make.extra["sampler"] = keywords.get("sampler", args[3] if len(args) > 3 else None)
        made.make.extra["batch_sampler"] = keywords.get("batch_sampler", args[4] if len(args) > 4 else None)
        made.make.extra["dataset"] = keywords.get("dataset", args[0] if args else None)
        made.make.extra["batch_size"] = keywords.get("batch_size", args[1] if len(args) > 1 else 1)
    elif made.role is Role.SAMPLER:
        course.sampled = True
        made.born[MADE] = course.stamp
        made.make.extra["shuffle"] = keywords.get("shuffle", args[shuffle] if len(args) > shuffle else True)


ONE_OF_SEVERAL = "one of several"
"""What is known of a loader that stands under a key which nobody knows: a loop may come to another one each time."""


def note_pass(machine: Machine, source: Value, span: Span | None, *, anew: bool = False, within: str = "") -> None:
    """Write that a loader is gone through once more, or one is begun `anew`; without a place, at the loop around.

    What the loop goes through may have the loader `within`.
    """
    if not isinstance(source, Tracked) or source.role is not Role.LOADER or source.framework:
        return
    if ONE_OF_SEVERAL in source.make.extra and not (anew and _has_ended(machine)):
        return
    found = sampler_of(machine.program, source)
    if found is None:
        return
    sampler, place = found
    if _runs_alone(machine.scenario.decisions) and _is_told_elsewhere(machine):
        return
    if sampler.make.extra.get("by epoch", True) and truth(sampler.make.extra.get("shuffle", True)) is not False:
        first = sampler.born.setdefault(FIRST, machine.course.stamp)
        made, counting = sampler.born.get(MADE, ()), machine.names.counting
        where, deep = machine.course.going_on(made, first, counting) if span is None else (span, 0)
        passed = Pass(deep, machine.course.around(made))
        machine.emit(Kind.EPOCH, where, sampler.key, f"{within}.{place}" if within else place, passed)


def _runs_alone(decisions: Mapping[str, bool]) -> bool:
    """Whether a scenario has one process, as a guard asked."""
    return any(not on and key.endswith(_SEVERAL) and _counts_processes(key) for key, on in decisions.items())


_SEVERAL = ">1"


@lru_cache(maxsize=4096)
def _counts_processes(key: str) -> bool:
    """`args.world_size>1`, `int(os.environ["WORLD_SIZE"])>1`, `dist.get_world_size()>1`."""
    names = re.findall(r"\w+", key.removesuffix(_SEVERAL))
    return bool(names) and PROCESSES_NAME[names[-1].removeprefix("get_")]


def _is_told_elsewhere(machine: Machine) -> bool:
    """Whether a running function tells a sampler the epoch, in whatever case: several processes may do."""
    return any("set_epoch" in one.called for one in (machine.program.body, *machine.stack.functions))


def _has_ended(machine: Machine) -> bool:
    """Whether an iterator is made where one has ended: under a count, or unasked, and not for want of one."""
    guards = machine.scenario.guards
    return not guards or guards[-1].counted or "len(" in guards[-1].text


def sampler_of(program: Program, loader: Tracked) -> tuple[Tracked, str] | None:
    """The distributed sampler that each pass over a loader begins anew, and where the loader has it."""
    if loader.cls is not None and method_of(program, loader.cls, "__iter__") is not None:
        return None
    found = None
    for name in ("sampler", "batch_sampler"):
        held = loader.make.extra.get(name)
        if isinstance(held, Tracked) and held.origin == "made":
            found = (held, name) if held.role is Role.SAMPLER else _batched(program, held, name)
    return found if found is not None and goes_by_epoch(program, found[0]) else None


def _batched(program: Program, batches: Tracked, name: str) -> tuple[Tracked, str] | None:
    """The sampler that a batch sampler goes through."""
    held = [
        (f"{name}.{own}", one)
        for own, one in batches.attrs.items()
        if isinstance(one, Tracked) and one.role is Role.SAMPLER and one.origin == "made"
    ]
    walks = None if batches.cls is None else method_of(program, batches.cls, "__iter__")
    follows = batches.make.kind == BATCHES or (walks is not None and not walks[0].gates & EVENTS)
    return (held[0][1], held[0][0]) if len(held) == 1 and batches.role is None and follows else None


def goes_by_epoch(program: Program, sampler: Tracked) -> bool:
    """Whether a sampler shuffles by the epoch that it is told, and by no count of its own."""
    if sampler.cls is None:
        return True
    methods = [one for cls in classes_of(program, sampler.cls) for one in cls.methods.values()]
    counting = [one for one in methods if one.name not in ("__init__", "set_epoch")]
    if any(_sets_epoch(node.target) for one in counting for node in assignments(one.body)):
        return False
    own = method_of(program, sampler.cls, "__iter__")
    return own is None or any(
        isinstance(node, Attr) and node.name in ("epoch", "__iter__") and not isinstance(node.base, Attr)
        for node in nodes(own[0].body)
    )


def _sets_epoch(target: Target) -> bool:
    return isinstance(target, Attr) and target.name == "epoch"
