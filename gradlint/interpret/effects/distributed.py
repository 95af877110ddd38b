"""Ranks: which backward all-reduces, what switches that off, and wrappers."""

from __future__ import annotations

from collections.abc import Iterable

from gradlint.interpret.anew import name_network
from gradlint.interpret.atoms import truth
from gradlint.interpret.effects.use import Actions, Use
from gradlint.interpret.machine import Machine
from gradlint.interpret.state.training import Training
from gradlint.interpret.traits import key_of
from gradlint.interpret.values import Context, Tracked, Unknown, Value
from gradlint.model.effects import Action, By, Syncs, Wraps
from gradlint.model.events import Event, EventLog, Forward, Kind
from gradlint.model.program import Class, Read
from gradlint.model.record import replace
from gradlint.model.roles import Role
from gradlint.model.roots import within


def _wrapper_of(event: Event) -> str:
    return event.detail.wrapper if isinstance(event.detail, Forward) else ""


def _trains(training: Training, event: Event) -> bool:
    """Whether a forward has a graph that ends in its model's own parameters."""
    return isinstance(event.detail, Forward) and event.detail.attached and not training.is_frozen(event.subject)


def _is_empty(event: Event) -> bool:
    """Whether what was called has no parameters: a loss that is written by hand has none to reduce."""
    return isinstance(event.detail, Forward) and event.detail.empty


def _synchronises(event: Event) -> str:
    """The network, or the part of it, whose gradients are all-reduced after a forward."""
    return (event.detail.part if isinstance(event.detail, Forward) else "") or event.subject


def _ran_silent(event: Event) -> bool:
    return isinstance(event.detail, Forward) and event.detail.no_sync


def synchronised(
    machine: Machine, loss: Unknown, forwards: tuple[int, ...]
) -> tuple[str, bool | None, tuple[int, ...]]:
    """(wrapper, all-reduces at this backward, forwards that ran outside its `no_sync`)."""
    events = machine.log.events
    seen = [number for number in forwards if number < len(events)]
    wrapped = [number for number in seen if _wrapper_of(events[number]) and _trains(machine.training, events[number])]
    if forwards and not wrapped and len(seen) == len(forwards):
        if _bypasses(machine, seen):
            return "ddp", False, ()
        off = machine.contexts.silent()
        return "", False if off else None, ()
    if wrapped:
        roots = {_synchronises(events[number]) for number in wrapped}
        wrapper = _wrapper_of(events[wrapped[0]])
    else:
        roots = {
            root
            for root in loss.graph.models
            if root in machine.ranks.wrappers and not machine.training.is_frozen(root)
        }
        if not roots and not loss.graph.models:
            roots = set(machine.ranks.wrappers)
        if not roots:
            off = machine.contexts.silent()
            return ("", False, ()) if off or machine.ranks.off else ("", None, ())
        wrapper = machine.ranks.wrappers[min(roots)]
    if roots & machine.ranks.unsure or machine.contexts.active("may_sync") is not None:
        return wrapper, None, ()
    silent = [machine.ranks.no_sync(root, machine.contexts) for root in roots]
    off = all(silent) if wrapped or loss.graph.models else any(silent)  # whose loss it is says what it stands in
    if wrapper != "ddp" or not wrapped:
        return wrapper, not off, ()
    heard = [number for number in wrapped if not _ran_silent(events[number])]
    loud = tuple(number for number in heard if not machine.contexts.spares(_synchronises(events[number])))
    return wrapper, bool(loud if off else heard), loud if off else ()


def gone_past(machine: Machine, forwards: Iterable[int]) -> tuple[int, ...]:
    """The forwards of a loss that train what is inside DDP, or a part of it, and that it has not got ready for.

    DDP gets ready in its own forward, with gradients on, and is so until the next backward has come to its end.
    """
    if not machine.ranks.past:
        return ()
    events = machine.log.events
    past = (number for number in forwards if number in machine.ranks.past and _adds(machine.training, events[number]))
    past = (number for number in past if not any(within(events[number].subject, root) for root in machine.ranks.alone))
    return tuple(number for number in past if not _ready(machine.log, machine.training, events[number].subject))


def _bypasses(machine: Machine, forwards: list[int]) -> bool:
    """Whether DDP reduces nothing after these forwards, of which none went through it."""
    gone = gone_past(machine, forwards)
    events = [machine.log.events[number] for number in forwards if number not in gone]
    others = [event for event in events if _adds(machine.training, event)]
    return bool(gone) and not any(map(_is_assumed, events)) and all(_stands_alone(machine, event) for event in others)


def _adds(training: Training, event: Event) -> bool:
    """Whether a forward leaves gradients in parameters of its own."""
    return _trains(training, event) and not _is_empty(event)


def _is_assumed(event: Event) -> bool:
    return isinstance(event.detail, Forward) and event.detail.assumed


def _stands_alone(machine: Machine, event: Event) -> bool:
    """Whether what was called is a network of this program that is outside of DDP, and calls none that it was given."""
    inside = event.number in machine.ranks.past
    return isinstance(event.detail, Forward) and event.detail.seen and not event.detail.reaches and not inside


