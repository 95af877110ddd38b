"""What somebody has told of names and calls, carried out."""

from __future__ import annotations

from gradlint.interpret.calling import call_value
from gradlint.interpret.contents import things_in
from gradlint.interpret.dispatch import evaluate
from gradlint.interpret.effects.use import Use, apply
from gradlint.interpret.frame import Frame
from gradlint.interpret.machine import Machine
from gradlint.interpret.plan import Plan
from gradlint.interpret.state.objects import Objects
from gradlint.interpret.state.ranks import Ranks
from gradlint.interpret.traits import exact
from gradlint.interpret.values import Constructor, Imported, Method, Partial, Routine, Tracked, Unknown, Value
from gradlint.model.effects import Action, By, Effect, Wraps
from gradlint.model.events import Backward, EventLog, Kind, Opaque, Step, Zero
from gradlint.model.program import Item, Told
from gradlint.model.roles import Role

TOLD = "told"
"""The framework of updates that were told to be whole, and the origin of things that were told to be what they are."""


def told_value(machine: Machine, frame: Frame, node: Told) -> Value:
    """What is read under a name, with what was told of it.

    Raises:
        Restart: it is a window that was not bound yet.
    """
    value = evaluate(machine, frame, node.value)
    if node.number is not None:
        return node.number
    if node.window:
        return _window(machine.plan, node.name, value)
    if node.role is None or (isinstance(value, Tracked) and value.role is node.role and not node.wrapper):
        return value
    if isinstance(value, Unknown) or value is None:
        key = value.key if isinstance(value, Unknown) and isinstance(node.value, Item) else node.name
        return _wrapped(machine.objects, machine.ranks, machine.objects.tracked(node.role, key, TOLD), node.wrapper)
    if isinstance(value, Tracked) and value.role in (None, node.role):
        tracked = machine.objects.tracked(node.role, node.name, TOLD) if value.role is None else value
        return _wrapped(machine.objects, machine.ranks, tracked, node.wrapper)
    return value


def _window(plan: Plan, name: str, value: Value) -> Value:
    if not isinstance(value, Unknown):
        return value
    plan.bind_window(name)
    return plan.numbers.bindings.get(name, plan.window)


def _wrapped(objects: Objects, ranks: Ranks, tracked: Tracked, wrapper: str) -> Tracked:
    """A network as its wrapper; one that is wrapped in sight stays as it is."""
    if not wrapper or tracked.distributed:
        return tracked
    found = objects.known.get((Role.MODEL, f"{tracked.key}:{wrapper}"))
    if found is None:
        found = objects.tracked(Role.MODEL, f"{tracked.key}:{wrapper}", TOLD)
        found.cls, found.wrapper, found.inner = tracked.cls, wrapper, tracked
        ranks.wrappers.setdefault(tracked.root, wrapper)
    return found


def told_end(use: Use) -> Value:
    """A test that is true with the last micro-batch of each window."""
    size = exact(use.arg(0))
    if size is not None:
        use.machine.plan.widen(int(size))
    return use.machine.is_now_and_then(use.span)


def told_step(use: Use) -> Value:
    """A call that lets the optimizers step which it is given, else its own; with a scaler, by its rules."""
    scaler = _scaler(use.machine.log)
    found = _given(use) or list(_known(use.machine.log, use.machine.objects).items()) or [(_callee(use), None)]
    for key, tracked in found:
        params = tracked.params if tracked is not None else None
        if scaler is None:
            use.emit(Kind.STEP, key, Step("plain", None, "", TOLD, params))
        else:
            use.emit(Kind.UNSCALE, key)
            use.emit(Kind.STEP, key, Step("scaler", scaler, "", TOLD, params))
    if scaler is not None:
        use.emit(Kind.UPDATE, scaler)
    # what else it does, nobody sees: it may clear, too
    use.emit(Kind.OPAQUE, use.node.text, Opaque(use.node.text, frozenset(key for key, _ in found), hook=False))
    return Unknown(use.node.text, True, detached=True)


