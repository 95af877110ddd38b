"""Steps of optimizers, and what moves with them: closures, hooks, the two halves of SAM, schedules, averages."""

from __future__ import annotations

from functools import lru_cache
from typing import TypeGuard

from gradlint.interpret.atoms import truth
from gradlint.interpret.calling import call_value
from gradlint.interpret.contents import roots_in
from gradlint.interpret.effects.gradients import gated
from gradlint.interpret.effects.through import scaler_around
from gradlint.interpret.effects.use import Actions, Use
from gradlint.interpret.limits import nodes
from gradlint.interpret.lineage import method_of
from gradlint.interpret.machine import Machine
from gradlint.interpret.moded import has_one_mode, may_be_without
from gradlint.interpret.modes import is_noted
from gradlint.interpret.shuffled import BATCHES
from gradlint.interpret.state.objects import Objects
from gradlint.interpret.traits import exact, key_of
from gradlint.interpret.values import Context, Partial, Routine, Series, Table, Tracked, Unknown, Value
from gradlint.interpret.windows import learn_window
from gradlint.model.effects import Action, Gate, Moves, Steps, Trains, When
from gradlint.model.events import Deed, Kind, Mode, Opaque, Schedule, Step, Zero
from gradlint.model.program.statements import ParameterLoop
from gradlint.model.program.whole import Function
from gradlint.model.record import replace
from gradlint.model.roles import Role
from gradlint.model.roots import overlaps


def _optimizer_of(use: Use) -> Tracked | None:
    position = use.options(Steps).optimizer
    if position is not None:
        value = use.arg(position, "optimizer")
        return value if isinstance(value, Tracked) else None
    return use.tracked


def _step(use: Use) -> Value:
    tracked, steps = _optimizer_of(use), use.options(Steps)
    if tracked is None:
        return Unknown(use.node.text, True)
    closure = use.arg(0, "closure") if steps.optimizer is None else None
    if isinstance(closure, str) or "scaler" in use.keywords:  # several optimizers by name: no optimizer of torch
        use.emit(Kind.OPAQUE, use.node.text, Opaque(use.node.text, frozenset((tracked.key,)), hook=False))
        return Unknown(use.node.text, True)
    if isinstance(closure, Unknown) and closure.graph.bases:
        use.emit(Kind.STEP, tracked.key, Step("wrapper", None, "wrapper", tracked.origin))
        return None
    result: Value = Unknown(use.node.text, True)
    if isinstance(closure, Unknown):
        use.emit(Kind.OPAQUE, use.node.text, Opaque(use.node.text, frozenset((tracked.key,)), hook=False))
    if is_closure(closure, use.machine):
        result = run_closure(use, closure)
    if gated(use.machine.contexts, use.machine.ranks, tracked):
        return result
    if steps.optimizer is None and use.keywords.keys() - {"closure"}:
        # no step of torch's: it may divide by what it is told
        may = Opaque(use.node.text, frozenset((tracked.key,)), hook=False, may=frozenset({Deed.RESCALE}))
        use.emit(Kind.OPAQUE, use.node.text, may)
    framework = tracked.framework
    plain = framework in ("", "fabric", "lightning", "horovod", "accelerate", "apex")
    via = steps.via or ("plain" if plain else framework)
    scaler = scaler_around(use) if via == "plain" else None
    if scaler is None:
        run_hooks(use, tracked, "before")  # else the scaler has divided before they run
    via = "scaler" if scaler else via
    detail = step_detail(use.machine.objects, tracked, via, scaler, closure=closure is not None)
    use.emit(Kind.STEP, tracked.key, detail)
    run_hooks(use, tracked, "after")
    return result


def _step_hook(use: Use) -> Value:
    """What an optimizer is told to call before, or after, each step of its own."""
    hook, when = use.arg(0, "hook"), use.options(When).when
    if use.tracked is not None and isinstance(hook, (Routine, Partial)):
        held = use.tracked.make.extra.setdefault(when, Series([]))
        if isinstance(held, Series) and key_of(hook) not in map(key_of, held.items):
            held.items.append(hook)
    return Unknown(use.node.text)


def run_hooks(use: Use, optimizer: Tracked, when: str) -> None:
    """Call what was registered to run before or after each step of an optimizer."""
    held = optimizer.make.extra.get(when)
    for hook in held.items if isinstance(held, Series) else ():
        call_value(use.given([optimizer, Series([], "tuple"), Table({})]), hook)


def step_detail(
    objects: Objects, tracked: Tracked, via: str, scaler: str | None = None, *, closure: bool = False
) -> Step:
    """The step of an optimizer; it owns a model, too, that was made of one whose parameters it has."""
    params = tracked.params
    if params:
        params |= {root for root, parts in objects.made_of.items() if overlaps(parts, params)}
    bare, by = tracked.make.extra.get("bare") is True, tracked.make.extra.get("shared")
    shared = frozenset(one for one in (by.items if isinstance(by, Series) else ()) if isinstance(one, int))
    given = str(tracked.make.extra.get("given", ""))
    step = tracked.cls.methods.get("step") if tracked.cls is not None else None
    rewrites = step is not None and bool(step.gates & Gate.CLIP) and _rewrites(step)
    names = tracked.framework, tracked.origin, params, closure, tracked.make.library
    return Step(via, scaler, *names, bare, shared, given, rewrites)


@lru_cache(maxsize=64)
def _rewrites(step: Function) -> bool:
    """Whether the step of the project's own optimizer changes gradients in place: `p.grad.sub_(sent)`."""
    return any(isinstance(one, ParameterLoop) and one.action == "add" for one in nodes(step.body))