def _ready(log: EventLog, training: Training, root: str) -> bool:
    """Whether the wrapper itself was called, too, since the last step, that of a part or of the whole."""
    for event in reversed(log.events):
        if event.kind is Kind.STEP:
            return False
        about = event.kind is Kind.FORWARD and _runs(event, root)
        if about and _wrapper_of(event) and _trains(training, event):
            return True
    return False


def _runs(event: Event, root: str) -> bool:
    """Whether a forward is one of a network, of what it is a part of, or of what was given it."""
    reached = event.detail.reaches if isinstance(event.detail, Forward) else ()
    return any(within(root, whole) for whole in (event.subject, *reached))


def _sync_flag(use: Use) -> Value:
    tracked = use.tracked
    on = use.options(Syncs).on
    known = on if on is not None else truth(use.arg(0, "requires_gradient_sync", True))
    if tracked is not None:
        use.machine.ranks.switch(tracked.root, known)
    return None


def _no_sync(use: Use) -> Value:
    tracked = use.tracked
    if tracked is not None and tracked.role in (Role.FABRIC, Role.ACCELERATOR):
        model = use.arg(0, "module", use.arg(0, "model"))
        enabled = truth(use.arg(1, "enabled", True))
        active = use.machine.is_now_and_then(use.span) is False if enabled is None else enabled
        return Context("no_sync", target=model if isinstance(model, Tracked) else None, active=active)
    if tracked is not None and _has_no_sync(tracked) is False and not use.machine.stack.preparing:
        use.machine.log.faults.append(f"`{use.node.text[:60]}`: this wrapper has no `no_sync`")
    return Context("no_sync", target=tracked)


def _has_no_sync(tracked: Tracked) -> bool | None:
    """Whether a model can be told not to synchronise: torch's wrappers can, Apex's and a bare model cannot."""
    if tracked.distributed:
        return tracked.distributed not in ("apex", STATIC)
    return False if tracked.origin == "made" and tracked.cls is None and not tracked.framework else None


STATIC = "static"
"""DDP with `static_graph=True`: its first backward under `no_sync` raises, so every one is synchronised."""


def _wrap(use: Use) -> Value:
    wraps = use.options(Wraps)
    wrapper = wraps.wrapper
    static = use.keywords.get("static_graph", False)
    hidden = truth(static) is None or any(name.startswith("**") for name in use.keywords)
    if wrapper == "ddp" and truth(static):
        wrapper = STATIC
    value = use.arg(0, "module", use.arg(0, "model"))
    func = use.node.func
    found = use.machine.program.defined(use.machine.module, func.name) if isinstance(func, Read) else None
    own = found if isinstance(found, Class) else None
    if own is not None:  # its `__init__` takes what it likes
        given = use.values
        value = next((one for one in given if isinstance(one, Tracked) and one.role is Role.MODEL), value)
    inner = value if isinstance(value, Tracked) else None
    if inner is None and wraps.functions and value is not None:
        return value  # a compiled function does what it did before
    if inner is None:
        inner = Tracked(key_of(value), Role.MODEL)
        name_network(use.machine, inner, value, inner.key, local=False)
        use.machine.witnessed.hand_on(value, inner)
    if wrapper:
        use.machine.ranks.wrappers.setdefault(inner.root, wrapper)
        use.machine.scenario.wrapped.note(inner.root, use.machine.scenario.guards)
        if wraps.by_name or (wrapper == "ddp" and hidden):
            use.machine.ranks.hearsay.add(inner.root)
        elif wrapper == "ddp":
            use.machine.ranks.inside[inner.root] = inner.innermost
        if wrapper in ("dp", ""):
            use.machine.ranks.wrappers.pop(inner.root, None)
    if wrapper == "fsdp2":
        inner.wrapper = wrapper
        return inner
    key = f"{inner.key}:{wrapper}" if wrapper else inner.key
    if wrapper and own is None:
        use.machine.training.flags[key] = True
    return Tracked(key, Role.MODEL, own or inner.cls, "made", wrapper=wrapper, inner=inner)


def _unwrap(use: Use) -> Value:
    """`accelerator.unwrap_model(model)`: what is called by it goes past DDP."""
    model = use.arg(0, "model")
    if not isinstance(model, Tracked) or not model.distributed:
        return model
    return replace(model, wrapper="") if model.inner is None else model.innermost


def _static_graph(use: Use) -> Value:
    """`model._set_static_graph()`, the older way to say it."""
    part = use.tracked
    while part is not None and part.wrapper != "ddp":
        part = part.inner
    if part is not None:
        part.wrapper = use.machine.ranks.wrappers[part.root] = STATIC
    return None


def _rebind(use: Use) -> Value:
    value = use.arg(0, "optimizer")
    if isinstance(value, Tracked):
        value.framework = use.options(By).framework
    return value


HOLD_A_MODULE = frozenset({"ddp", "dp", "apex", "fsdp"})


DISTRIBUTED: Actions = {
    Action.STATIC_GRAPH: _static_graph,
    Action.SYNC: _sync_flag,
    Action.NO_SYNC: _no_sync,
    Action.WRAP: _wrap,
    Action.UNWRAP: _unwrap,
    Action.REBIND: _rebind,
    Action.HAS_RANKS: lambda _: True,
}
"""What carries these actions out."""