def told_update(use: Use) -> Value:
    """A call that makes a whole update; nobody looks into it."""
    loss = next((value for value in use.values if isinstance(value, Unknown) and value.graph.bases), None)
    apply(use.given([loss]), Effect(Action.LIBRARY_BACKWARD, By(TOLD)), None)
    for key, _ in _given(use) or [(_callee(use), None)]:
        use.emit(Kind.STEP, key, Step("wrapper", None, TOLD, TOLD))
        use.emit(Kind.ZERO, key, Zero(key, None))
    return Unknown(use.node.text, True, detached=True)


def told_clear(use: Use) -> Value:
    """A call that clears the gradients of the optimizers that it is given, else all."""
    keys: list[str | None] = [key for key, _ in _given(use)]
    for key in keys or [None]:
        use.emit(Kind.ZERO, use.node.text if key is None else key, Zero(key, None))
    return None


def told_wrap(use: Use) -> Value:
    """`wrap(model)` where `wrap` was told to be a wrapper; `net(x)` where `net` was told to be a wrapped network.

    A wrapper without a kind returns a network of the same parameters: the one that it is given, or a part of it.
    """
    models = [tracked for value in use.values for tracked in things_in(value) if tracked.role is Role.MODEL]
    if models or not use.options(Wraps).wrapper:
        given = models[0] if models else use.arg(0, "module", use.arg(0, "model"))
        return apply(use.given([given]), Effect(Action.WRAP, use.effect.options), None)
    if _makes(use):
        first = use.arg(0)
        given = first if isinstance(first, Unknown) and first.called else _made(use)
        return apply(use.given([given]), Effect(Action.WRAP, use.effect.options), None)
    callee = evaluate(use.machine, use.frame, use.node.func)
    return call_value(use, callee)


def _makes(use: Use) -> bool:
    """Whether what was told to be wrapped is a function that makes such a network: `wrap(build())`, `build(args)`.

    So is what is given nothing, and what is defined or imported. A network is what is called on a batch.
    """
    if any(one.kind in ("batch", "micro") for one in use.machine.course.stamp):
        return False
    func = use.node.func
    callee = evaluate(use.machine, use.frame, func.value if isinstance(func, Told) else func)
    named = isinstance(callee, (Constructor, Imported, Method, Partial, Routine))
    return (named or not use.values) and not any(isinstance(one, Unknown) and one.varying for one in use.values)


def _made(use: Use) -> Tracked:
    """The network that a function makes itself, another at each place."""
    number = use.machine.names.copy_number(use.node.text, use.span)
    return Tracked(f"{use.node.text}#{number}" if number > 1 else use.node.text, Role.MODEL, origin=TOLD)


def _callee(use: Use) -> str:
    """What is called, as the source spells it."""
    return use.node.text.partition("(")[0]


def _given(use: Use) -> list[tuple[str, Tracked | None]]:
    """The optimizers among the arguments."""
    found = [tracked for value in use.values for tracked in things_in(value) if tracked.role is Role.OPTIMIZER]
    return [(tracked.key, tracked) for tracked in found]


def _known(log: EventLog, objects: Objects) -> dict[str, Tracked | None]:
    """The optimizers that the loop has used so far, by their keys."""
    found: dict[str, Tracked | None] = {}
    for event in log.events:
        key = event.detail.optimizer if isinstance(event.detail, Zero) else None
        if isinstance(event.detail, Step) and event.detail.framework != TOLD:
            key = event.subject
        if key is not None:
            found.setdefault(key, objects.known.get((Role.OPTIMIZER, key)))
    return found


def _scaler(log: EventLog) -> str | None:
    """The scaler that has scaled what was added to the gradients last."""
    for event in reversed(log.events):
        if isinstance(event.detail, Backward):
            return event.detail.scaled_by
    return None