def is_closure(value: Value, machine: Machine) -> TypeGuard[Routine | Partial | Tracked]:
    """Whether what a step was given is called in it: a function, or an object of a class that can be called."""
    if isinstance(value, Tracked):
        return value.cls is not None and method_of(machine.program, value.cls, "__call__") is not None
    return isinstance(value, (Routine, Partial))


def run_closure(use: Use, closure: Routine | Partial | Tracked) -> Value:
    """Call the closure that a step was given."""
    with use.machine.contexts.inside(Context("set_grad")):  # torch's optimizers see to it
        return call_value(use.given([]), closure)


def _sam_first(use: Use) -> Value:
    tracked = use.tracked
    if tracked is not None:
        tracked.make.kind = "sam"
        if truth(use.arg(0, "zero_grad", True)) is not False:
            use.emit(Kind.ZERO, tracked.key, Zero(tracked.key, None, hand_written=True, used=True))
    return None


def _sam_second(use: Use) -> Value:
    tracked = use.tracked
    if tracked is not None:
        use.emit(Kind.STEP, tracked.key, replace(step_detail(use.machine.objects, tracked, "plain"), framework="sam"))
        if truth(use.arg(0, "zero_grad", False)) is not False:
            use.emit(Kind.ZERO, tracked.key, Zero(tracked.key, None))
    return None


def is_boundary(machine: Machine, use: Use) -> bool:
    """Whether a call that steps by itself does so in this micro-batch."""
    for name in ("update_grad", "need_update"):
        if name in use.keywords:
            value = use.keywords[name]
            known = truth(value)
            if known is None:
                learn_window(machine.plan, machine.sizes, value, "accum")
                machine.log.unsure_guards.add(use.span)
                return machine.is_now_and_then(use.span)
            machine.plan.widen(machine.sizes.handed.get(name, 0))
            return known
    return True


def _schedule(use: Use) -> Value:
    tracked = use.tracked
    if tracked is None or gated(use.machine.contexts, use.machine.ranks, tracked):
        return None
    held = tracked.make.extra.get("optimizer")
    optimizer = held.key if isinstance(held, Tracked) else None
    positional = use.options(Moves).positional or bool(use.args) or bool(use.keywords)
    made = str(tracked.make.extra.get("made", ""))
    if use.machine.stack.doing is not use.node:
        tracked.make.extra["own"] = True  # torch's give nothing back
    long, *counted = (
        tracked.make.extra.get(name) is True for name in ("long", "hidden", "epochs", "own", "nought", "told", "grows")
    )
    sizes = tracked.make.extra.get("paces")
    long = long or (isinstance(sizes, Series) and use.machine.plan.seen in sizes.items)
    counted[-2] = counted[-2] or tracked.cls is not None
    begins = str(tracked.make.extra.get("begins", ""))
    origin = tracked.origin
    names = tracked.make.kind, tracked.framework, origin, made
    beyond = positional and _is_beyond(use, tracked.make.kind)
    updates, endless = (tracked.make.extra.get(name) is True for name in ("updates", "endless"))
    detail = Schedule(positional, optimizer, *names, long, *counted, begins=begins, beyond=beyond, updates=updates)
    detail = replace(detail, endless=endless)
    use.emit(Kind.SCHEDULE, tracked.key, detail)
    return None


def _is_beyond(use: Use, kind: str) -> bool:
    """Whether a schedule is told 1, where its first place is 0: `scheduler.step(epoch)`, and the first epoch is 1.

    A run that goes on may tell it any other number.
    """
    return kind != "ReduceLROnPlateau" and exact(use.arg(0, "epoch")) == 1


def _mode(use: Use) -> Value:
    tracked = use.tracked
    if tracked is None:
        return use.receiver
    mode = "train" if use.options(Trains).train else "eval"
    if mode == "train" and use.args + list(use.keywords.values()):
        known = truth(use.arg(0, "mode", True))
        mode = "eval" if known is False else "train"
    own = tracked.innermost
    alike = has_one_mode(use.machine.program, own)
    noted = mode == "train" and is_noted(use.machine, use.node)
    chosen = not alike and mode == "eval" and may_be_without(use.machine.program, own)
    detail = Mode(alike, noted, chosen) if alike or noted or chosen else None
    if tracked.key in use.machine.training.flags:
        use.machine.training.flags[tracked.key] = mode == "train"
    for root in roots_in(tracked):
        use.machine.training.modes[root] = mode == "train"
        use.emit(Kind.TRAIN if mode == "train" else Kind.EVAL, root, detail)
    return tracked


def _average(use: Use) -> Value:
    use.emit(Kind.EMA, key_of(use.receiver))
    return None


def _set_epoch(use: Use) -> Value:
    tracked = use.tracked
    known = tracked is not None and tracked.role is Role.SAMPLER and tracked.origin == "made"
    if tracked is not None and tracked.origin == "default" and not use.machine.stack.preparing:
        use.machine.log.faults.append(f"`{use.node.text[:60]}`: a loader's own sampler has no `set_epoch`")
    if tracked is not None and tracked.make.kind == BATCHES:
        use.machine.log.faults.append(f"`{use.node.text[:60]}`: torch's batch sampler has no `set_epoch`")
        return None
    use.emit(Kind.SET_EPOCH, key_of(use.receiver) if known else "*")
    return None


STEPS: Actions = {
    Action.STEP: _step,
    Action.STEP_HOOK: _step_hook,
    Action.SAM_FIRST: _sam_first,
    Action.SAM_SECOND: _sam_second,
    Action.SCHEDULE: _schedule,
    Action.MODE: _mode,
    Action.AVERAGE: _average,
    Action.SET_EPOCH: _set_epoch,
}
"""What carries these actions out."""
