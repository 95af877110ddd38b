"""Effects: what each library call does to the trail and what it returns.

One small function for each action that the vocabulary names.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from gradlint.interpret.anew import name_network
from gradlint.interpret.arithmetic import (
    averaged,
    bare,
    binary,
    divisor,
    merge,
    multiplier,
    named_divisor,
    reduced,
    smooth_of,
    terms_of,
)
from gradlint.interpret.dispatch import evaluate
from gradlint.interpret.frame import Frame
from gradlint.interpret.guards import AMP, asks, atom, by_value, decide, learn_window, settled, truth
from gradlint.interpret.layers import has_no_parameters
from gradlint.interpret.lengths import asks_elsewhere, counts_batches, counts_epochs, counts_updates, paces
from gradlint.interpret.machine import Infeasible
from gradlint.interpret.modes import is_noted
from gradlint.interpret.plan import MAX_WINDOW
from gradlint.interpret.rates import begins_at_one, factors_at, grows, has_own_rates, is_librarys, shares_of_rate
from gradlint.interpret.returned import divides_by_window
from gradlint.interpret.series import clip_factor, open_table, ordered
from gradlint.interpret.things import accumulation, attribute, boundary, counts_windows, stepped
from gradlint.interpret.told import told_clear, told_end, told_step, told_update, told_wrap
from gradlint.interpret.values import (
    GRADIENT,
    LOSS_SCALE,
    Context,
    Module,
    Parameters,
    Partial,
    Routine,
    Series,
    Table,
    Thing,
    Unknown,
    Value,
    another,
    dictionary,
    exact,
    is_number,
    key_of,
    plain,
    roots_in,
    things_in,
    unknowns_in,
)
from gradlint.libraries.vocabulary import FLOAT16_NAME, OPTIMIZERS, SCALING, SMOOTH
from gradlint.libraries.words import Words
from gradlint.model.events import (
    BY_HAND,
    Backward,
    Clipping,
    Deed,
    Event,
    Forward,
    Kind,
    Mode,
    Opaque,
    Schedule,
    Step,
    Write,
    Zero,
)
from gradlint.model.factor import ONE, UNKNOWN_FACTOR, Factor, Part, common, computed
from gradlint.model.finding import Span
from gradlint.model.program import (
    Arith,
    Attr,
    Call,
    Closure,
    Const,
    Display,
    Effect,
    Expr,
    Function,
    ParameterLoop,
    Read,
    Role,
)
from gradlint.model.roots import overlaps

if TYPE_CHECKING:
    from gradlint.interpret.machine import Machine

Arguments = dict[str, Value]


def apply(
    machine: Machine,
    frame: Frame,
    node: Call,
    effect: Effect,
    receiver: Value,
    args: list[Value],
    keywords: Arguments,
) -> Value:
    """Carry out an effect."""
    use = Use(machine, frame, node, effect, receiver, args, keywords)
    return _ACTIONS[effect.action](use)


class Use:
    """One use of an effect, with helpers to read its arguments."""

    __slots__ = ("args", "effect", "frame", "keywords", "machine", "node", "receiver")

    def __init__(
        self,
        machine: Machine,
        frame: Frame,
        node: Call,
        effect: Effect,
        receiver: Value,
        args: list[Value],
        keywords: Arguments,
    ) -> None:
        self.machine = machine
        self.frame = frame
        self.node = node
        self.effect = effect
        self.receiver = receiver
        self.args = args
        self.keywords = keywords

    def arg(self, position: int | None, name: str = "", default: Value = None) -> Value:
        """The argument of that name or position."""
        if name and name in self.keywords:
            return self.keywords[name]
        if position is not None and position < len(self.args):
            return self.args[position]
        return default

    @property
    def span(self) -> Span:
        """Where the call stands."""
        return self.node.span

    @property
    def thing(self) -> Thing | None:
        """The receiver, when it is a thing."""
        return self.receiver if isinstance(self.receiver, Thing) else None

    def emit(self, kind: Kind, subject: str, detail: object = None) -> int:
        """Write an event at this call."""
        return self.machine.emit(kind, self.span, subject, self.node.text, detail)  # type: ignore[arg-type]  # every detail


# -------------------------------------------------------------------------- forward, loss


def forward(
    machine: Machine,
    node: Call,
    thing: Thing,
    args: list[Value],
    keywords: Arguments,
    assumed: bool = False,
) -> Value:
    """A model is called."""
    root = thing.root
    part = "" if thing.distributed else machine.wrapped_part(root, thing)
    inputs = [value for value in (*args, *keywords.values()) if isinstance(value, Unknown)]
    past = not thing.distributed and thing.innermost is machine.models.inside.get(root)
    detail = Forward(
        thing.distributed or ("ddp" if part else ""),
        machine.no_sync(part or root),
        not machine.gradients_off,
        machine.autocast,
        assumed,
        root in machine.models.hearsay,
        part,
        machine.repeating > 0,
        past,
        has_no_parameters(machine, thing.innermost),
    )
    number = machine.emit(Kind.FORWARD, node.span, root, node.text, detail)
    if past:
        machine.models.past.add(number)
    result = merge(node.text, [part for value in (*args, *keywords.values()) for part in unknowns_in(value)])
    result.varying = True
    result.called = True
    weighed = "num_items_in_batch" in keywords or any(value.weighs for value in inputs)
    owner = thing
    made = machine.method(thing.cls, "forward") if thing.cls is not None else None
    if made is None and thing.inner is not None and thing.inner.cls is not None:
        owner, made = thing.inner, machine.method(thing.inner.cls, "forward")
    if thing.cls is None:
        machine.models.foreign.add(root)
    weighed = weighed or (made is not None and (made[0].weighs or divides_by_window(machine, owner, made[0])))
    result.factor = UNKNOWN_FACTOR if weighed else ONE
    result.terms = ()
    result.kept = frozenset()
    result.summed = made is not None and (made[0].sums or _holds_sum(thing, made[0]))
    result.mean = made is not None and _averages(machine, owner, made[0])
    result.detached = machine.gradients_off
    if machine.gradients_off:
        result.models = frozenset()  # no backward gets there
    elif not machine.is_frozen(root):
        result.models |= {root}
    result.bases = frozenset((machine.fresh(),))
    if number >= 0 and detail.attached and not assumed and not machine.is_frozen(root):
        result.smooth = result.bases
        machine.spent.outputs |= dict.fromkeys(result.bases, number)
    if number >= 0:
        result.forwards |= {number}
        machine.inputs[number] = tuple(value.key for value in inputs)
    return result


def _averages(machine: Machine, owner: Thing, method: Function) -> bool:
    """Whether a method reduces by the mean: by itself, by a criterion that it holds, or by a function of the file."""
    if method.averages:
        return True
    functions = machine.program.functions
    helpers = [functions[name] for name in sorted(method.called) if name in functions]
    if any("sum" in one.called or one.sums or one.divides or one.weighs for one in (method, *helpers)):
        return False
    if _holds_sum(owner, method):
        return False
    held = {name for name, part in owner.attrs.items() if isinstance(part, Thing) and part.kind == "mean"}
    return not held.isdisjoint(method.called) or any(one.averages for one in helpers)


def _holds_sum(thing: Thing, method: Function) -> bool:
    """Whether an object keeps a criterion that sums, and its method calls it."""
    held = {name for name, part in thing.attrs.items() if isinstance(part, Thing) and part.kind == "sum"}
    return bool(held) and not held.isdisjoint(method.called)


def linear(machine: Machine, base: Unknown, name: str, args: list[Value], by: Expr | None = None) -> Unknown:
    """A tensor method that keeps the factor, or divides or multiplies by its argument, `by` in the source."""
    key = f"{base.key}.{name}()"
    op = SCALING.get(name.rstrip("_"))
    if op == "/" and args and machine.own_size(base, args[0]):
        return averaged(key, base)
    if op is not None and args:
        literal = by is not None and bare(by)
        factor = divisor(args[0], literal) if op == "/" else multiplier(args[0], literal)
        if factor.weight is None or factor.weight == 0:
            lost = base.under(key)
            lost.factor, lost.terms = UNKNOWN_FACTOR, ()
            return lost
        product = base.multiplied(key, factor)
        return named_divisor(product, base, by) if op == "/" and by is not None else product
    result = base.under(key)
    if name not in SMOOTH or machine.gradients_off:
        result.smooth = frozenset()
    if name in ("sum", "mean", "nanmean"):
        result.factor = reduced(result.factor)
    if name == "sum":
        result.summed, result.mean = True, False
    elif name in ("mean", "nanmean"):
        result.summed, result.mean = False, True
    return result


def _forward(use: Use) -> Value:
    thing = use.thing
    if thing is None:
        return Unknown(use.node.text, True)
    if use.effect.option("detached"):  # `generate` is decorated with `no_grad`
        use.emit(Kind.FORWARD, thing.root, Forward(thing.distributed, False, False, use.machine.autocast, True))
        return Unknown(use.node.text, True, detached=True)
    return forward(use.machine, use.node, thing, use.args, use.keywords)


def _scale(use: Use) -> Value:
    value = use.arg(0, "outputs", use.arg(0, "loss"))
    scaler = use.thing
    if isinstance(value, Series):
        value = value.items[0] if value.items else None
    if not isinstance(value, Unknown):
        number = is_number(value)
        value = Unknown(use.node.text, True, bases=frozenset((use.machine.fresh(),)))
        value.factor = UNKNOWN_FACTOR if number else ONE  # a loss that nobody saw being added up
    if scaler is None or not _enabled(use.machine, scaler) or not _switched_on(use.machine, scaler.enabled):
        return value
    if id(scaler) in use.machine.scalers:
        use.machine.scalers[scaler.key] = use.machine.scalers[id(scaler)]
    switch = key_of(scaler.enabled)
    asked = truth(scaler.enabled) is None and not by_value(use.machine, scaler.enabled) and FLOAT16_NAME.search(switch)
    if (asked and switch not in use.machine.low_switches) or "float16" in scaler.extra:
        use.machine.unsure_scalers.add(scaler.key)
    if value.scaled_by == scaler.key:
        use.machine.trail.faults.append(f"`{use.node.text[:60]}` scales what is scaled already")
    return _scaled(value, use.node.text, scaler)


def _scaled(loss: Unknown, key: str, scaler: Thing) -> Unknown:
    scaled = loss.under(key)
    scaled.rescaled = loss.scaled_by is not None
    scaled.scaled_by = scaler.key
    return scaled


def _enabled(machine: Machine, scaler: Thing) -> bool:
    """False when this world knows the scaler to be switched off."""
    return settled(machine, scaler.enabled) is not False


def _switched_on(machine: Machine, enabled: Value) -> bool:
    """Whether a scaler is on that a condition of its own switches: from now on that is decided, for all who ask it."""
    if truth(enabled) is not None or atom(enabled)[0] == AMP or (isinstance(enabled, Unknown) and enabled.varying):
        return True
    return decide(machine, enabled, True, 0)


def _is_enabled(use: Use) -> Value:
    return use.thing.enabled if use.thing is not None else Unknown(use.node.text)


def _loss_scale(use: Use) -> Value:
    """`scaler.get_scale()`: what scaled gradients, and limits for these, are multiplied by."""
    return Unknown(use.node.text, True, detached=True, leaves=frozenset((use.node.text, LOSS_SCALE)))


# ------------------------------------------------------------------------------- backward


def _backward(use: Use) -> Value:
    value = use.receiver if use.receiver is not None else use.arg(0, "tensors")
    if isinstance(value, Series):
        value = value.items[-1] if value.items else None
    loss = value if isinstance(value, Unknown) else None
    weight = use.arg(
        0 if use.receiver is not None else 1,
        "gradient" if use.receiver is not None else "grad_tensors",
    )
    if weight is not None and loss is not None:
        loss = _weighted(loss, weight)
    chosen = use.keywords.get("inputs")
    if chosen is not None:
        loss = (loss or Unknown(use.node.text, True)).under(loss.key if loss else use.node.text)
        loss.models = roots_of(chosen) or frozenset()
    _emit_backward(use, loss, "", chosen=chosen is not None)
    return None


def _weighted(loss: Unknown, weight: Value) -> Unknown:
    """A loss whose backward begins with a gradient of its own: `loss.backward(scaler.scale(torch.ones(())))`."""
    weighted = loss.multiplied(loss.key, multiplier(weight))
    if isinstance(weight, Unknown) and weight.scaled_by is not None:
        weighted.rescaled = loss.scaled_by is not None
        weighted.scaled_by = weight.scaled_by
    return weighted


def _framework_backward(use: Use) -> Value:
    framework = str(use.effect.option("framework", ""))
    value = use.arg(0, "loss")
    loss = value if isinstance(value, Unknown) else None
    twice = ""
    if framework == "accelerate":
        accelerator = use.thing
        steps = accumulation(use.machine, accelerator) if accelerator is not None else 1
        factor = _hidden(Fraction(steps), "Accelerate")
        if accelerator is not None and (accelerator.extra.get("given") or not counts_windows(use.machine, accelerator)):
            factor = UNKNOWN_FACTOR
        if steps > 1:
            twice = _divided_before(loss, accelerator, steps)
            loss = Unknown(use.node.text, True) if loss is None else loss
            loss = loss.multiplied(loss.key, factor)
    if framework == "engine" and loss is not None and use.thing is not None:
        loss = _by_engine(loss, exact(use.thing.extra.get("steps")))
    inside = use.thing is not None and use.thing.extra.get("scales") is True
    _emit_backward(use, loss, framework, inside=inside, twice=twice)
    return None


def _divided_before(loss: Unknown | None, accelerator: Thing | None, steps: int) -> str:
    """The name of an accelerator's window, when a loss was divided by that already: each of its terms, whole."""
    name = str(accelerator.extra.get("window", "")) if accelerator is not None else ""
    if loss is None or not name:
        return ""
    factors = [term.factor for term in loss.terms or (loss,)]
    twice = all(name in factor.texts and computed(factor) in (None, Fraction(1, steps)) for factor in factors)
    return name if twice else ""


def _hidden(steps: Fraction, library: str) -> Factor:
    """What a library divides by in its `backward`."""
    return Factor.of(Part(1 / steps, _GAS, divides=True, library=library)) if steps > 1 else ONE


def _by_engine(loss: Unknown, steps: Fraction | None) -> Unknown:
    """A loss that DeepSpeed divides by its window; what divided it by the same number before was the window, too."""
    if steps is None:
        return loss.multiplied(loss.key, UNKNOWN_FACTOR)
    if steps > 1 and loss.factor.weight == 1 / steps:
        loss = loss.multiplied(loss.key, Factor.of(Part(Fraction(1), _GAS, divides=True)))
    return loss.multiplied(loss.key, _hidden(steps, "DeepSpeed"))


def _puts_aside(machine: Machine) -> bool:
    """Whether Apex puts the gradients aside that came before: not those that it has left scaled."""
    apex = next((context for context in reversed(machine.contexts) if context.kind == "apex"), None)
    if apex is None:
        return False
    left_scaled, machine.left_scaled = machine.left_scaled, apex.delayed
    return not left_scaled


def _emit_backward(
    use: Use,
    loss: Unknown | None,
    framework: str,
    *,
    inside: bool = False,
    twice: str = "",
    chosen: bool = False,
) -> None:
    machine = use.machine
    if loss is None:
        loss = Unknown(use.node.text, True)
    forwards = tuple(sorted(loss.forwards))
    wrapper, synced, outside = _synchronised(machine, loss, forwards)
    for factor in machine.on_the_way.values():
        loss = loss.multiplied(loss.key, factor)
    factor = common(term.factor for term in loss.terms) if loss.terms else loss.factor
    if factor.varying or _mixes_batches(machine, forwards):
        factor = UNKNOWN_FACTOR
    detail = Backward(
        factor=factor,
        known=factor.weight is not None,
        scaled_by=loss.scaled_by,
        rescaled=loss.rescaled,
        models=loss.models,
        forwards=forwards,
        bases=loss.bases,
        kept=loss.kept,
        smooth=loss.smooth,
        loss=loss.key,
        wrapper=wrapper,
        synced=synced,
        outside=outside,
        autocast=machine.autocast,
        framework=framework or ("accelerate" if machine.active("accumulate") else ""),
        summed=loss.summed,
        averaged=loss.mean and not loss.summed,
        terms=max(1, len(loss.terms)),
        scaler_sure=loss.scaled_by not in machine.unsure_scalers,
        inside=inside,
        twice=twice,
        enclosed=machine.active("apex") is not None,
        stashed=_puts_aside(machine),
        scaler_made=machine.scalers.get(loss.scaled_by or ""),
        counted=machine.accumulated if _may_count(machine) else None,
        chosen=chosen,
    )
    use.emit(Kind.BACKWARD, loss.key, detail)
    if loss.graphless or (machine.gradients_off and not _has_graph(machine, forwards)):
        machine.trail.faults.append(f"`{use.node.text[:60]}` goes back from what has no graph")
    if truth(use.keywords.get("retain_graph", False)) is False:
        machine.spend(loss)


def _has_graph(machine: Machine, forwards: Iterable[int]) -> bool:
    """Whether a loss comes from a model that was called with gradients on."""
    events = machine.trail.events
    found = (events[number].detail for number in forwards if number < len(events))
    return any(isinstance(detail, Forward) and detail.attached for detail in found)


def _may_count(machine: Machine) -> bool:
    """Whether Accelerate may keep optimizers from stepping: one that was made here does in `accumulate` only."""
    accelerator = machine.accelerator
    if accelerator is None:
        return machine.active("accumulate") is not None
    return accelerator.origin != "made" or machine.accumulated > 0


def _mixes_batches(machine: Machine, forwards: tuple[int, ...]) -> bool:
    """A loss that reuses what other iterations computed without gradients (gradient caching)."""
    events = machine.trail.events
    for number in forwards:
        event = events[number] if number < len(events) else None
        detached = event is not None and isinstance(event.detail, Forward) and not event.detail.attached
        if event is not None and detached and event.stamp != machine.stamp[: len(event.stamp)]:
            return True
    return False


def _wrapper_of(event: Event) -> str:
    return event.detail.wrapper if isinstance(event.detail, Forward) else ""


def _trains(machine: Machine, event: Event) -> bool:
    """Whether a forward has a graph that ends in its model's own parameters."""
    return isinstance(event.detail, Forward) and event.detail.attached and not machine.is_frozen(event.subject)


def _synchronises(event: Event) -> str:
    """The network, or the part of it, whose gradients are all-reduced after a forward."""
    return (event.detail.part if isinstance(event.detail, Forward) else "") or event.subject


def _ran_silent(event: Event) -> bool:
    return isinstance(event.detail, Forward) and event.detail.no_sync


def _synchronised(
    machine: Machine, loss: Unknown, forwards: tuple[int, ...]
) -> tuple[str, bool | None, tuple[int, ...]]:
    """(wrapper, all-reduces at this backward, forwards that ran outside its `no_sync`)."""
    events = machine.trail.events
    seen = [number for number in forwards if number < len(events)]
    wrapped = [number for number in seen if _wrapper_of(events[number]) and _trains(machine, events[number])]
    if forwards and not wrapped and len(seen) == len(forwards):
        if _bypasses(machine, seen):
            return "ddp", False, ()
        off = any(context.kind == "no_sync" and context.active for context in machine.contexts)
        return "", False if off else None, ()
    if wrapped:
        roots = {_synchronises(events[number]) for number in wrapped}
        wrapper = _wrapper_of(events[wrapped[0]])
    else:
        roots = {root for root in loss.models if root in machine.wrappers and not machine.is_frozen(root)}
        if not roots and not loss.models:
            roots = set(machine.wrappers)
        if not roots:
            off = any(context.kind == "no_sync" and context.active for context in machine.contexts)
            return ("", False, ()) if off or machine.sync_off else ("", None, ())
        wrapper = machine.wrappers[min(roots)]
    if roots & machine.sync_unsure or machine.active("may_sync") is not None:
        return wrapper, None, ()
    off = all(machine.no_sync(root) for root in roots)
    if wrapper != "ddp" or not wrapped:
        return wrapper, not off, ()
    loud = tuple(number for number in wrapped if not _ran_silent(events[number]))
    return wrapper, bool(loud), loud if off else ()


def _bypasses(machine: Machine, forwards: list[int]) -> bool:
    """Whether all forwards call the network inside DDP, which gets ready to all-reduce in its own forward only."""
    if not machine.models.past:
        return False
    events = machine.trail.events
    inner = {events[number].subject for number in forwards if _trains(machine, events[number])}
    plain = not any(isinstance(detail := events[number].detail, Forward) and detail.assumed for number in forwards)
    past = machine.models.past.issuperset(number for number in forwards if _trains(machine, events[number]))
    return bool(inner) and plain and past and not any(_ready(machine, root) for root in inner)


def _ready(machine: Machine, root: str) -> bool:
    """Whether the wrapper itself was called, too, since the last step."""
    for event in reversed(machine.trail.events):
        if event.kind is Kind.STEP:
            return False
        if event.kind is Kind.FORWARD and event.subject == root and _wrapper_of(event) and _trains(machine, event):
            return True
    return False


# ------------------------------------------------------------------------- zero and clip


def _zero(use: Use) -> Value:
    thing = use.thing
    machine = use.machine
    if thing is None:
        key = key_of(use.receiver)
        use.emit(Kind.ZERO, key, Zero(None, None, roots=frozenset((key,))))
        return None
    if thing.role is Role.OPTIMIZER or thing.role is Role.SCALER:
        if _gated(machine, thing):
            return None
        use.emit(Kind.ZERO, thing.key, Zero(thing.key, None))
    elif thing.role in (Role.MODEL, Role.ENGINE):
        for root in roots_in(thing):
            use.emit(Kind.ZERO, root, Zero(None, root))
    else:
        use.emit(Kind.ZERO, thing.key, Zero(None, None, roots=frozenset((thing.key,))))
    return None


def _gated(machine: Machine, thing: Thing) -> bool:
    """True while Accelerate keeps a prepared optimizer or scheduler from acting."""
    accelerator = machine.accelerator
    if accelerator is None or not machine.accumulated or machine.syncing:
        return False
    if thing.framework:
        return thing.framework == "accelerate"
    known_bare = thing.role is Role.SCHEDULER and thing.origin == "made" and machine.prepared
    return machine.active("accumulate") is not None and not known_bare


def _is_input(machine: Machine, value: Value) -> bool:
    """Whether it is a batch, or something made for it (`delta`): a parameter is not another one in each iteration."""
    if not isinstance(value, Unknown) or not value.varying:
        return False
    return value.called or value.detached or any(value.key.startswith(f"{key}[*]") for key in machine.plan.loaders)


def write_gradients(machine: Machine, frame: Frame, node: ParameterLoop) -> None:
    """A hand-written loop over gradients."""
    value = evaluate(machine, frame, node.parameters)
    if node.single and node.action != "set" and _is_input(machine, value):
        return
    roots = roots_of(value)
    if isinstance(value, Parameters):
        value.consume()
    number = None if node.factor is None else evaluate(machine, frame, node.factor)
    subject = "/".join(sorted(roots)) if roots else key_of(value)
    if node.action == "zero":
        picked = value.some if isinstance(value, Parameters) else ""
        over = subject if node.single or not roots else picked
        cleared = Zero(None, _single(roots), hand_written=True, over=over, roots=roots or frozenset())
        machine.emit(Kind.ZERO, node.span, subject, "", cleared)
    elif node.action == "move":
        machine.emit(Kind.WRITE, node.span, subject, "", Write(roots, UNKNOWN_FACTOR, brought=True, moved=True))
    elif node.action == "clip":
        machine.emit(Kind.CLIP, node.span, subject, "", Clipping(roots, False, False, "tensor", False))
    elif node.action == "scale" and clip_factor(number):
        machine.emit(Kind.CLIP, node.span, subject, "", Clipping(roots, False, False, BY_HAND, False))
    else:
        text = key_of(number) if number is not None else ""
        factor = UNKNOWN_FACTOR if node.factor is None else _written(machine, frame, node.factor)
        brought, adds = node.action == "set", node.action == "add"
        machine.emit(Kind.WRITE, node.span, subject, text, Write(roots, factor, brought=brought, adds=adds))


def _written(machine: Machine, frame: Frame, node: Expr) -> Factor:
    """What gradients are multiplied by; `1 / n` stands for a division."""
    if isinstance(node, Arith) and node.op == "/" and isinstance(node.left, Const):
        factor = divisor(evaluate(machine, frame, node.right), bare(node.right))
        named = isinstance(node.right, (Read, Attr)) and factor.weight is not None
        return factor.called(node.right.name) if named else factor  # type: ignore[union-attr]  # it has a name
    return multiplier(evaluate(machine, frame, node), bare(node))


def _single(roots: frozenset[str] | None) -> str | None:
    return next(iter(roots)) if roots and len(roots) == 1 else None


def roots_of(value: Value) -> frozenset[str] | None:
    """Whose parameters a value holds, `None` when nobody can see it."""
    if isinstance(value, Parameters):
        return value.roots or None
    if isinstance(value, Thing):
        if value.role in (Role.MODEL, Role.ENGINE):
            return frozenset((value.root,))
        return value.params if value.role is Role.OPTIMIZER else None
    if isinstance(value, Series):
        found = [roots_of(item) for item in value.items]
        known = [roots for roots in found if roots]
        return frozenset().union(*known) if known and len(known) == len(found) else None
    if isinstance(value, Table):
        return roots_of(value.items.get("params"))
    return None


def _clip(use: Use) -> Value:
    by = str(use.effect.option("by", "norm"))
    value = use.arg(0, "parameters")
    limit = use.arg(1, str(use.effect.option("limit", "max_norm")))
    if use.thing is not None and use.thing.role is Role.FABRIC:
        limit = use.keywords.get("max_norm", use.keywords.get("clip_val"))
    exhausted = isinstance(value, Parameters) and not value.consume()
    if use.keywords.get("clip_grad") is False:  # a project's own, that only measures
        return Unknown(use.node.text, True, detached=True)
    roots = roots_of(value)
    unscales = bool(use.effect.option("unscales", False))
    subject = "/".join(sorted(roots)) if roots else key_of(value)
    per_tensor = isinstance(value, Unknown) and value.key.endswith("[*]") and "param" in value.key
    enclosed = use.machine.active("apex") is not None
    detail = Clipping(
        roots,
        _infinite(limit),
        exhausted,
        "tensor" if per_tensor else by,
        unscales,
        enclosed=enclosed,
        scaled=isinstance(limit, Unknown) and LOSS_SCALE in limit.leaves,
    )
    use.emit(Kind.CLIP, subject, detail)
    return Unknown(use.node.text, True, detached=True, leaves=frozenset((use.node.text, GRADIENT)))


def _infinite(limit: Value) -> bool:
    if isinstance(limit, float) and (math.isinf(limit) or limit >= 1e6):
        return True
    if is_number(limit):
        number = exact(limit)
        return number is not None and number >= 1_000_000
    return isinstance(limit, Module) and limit.name.split(".")[-1] in (
        "inf",
        "Inf",
        "infty",
        "PINF",
    )


def _clip_own(use: Use) -> Value:
    """`optimizer.clip_grad_norm(...)`, `fsdp_model.clip_grad_norm_(...)`: a clip of its own parameters."""
    thing = use.thing
    if thing is None:
        return _clip(use)
    roots = frozenset((thing.root,)) if thing.role is not Role.OPTIMIZER else thing.params
    limit = use.arg(0, "max_norm")
    detail = Clipping(roots, _infinite(limit), False, "norm", unscales=thing.role is Role.OPTIMIZER)
    use.emit(Kind.CLIP, thing.key, detail)
    return Unknown(use.node.text, True, detached=True)


def _grad_write(use: Use) -> Value:
    use.emit(Kind.WRITE, key_of(use.receiver), Write(roots_of(use.receiver), multiplier(use.arg(0))))
    return None


# ----------------------------------------------------------------------------------- step


def _optimizer_of(use: Use) -> Thing | None:
    position = use.effect.option("optimizer")
    if isinstance(position, int):
        value = use.arg(position, "optimizer")
        return value if isinstance(value, Thing) else None
    return use.thing


def _step(use: Use) -> Value:
    thing = _optimizer_of(use)
    if thing is None:
        return Unknown(use.node.text, True)
    closure = use.arg(0, "closure") if use.effect.option("optimizer") is None else None
    if isinstance(closure, str) or "scaler" in use.keywords:  # several optimizers by name: no optimizer of torch
        use.emit(Kind.OPAQUE, use.node.text, Opaque(use.node.text, frozenset((thing.key,)), hook=False))
        return Unknown(use.node.text, True)
    if isinstance(closure, Unknown) and closure.bases:
        use.emit(Kind.STEP, thing.key, Step("wrapper", None, "wrapper", thing.origin))
        return None
    result: Value = Unknown(use.node.text, True)
    if isinstance(closure, (Routine, Partial)):
        result = _run_closure(use, closure)
    if _gated(use.machine, thing):
        return result
    if use.effect.option("optimizer") is None and use.keywords.keys() - {"closure"}:
        # no step of torch's: it may divide by what it is told
        may = Opaque(use.node.text, frozenset((thing.key,)), hook=False, may=frozenset({Deed.RESCALE}))
        use.emit(Kind.OPAQUE, use.node.text, may)
    framework = thing.framework
    plain = framework in ("", "fabric", "lightning", "horovod", "accelerate", "apex")
    via = str(use.effect.option("via", "plain" if plain else framework))
    _run_hooks(use, thing, "before")
    use.emit(Kind.STEP, thing.key, _stepped(use.machine, thing, via, closure=closure is not None))
    _run_hooks(use, thing, "after")
    return result


def _step_hook(use: Use) -> Value:
    """What an optimizer is told to call before, or after, each step of its own."""
    hook, when = use.arg(0, "hook"), str(use.effect.option("when"))
    if use.thing is not None and isinstance(hook, (Routine, Partial)):
        held = use.thing.extra.setdefault(when, Series([]))
        if isinstance(held, Series) and key_of(hook) not in map(key_of, held.items):
            held.items.append(hook)
    return Unknown(use.node.text)


def _run_hooks(use: Use, optimizer: Thing, when: str) -> None:
    from gradlint.interpret.calls import call_value

    held = optimizer.extra.get(when)
    for hook in held.items if isinstance(held, Series) else ():
        call_value(use.machine, use.frame, use.node, hook, [optimizer, Series([], "tuple"), Table({})], {})


def _stepped(machine: Machine, thing: Thing, via: str, scaler: str | None = None, *, closure: bool = False) -> Step:
    """The step of an optimizer; it owns a model, too, that was made of one whose parameters it has."""
    params = thing.params
    if params:
        params |= {root for root, parts in machine.made_of.items() if overlaps(parts, params)}
    bare, by = thing.extra.get("bare") is True, thing.extra.get("shared")
    shared = frozenset(one for one in (by.items if isinstance(by, Series) else ()) if isinstance(one, int))
    given = str(thing.extra.get("given", ""))
    return Step(via, scaler, thing.framework, thing.origin, params, closure, thing.library, bare, shared, given)


def _run_closure(use: Use, closure: Routine | Partial) -> Value:
    from gradlint.interpret.calls import call_value

    with use.machine.entered(Context("set_grad")):  # torch's optimizers see to it
        return call_value(use.machine, use.frame, use.node, closure, [], {})


def _scaler_step(use: Use) -> Value:
    optimizer = stepped(use.machine, use.arg(0, "optimizer"))
    scaler = use.thing
    result = Unknown(use.node.text, True)
    if not isinstance(optimizer, Thing) or scaler is None:
        return result
    closure = use.arg(1)
    if isinstance(closure, (Routine, Partial)):
        _run_closure(use, closure)
    if _gated(use.machine, optimizer):
        return result  # the scaler calls a step that Accelerate has wrapped
    if "scale" in use.keywords or "grad_scale" in use.keywords:
        use.emit(Kind.WRITE, optimizer.key, Write(optimizer.params, UNKNOWN_FACTOR))
    via = "scaler" if _enabled(use.machine, scaler) else "plain"
    if via == "plain":
        _run_hooks(use, optimizer, "before")  # else the scaler has divided before they run
    use.emit(
        Kind.STEP,
        optimizer.key,
        _stepped(use.machine, optimizer, via, scaler.key),
    )
    _run_hooks(use, optimizer, "after")
    return result


def _unscale(use: Use) -> Value:
    optimizer = stepped(use.machine, use.arg(0, "optimizer"))
    scaler = use.thing
    if scaler is not None and not _enabled(use.machine, scaler):
        return None
    subject = optimizer.key if isinstance(optimizer, Thing) else "*"
    use.emit(Kind.UNSCALE, subject)
    return None


def _framework_unscale(use: Use) -> Value:
    if use.thing is not None and use.thing.extra.get("scales") is True:
        use.emit(Kind.UNSCALE, "*")
    return None


def _scaler_update(use: Use) -> Value:
    scaler = use.thing
    if scaler is not None and _enabled(use.machine, scaler):
        use.emit(Kind.UPDATE, scaler.key)
    return None


def _sam_first(use: Use) -> Value:
    thing = use.thing
    if thing is not None:
        thing.kind = "sam"
        if truth(use.arg(0, "zero_grad", True)) is not False:
            use.emit(Kind.ZERO, thing.key, Zero(thing.key, None, hand_written=True))
    return None


def _sam_second(use: Use) -> Value:
    thing = use.thing
    if thing is not None:
        use.emit(Kind.STEP, thing.key, replace(_stepped(use.machine, thing, "plain"), framework="sam"))
        if truth(use.arg(0, "zero_grad", False)) is not False:
            use.emit(Kind.ZERO, thing.key, Zero(thing.key, None))
    return None


def _engine_step(use: Use) -> Value:
    key = key_of(use.receiver)
    use.emit(Kind.STEP, key, Step("engine", None, "engine", "engine"))
    return None


def _engine_window(use: Use) -> Value:
    """`engine.gradient_accumulation_steps()`: what DeepSpeed was told, else a window of the usual size."""
    thing = use.thing
    if thing is None:
        return Unknown(use.node.text)
    told = thing.extra.get("steps")
    if told is None or isinstance(told, Unknown):
        key = told.key if isinstance(told, Unknown) else f"{thing.key}.{_GAS}"
        use.machine.plan.bind_window(key)
        thing.extra["steps"] = use.machine.unknown(key)
    return thing.extra["steps"]


def _framework_update(use: Use) -> Value:
    value = use.arg(0, "loss")
    _emit_backward(use, value if isinstance(value, Unknown) else None, "mmengine")
    use.emit(Kind.STEP, key_of(use.receiver), Step("wrapper", None, "mmengine", "engine"))
    return None


def _scaler_call(use: Use) -> Value:
    """timm: one call scales, runs backward and, at a boundary, unscales, clips, steps and updates."""
    machine = use.machine
    scaler = use.thing
    loss = use.arg(0, "loss")
    optimizer = use.arg(1, "optimizer")
    scaled = _scaled(loss, loss.key, scaler) if isinstance(loss, Unknown) and scaler is not None else None
    if scaled is not None and machine.active("accumulate") is not None:
        scaled.factor = UNKNOWN_FACTOR  # Accelerate's own backward divides, and it may be called in there
    _emit_backward(use, scaled, "")
    if not isinstance(optimizer, Thing):
        return Unknown(use.node.text, True, detached=True)
    if _boundary(machine, use) and not _gated(machine, optimizer):
        use.emit(Kind.UNSCALE, optimizer.key)
        clip = use.keywords.get("clip_grad")
        if clip is not None:
            roots = roots_of(use.keywords.get("parameters"))
            use.emit(Kind.CLIP, optimizer.key, Clipping(roots, False, False, "norm", unscales=True))
        key = scaler.key if scaler is not None else None
        use.emit(
            Kind.STEP,
            optimizer.key,
            _stepped(machine, optimizer, "scaler", key),
        )
        if key is not None:
            use.emit(Kind.UPDATE, key)
    return Unknown(use.node.text, True, detached=True)


def _boundary(machine: Machine, use: Use) -> bool:
    for name in ("update_grad", "need_update"):
        if name in use.keywords:
            value = use.keywords[name]
            known = truth(value)
            if known is None:
                learn_window(machine, value, "accum")
                machine.trail.unsure_guards.add(use.span)
                return machine.turn_of(use.span)
            machine.plan.widen(machine.handed.get(name, 0))
            return known
    return True


# ----------------------------------------------------------------- schedules, modes, sync


def _schedule(use: Use) -> Value:
    thing = use.thing
    if thing is None or _gated(use.machine, thing):
        return None
    held = thing.extra.get("optimizer")
    optimizer = held.key if isinstance(held, Thing) else None
    positional = bool(use.effect.option("positional", False)) or bool(use.args) or bool(use.keywords)
    made = str(thing.extra.get("made", ""))
    if use.machine.doing is not use.node:
        thing.extra["own"] = True  # torch's give nothing back
    long, *counted = (
        thing.extra.get(name) is True for name in ("long", "hidden", "epochs", "own", "nought", "told", "grows")
    )
    sizes = thing.extra.get("paces")
    long = long or (isinstance(sizes, Series) and use.machine.plan.seen in sizes.items)
    counted[-2] = counted[-2] or thing.cls is not None
    begins = str(thing.extra.get("begins", ""))
    origin = thing.origin
    detail = Schedule(positional, optimizer, thing.kind, thing.framework, origin, made, long, *counted, begins=begins)
    use.emit(Kind.SCHEDULE, thing.key, detail)
    return None


def _mode(use: Use) -> Value:
    thing = use.thing
    if thing is None:
        return use.receiver
    mode = use.effect.option("mode")
    if mode == "train" and use.args + list(use.keywords.values()):
        known = truth(use.arg(0, "mode", True))
        mode = "eval" if known is False else "train"
    alike, noted = thing.innermost.extra.get("one mode") is True, mode == "train" and is_noted(use.machine, use.node)
    detail = Mode(alike, noted) if alike or noted else None
    for root in roots_in(thing):
        use.machine.modes[root] = mode == "train"
        use.emit(Kind.TRAIN if mode == "train" else Kind.EVAL, root, detail)
    return thing


def _freeze(use: Use) -> Value:
    if use.thing is not None:
        use.machine.freeze(frozenset((use.thing.root,)), truth(use.arg(0, "requires_grad", True)))
    return use.receiver


def _sync_flag(use: Use) -> Value:
    thing = use.thing
    on = use.effect.option("on")
    known = on if isinstance(on, bool) else truth(use.arg(0, "requires_gradient_sync", True))
    if thing is not None:
        use.machine.switch_sync(thing.root, known)
    return None


def _ema(use: Use) -> Value:
    use.emit(Kind.EMA, key_of(use.receiver))
    return None


def _set_epoch(use: Use) -> Value:
    thing = use.thing
    known = thing is not None and thing.role is Role.SAMPLER and thing.origin == "made"
    if thing is not None and thing.origin == "default" and not use.machine.preparing:
        use.machine.trail.faults.append(f"`{use.node.text[:60]}`: a loader's own sampler has no `set_epoch`")
    use.emit(Kind.SET_EPOCH, key_of(use.receiver) if known else "*")
    return None


# ------------------------------------------------------------------------------- contexts


def _context(use: Use) -> Value:
    kind = str(use.effect.option("kind"))
    maker = _CONTEXTS.get(kind)
    if maker is not None:
        return maker(use)
    return Context(kind, target=use.thing, value=use.thing)


def _autocast(use: Use) -> Value:
    enabled = use.arg(_position(use, "enabled"), "enabled", True)
    dtype = use.arg(_position(use, "dtype"), "dtype")
    device = use.arg(_position(use, "device"), "device_type")
    active = settled(use.machine, enabled) is not False
    text = key_of(dtype).split(".")[-1] if dtype is not None else ""
    if isinstance(dtype, Unknown) and _is_low(use.machine, dtype):
        text = "bfloat16"
    if not text:
        on_cpu = device == "cpu" or bool(use.effect.option("cpu", False))
        text = "bfloat16" if on_cpu else "float16"
    if text == "half":
        text = "float16"
    if text == "bfloat16" and _says(use.node, text) and truth(enabled) is None:
        use.machine.low_switches.add(key_of(enabled))
    return Context("autocast", dtype=text, active=active)


def _is_low(machine: Machine, dtype: Unknown) -> bool:
    """Whether an option chooses bfloat16 in this world, where it switches a scaler, too: with it that may stay on."""
    if dtype.logic is None or dtype.logic[0] != "typed":
        return False
    _, option, condition = dtype.logic
    switches = [one for one in machine.switches if asks(one, option)]  # type: ignore[arg-type]  # logic tuples hold values
    return settled(machine, condition) is True or (bool(switches) and decide(machine, condition, False, 2))  # type: ignore[arg-type]  # as above


def _says(node: Call, dtype: str) -> bool:
    """Whether a type stands in a call itself: no other switch has chosen it."""
    return any(
        getattr(part, "name", getattr(part, "value", "")) == dtype
        for part in (*node.args, *(value for _, value in node.keywords))
    )


def _position(use: Use, name: str) -> int | None:
    value = use.effect.option(name)
    return value if isinstance(value, int) else None


def _set_grad(use: Use) -> Value:
    known = truth(use.arg(_position(use, "mode"), "mode", True))
    return Context("set_grad", active=known is not False)


def _no_grad(use: Use) -> Value:
    known = truth(use.arg(_position(use, "mode"), "mode", True)) if use.effect.option("mode") is not None else True
    return Context("no_grad", active=known is not False)


def _no_sync(use: Use) -> Value:
    thing = use.thing
    if thing is not None and thing.role in (Role.FABRIC, Role.ACCELERATOR):
        model = use.arg(0, "module", use.arg(0, "model"))
        enabled = truth(use.arg(1, "enabled", True))
        active = use.machine.turn_of(use.span) is False if enabled is None else enabled
        return Context("no_sync", target=model if isinstance(model, Thing) else None, active=active)
    if thing is not None and _has_no_sync(thing) is False and not use.machine.preparing:
        use.machine.trail.faults.append(f"`{use.node.text[:60]}`: this wrapper has no `no_sync`")
    return Context("no_sync", target=thing)


def _has_no_sync(thing: Thing) -> bool | None:
    """Whether a model can be told not to synchronise: torch's wrappers can, Apex's and a bare model cannot."""
    if thing.distributed:
        return thing.distributed not in ("apex", STATIC)
    return False if thing.origin == "made" and thing.cls is None and not thing.framework else None


def _accumulate(use: Use) -> Value:
    use.machine.accelerator = use.thing
    if use.thing is not None:
        use.machine.syncing = boundary(use.machine, use.thing)
    return Context("accumulate", target=use.thing)


def _apex(use: Use) -> Value:
    loss = use.arg(0, "loss")
    delayed = truth(use.keywords.get("delay_unscale", False)) is not False
    return Context("apex", value=loss, active=bool(use.effect.option("unscales", False)), delayed=delayed)


_CONTEXTS: dict[str, Callable[[Use], Value]] = {
    "autocast": _autocast,
    "framework_autocast": lambda use: Context("autocast", dtype="?"),
    "set_grad": _set_grad,
    "no_grad": _no_grad,
    "no_sync": _no_sync,
    "accumulate": _accumulate,
    "apex": _apex,
    "opacus": lambda use: Context("opacus", value=use.keywords.get("data_loader", use.arg(0))),
}


def _enter(use: Use) -> Value:
    from gradlint.interpret.execute import enter

    return enter(use.machine, use.arg(0))


# --------------------------------------------------------------------------- construction


def _make(use: Use) -> Value:
    role = use.effect.option("role")
    assert isinstance(role, Role)
    name = use.node.text.split("(")[0].split(".")[-1]
    thing = Thing(f"new:{name}@{use.span.row}:{use.span.column}", role, origin="made", kind=name)
    if role is Role.OPTIMIZER:
        thing.library = (getattr(use.node.func, "qualified", None) or "").partition(".")[0]
        _make_optimizer(use, thing)
    elif role in (Role.SCALER, Role.SCALER_CALLABLE):
        thing.enabled = use.keywords.get("enabled", True)
        use.machine.scalers[id(thing)] = use.span
        if isinstance(thing.enabled, Unknown):
            use.machine.switches.append(thing.enabled)
    elif role is Role.SCHEDULER:
        _make_scheduler(use, thing)
    elif role is Role.LOADER:
        thing.extra["sampler"] = use.keywords.get("sampler", use.keywords.get("batch_sampler"))
        thing.extra["dataset"] = use.arg(0, "dataset")
        thing.extra["batches"], thing.extra["batch_size"] = _batches(use), use.arg(1, "batch_size", 1)
    elif role is Role.SAMPLER:
        use.machine.pace.sampled = True
        thing.extra["shuffle"] = use.keywords.get("shuffle", use.arg(3, "", True))
        thing.library = (getattr(use.node.func, "qualified", None) or "").partition(".")[0]
    elif role is Role.ACCELERATOR:
        _make_accelerator(use, thing)
        thing.extra["scales"] = _scales(use, "mixed_precision", _FP16)
        thing.extra["ddp"] = _is_set_up_for_ddp(use)
    elif role is Role.FABRIC:
        thing.extra["scales"] = _scales(use, "precision", _FABRIC_FP16)
        thing.extra["ddp"] = _takes_several(use)
    elif role is Role.CRITERION:
        thing.kind = reduction(use.node.text.partition("(")[0], use.args, use.keywords)
    return thing


def _batches(use: Use) -> int | None:
    """How many batches a loader has, where its data was made here: `TensorDataset(torch.randn(64, 3))`."""
    if not {"sampler", "batch_sampler"}.isdisjoint(use.keywords) or any(name.startswith("**") for name in use.keywords):
        return None
    samples, size = _samples(use.machine, use.arg(0, "dataset")), use.arg(1, "batch_size", 1)
    if samples is None or not isinstance(size, int) or size < 1:
        return None
    return samples // size if truth(use.keywords.get("drop_last", False)) else -(-samples // size)


def _samples(machine: Machine, data: Value) -> int | None:
    """How many samples a data set has, where that can be seen."""
    if isinstance(data, Unknown) and data.logic is not None and data.logic[0] == "sized":
        return int(str(data.logic[1]))
    if isinstance(data, Series) and not data.once:
        return len(data.items)
    found = machine.method(data.cls, "__len__") if isinstance(data, Thing) and data.cls is not None else None
    if found is None:
        return None
    from gradlint.interpret.calls import invoke

    machine.preparing += 1
    try:
        number = invoke(machine, Routine(found[0], machine.world, data), [], {}, found[0].span)
    finally:
        machine.preparing -= 1
    return number if isinstance(number, int) and not isinstance(number, bool) else None


_OTHER_SWITCHES = Words(r"(?i)(ctc|poisson|gaussian|triplet)\w*$")
"""Losses whose first switch by place is another one: whether the input is a logarithm, whether to swap."""


def reduction(name: str, args: Iterable[Value], keywords: Arguments) -> str:
    """How a loss of this name is reduced, in torch's words, the old ones among them; empty when nobody can see.

    nn.MSELoss(False), F.mse_loss(x, y, size_average=False)     a sum, as it was written once
    """
    places = [value for value in args if isinstance(value, bool)] if not _OTHER_SWITCHES[name] else []
    if keywords.get("reduce", places[1] if len(places) > 1 else None) is False:
        return "none"
    if keywords.get("size_average") is not None or places:
        averages = truth(keywords.get("size_average", places[0] if places else None))
        return "" if averages is None else ("mean" if averages else "sum")
    said = keywords.get("reduction", "" if any(name.startswith("**") for name in keywords) else "mean")
    return said if isinstance(said, str) else ""


_FP16 = frozenset({"fp16"})
_FABRIC_FP16 = frozenset({"16-mixed", "16", 16})
_DDP = frozenset({"ddp", "ddp_spawn", "ddp_find_unused_parameters_true"})
_PLAIN_CHOICES = frozenset("auto cuda gpu ddp dp ddp_find_unused_parameters_true".split())
_OTHER_WAYS = Words(r"plugin|\*\*|^cpu$")
"""Arguments that may bring another way to scale with them, or none."""


def _scales(use: Use, name: str, values: frozenset[object]) -> bool:
    """Whether a library is told to train in float16, and nothing else that may keep it from scaling the loss."""
    value = use.keywords.get(name)
    chosen = (use.keywords.get(one, "auto") for one in ("strategy", "accelerator"))
    plain_way = all(isinstance(one, str) and one in _PLAIN_CHOICES for one in chosen)
    known = isinstance(value, (str, int)) and value in values
    return known and plain_way and not use.args and not any(map(_OTHER_WAYS.search, use.keywords))


def _takes_several(use: Use) -> bool:
    """Whether Fabric is told to wrap models in DDP, and not to take one device only."""
    strategy, devices = use.keywords.get("strategy"), use.keywords.get("devices")
    return isinstance(strategy, str) and strategy in _DDP and key_of(devices).strip("'") != "1"


def _is_set_up_for_ddp(use: Use) -> bool:
    """Whether Accelerate is told how to make its DDP, or asked which process this is: whoever does runs several."""
    if use.machine.program.processes and not _OTHER_PLUGINS & use.keywords.keys():
        return True
    given = use.keywords.get("kwargs_handlers")
    handlers = given.items if isinstance(given, Series) else [given]
    return any(isinstance(one, Unknown) and _DDP_SETTINGS in one.key for one in handlers)


_OTHER_PLUGINS = frozenset({"deepspeed_plugin", "deepspeed_plugins", "fsdp_plugin", "megatron_lm_plugin", "cpu"})
_DDP_SETTINGS = "DistributedDataParallelKwargs("


def _make_optimizer(use: Use, thing: Thing) -> None:
    value = use.arg(0, "params")
    if isinstance(value, Thing) and value.role is Role.OPTIMIZER:
        thing.params, thing.framework = value.params, value.framework
        return
    if isinstance(value, Thing) and value.role is Role.MODEL and thing.library != "torch":
        thing.origin = "foreign"  # torch's take parameters: `mytorch.optim.SGD(model)` keeps other books
    thing.params = roots_of(value)
    thing.extra["bare"] = _is_bare(use, value)
    some = value.some if isinstance(value, Parameters) else ""
    thing.extra["given"] = some if thing.params else key_of(value)
    thing.extra["shared"] = Series([*sorted(shares_of_rate(use) if thing.kind == "SGD" else ())])
    for part in value.items if isinstance(value, Series) else [value]:
        held = part.items.get("params") if isinstance(part, Table) else part
        if isinstance(held, Parameters):
            held.consume()


def _is_bare(use: Use, value: Value) -> bool:
    """`Adam([image])`: single tensors are written out, and none of them is a part of a model."""
    written = use.node.args[0] if use.node.args else None
    plain_names = isinstance(written, Display) and all(isinstance(item, (Read, Attr)) for item in written.items)
    if not plain_names or not isinstance(value, Series) or not value.items:
        return False
    return all(isinstance(item, Unknown) and not _is_part(use.machine, item.key) for item in value.items)


def _is_part(machine: Machine, key: str) -> bool:
    return any(key == root or key.startswith(f"{root}.") for role, root in machine.things if role is Role.MODEL)


def _make_scheduler(use: Use, thing: Thing) -> None:
    thing.extra["made"] = use.node.text
    written = (*use.node.args, *(part for _, part in use.node.keywords))
    thing.extra["long"] = any(counts_batches(use.machine, part) for part in written)
    thing.extra["paces"] = Series([size for part in written for size in sorted(paces(use.machine, part))])
    thing.extra["epochs"] = any(counts_epochs(use.machine, part) for part in written)
    functions = [part for part in written if isinstance(part, Closure)]
    hidden = thing.kind in _BY_FUNCTION and (not functions or any(map(asks_elsewhere, functions)))
    thing.extra["hidden"] = hidden and not any(counts_updates(use.machine, part) for part in written)
    thing.extra["own"] = has_own_rates(thing.kind, use.node)
    thing.extra["told"] = is_librarys(use.node)
    thing.extra["begins"] = begins_at_one(use) if thing.kind == "LambdaLR" else ""
    thing.extra["grows"] = grows(use, thing.kind)
    thing.extra["nought"] = _begins_at_nought(use, thing.kind)
    for value in (*use.args, *use.keywords.values()):
        for held in things_in(value):
            if held.role is Role.OPTIMIZER:
                thing.extra["optimizer"] = held
                return
            inner = held.extra.get("optimizer")
            if held.role is Role.SCHEDULER and inner is not None:
                thing.extra["optimizer"] = inner


def _begins_at_nought(use: Use, kind: str) -> bool:
    """Whether the first rate is 0: by the schedule's own function, or for it warms up from there."""
    if kind.startswith("get_") and kind.endswith("_warmup"):  # those of transformers
        steps = exact(use.arg(1, "num_warmup_steps"))
        return steps is not None and steps > 0
    return kind == "LambdaLR" and any(exact(one) == 0 for one in factors_at(use, 0))


_BY_FUNCTION = frozenset({"LambdaLR", "MultiplicativeLR"})


def _make_accelerator(use: Use, thing: Thing) -> None:
    steps = use.keywords.get(_GAS)
    plugin = use.keywords.get("gradient_accumulation_plugin")
    given = next((name[2:] for name in use.keywords if name.startswith("**")), "") if steps is None else ""
    if plugin is not None or given or any(isinstance(value, Unknown) for value in use.args):
        key = f"{given or key_of(plugin)}.num_steps"
        steps = Unknown(key, leaves=frozenset((key,)))
    thing.extra["steps"] = steps
    thing.extra["given"] = bool(given)  # it may hold a window, or none
    written = dict(use.node.keywords).get(_GAS)
    thing.extra["window"] = written.name if isinstance(written, (Read, Attr)) else ""
    use.machine.accelerator = thing


STATIC = "static"
"""DDP with `static_graph=True`: its first backward under `no_sync` raises, so every one is synchronised."""


def _wrap(use: Use) -> Value:
    wrapper = str(use.effect.option("wrapper", ""))
    static = use.keywords.get("static_graph", False)
    hidden = truth(static) is None or any(name.startswith("**") for name in use.keywords)
    if wrapper == "ddp" and truth(static):
        wrapper = STATIC
    value = use.arg(0, "module", use.arg(0, "model"))
    own = use.machine.program.classes.get(use.node.func.name) if isinstance(use.node.func, Read) else None
    if own is not None:  # its `__init__` takes what it likes
        given = (*use.args, *use.keywords.values())
        value = next((one for one in given if isinstance(one, Thing) and one.role is Role.MODEL), value)
    inner = value if isinstance(value, Thing) else None
    if inner is None and use.effect.option("functions") and value is not None:
        return value  # a compiled function does what it did before
    if inner is None:
        inner = Thing(key_of(value), Role.MODEL)
        name_network(use.machine, inner, value, inner.key, local=False)
    if wrapper:
        use.machine.wrappers.setdefault(inner.root, wrapper)
        if use.effect.option("named") or (wrapper == "ddp" and hidden):
            use.machine.models.hearsay.add(inner.root)
        elif wrapper == "ddp":
            use.machine.models.inside[inner.root] = inner.innermost
        if wrapper in ("dp", ""):
            use.machine.wrappers.pop(inner.root, None)
    if wrapper == "fsdp2":
        inner.wrapper = wrapper
        return inner
    return Thing(
        f"{inner.key}:{wrapper}" if wrapper else inner.key,
        Role.MODEL,
        own or inner.cls,
        "made",
        wrapper=wrapper,
        inner=inner,
    )


def _static_graph(use: Use) -> Value:
    """`model._set_static_graph()`, the older way to say it."""
    part = use.thing
    while part is not None and part.wrapper != "ddp":
        part = part.inner
    if part is not None:
        part.wrapper = use.machine.wrappers[part.root] = STATIC
    return None


def _rebind(use: Use) -> Value:
    value = use.arg(0, "optimizer")
    if isinstance(value, Thing):
        value.framework = str(use.effect.option("framework", ""))
    return value


def _passthrough(use: Use) -> Value:
    framework = str(use.effect.option("framework", ""))
    values = [
        *use.args,
        *(value for name, value in use.keywords.items() if name in ("model", "models", "optimizer", "optimizers")),
    ]
    if framework == "apex":
        values = values[:2]
    if framework == "accelerate":
        use.machine.accelerator = use.thing
        use.machine.prepared = True
    for value in values:
        for thing in things_in(value):
            thing.framework = framework
            if thing.role is Role.MODEL and use.thing is not None and use.thing.extra.get("ddp") is True:
                thing.wrapper = "ddp"
                use.machine.wrappers[thing.root] = "ddp"
    if len(values) == 1:
        return values[0]
    return Series(values, "tuple")


_GAS = "gradient_accumulation_steps"


def _deepspeed(use: Use) -> Value:
    engine = Thing("engine", Role.ENGINE, origin="made", framework="engine")
    config = use.keywords.get("config", use.keywords.get("config_params"))
    if isinstance(config, Table):
        steps = engine.extra["steps"] = config.items.get(_GAS)
        if isinstance(steps, Unknown) and not steps.varying:
            use.machine.plan.bind_window(steps.key)
    optimizer = use.machine.thing(Role.OPTIMIZER, "engine.optimizer")
    optimizer.framework = "engine"
    loader = use.machine.thing(Role.LOADER, "engine.loader")
    scheduler = use.machine.thing(Role.SCHEDULER, "engine.scheduler")
    scheduler.framework = "engine"
    return Series([engine, optimizer, loader, scheduler], "tuple")


def _lightning_optimizers(use: Use) -> Value:
    key = "self.optimizers()"
    thing = use.machine.thing(Role.OPTIMIZER, key)
    thing.framework = "lightning"
    return Unknown(key, called=True, leaves=frozenset((key,)))


def _lightning_schedulers(use: Use) -> Value:
    key = "self.lr_schedulers()"
    return Unknown(key, called=True, leaves=frozenset((key,)))


def _parameters(use: Use) -> Value:
    thing = use.thing
    if thing is None:
        return Parameters(frozenset((key_of(use.receiver),)))
    return Parameters(frozenset(roots_in(thing)))


def _master_params(use: Use) -> Value:
    optimizer = use.arg(0, "optimizer")
    if isinstance(optimizer, Thing):
        return Parameters(optimizer.params or frozenset((optimizer.key,)))
    return Parameters(frozenset(("*",)))


def _copy(use: Use) -> Value:
    value = use.arg(0)
    if isinstance(value, Thing) and value.role is Role.MODEL:
        key = value.key + "'" * use.machine.copy_number(value.key, use.span)
        key = use.machine.local_name(key, use.machine.stamp)  # in another turn it is another copy
        return Thing(key, Role.MODEL, value.cls, "made", attrs=dict(value.attrs))
    return another(value) if isinstance(value, Unknown) and value.called else value


# -------------------------------------------------------------------------------- builtins


_LONG = 4096
"""So many numbers of a range are listed."""


def _range(use: Use) -> Value:
    numbers = [exact(value) for value in use.args[:3]]
    if use.args and all(number is not None for number in numbers):
        whole = [int(number) for number in numbers if number is not None]
        if len(whole) < 3 or whole[2]:
            return Series(list(range(*whole)[:_LONG]), "list")
    start: Value = 0 if len(use.args) < 2 else use.args[0]
    stop = use.args[0] if len(use.args) == 1 else use.arg(1)
    return Unknown(use.node.text, logic=("range", start, stop, use.arg(2)))


def _enumerate(use: Use) -> Value:
    source = use.arg(0, "iterable")
    start = use.arg(1, "start", 0)
    first = exact(start)
    if isinstance(source, Series) and source.drawn is None and first is not None:
        items: list[Value] = [Series([int(first) + number, item], "tuple") for number, item in enumerate(source.items)]
        return Series(items)
    return Unknown(use.node.text, logic=("enumerate", source, start))


def _zip(use: Use) -> Value:
    if use.args and all(isinstance(value, Series) and value.drawn is None for value in use.args):
        columns = [value.items for value in use.args if isinstance(value, Series)]
        return Series([Series(list(row), "tuple") for row in zip(*columns, strict=False)])
    return Unknown(use.node.text, logic=("zip", list(use.args)))


def _count(use: Use) -> Value:
    return Unknown(use.node.text, logic=("enumerate_only", use.arg(0, "start", 0)))


def _first(use: Use) -> Value:
    return use.arg(0, "iterable", use.arg(0, "sampler"))


def _sorted(use: Use) -> Value:
    value = use.arg(0, "iterable")
    if isinstance(value, Series):
        return Series(ordered(use.machine, use.frame, use.node, value.items, use.keywords), "list")
    return value


def _cycle(use: Use) -> Value:
    """The items of a loader for ever: no epoch ends there."""
    source = use.arg(0)
    if isinstance(source, Thing) or (isinstance(source, Unknown) and source.logic is None):
        return Unknown(f"cycle({key_of(source)})", logic=("stream", source))
    return source


def _islice(use: Use) -> Value:
    """The first items of an iterable."""
    source, stop = use.arg(0), use.arg(1)
    if len(use.args) != 2 or not isinstance(stop, (int, Unknown)):
        return source
    if isinstance(source, Series):
        return Series(source.items[:stop], source.kind) if isinstance(stop, int) else source
    return Unknown(use.node.text, logic=("islice", source, stop, use.node.args[1]))


def _next(use: Use) -> Value:
    source = use.arg(0)
    if isinstance(source, Unknown) and source.logic is not None and source.logic[0] == "stream":
        use.machine.draws()
    key = f"next({key_of(source)})"
    return Unknown(key, varying=True, called=False, leaves=frozenset((key,)))


def _listing(use: Use) -> Value:
    value = use.arg(0)
    if isinstance(value, Parameters):
        alive = value.consume()
        return Parameters(value.roots if alive else frozenset(), once=False, used=not alive, some=value.some)
    if isinstance(value, Series):
        return Series(list(value.items), str(use.effect.option("kind", "list")))
    if isinstance(value, Table):
        return Series([key if isinstance(key, (str, int)) else None for key in value.items])
    if value is None:
        return Series([], str(use.effect.option("kind", "list")), born=use.machine.stamp)
    return value


def _deque(use: Use) -> Value:
    """`deque()`: a list, unless it lets go of what is too old."""
    from gradlint.interpret.calls import unknown_result

    if use.keywords or len(use.args) > 1:
        return unknown_result(use.machine, use.node, "deque", [*use.args, *use.keywords.values()])
    return _listing(use)


def _lists(use: Use) -> Value:
    """`defaultdict(list)`; one of numbers holds what nobody knows."""
    from gradlint.interpret.calls import unknown_result

    made = use.arg(0)
    if isinstance(made, Unknown) and made.key == "list" and len(use.args) == 1 and not use.keywords:
        return Table({}, lists=True, born=use.machine.stamp)
    return unknown_result(use.machine, use.node, "defaultdict", [*use.args, *use.keywords.values()])


def _dict(use: Use) -> Value:
    spread = [name for name in use.keywords if name.startswith("**")]
    table: dict[object, Value] = {name: value for name, value in use.keywords.items() if name not in spread}
    value = use.arg(0)
    if isinstance(value, Table) or spread:
        joined = Table(dict(value.items) if isinstance(value, Table) else {})
        for name in spread:
            open_table(use.machine, joined, name[2:])
        joined.items.update(table)
        return joined
    if isinstance(value, Series) and value.items and not table:
        return dictionary(value.items)
    return Table(table)


def _lazy(use: Use) -> Value:
    source = use.arg(1)
    if isinstance(source, Parameters):
        picked = "" if "requires_grad" in use.node.text else use.node.text
        return Parameters(source.roots, source=source, some=source.some or picked)
    if isinstance(source, Series):
        return Series(list(source.items), "list", once=True)
    return Unknown(use.node.text)


def _chain(use: Use) -> Value:
    values: list[Value] = []
    for value in use.args:
        values += value.items if isinstance(value, Series) else [value]
    single = {id(item) for item in _single_tensors(use)}
    roots = [roots_of(value) for value in values if id(value) not in single]
    if roots and all(roots):
        some = "+".join(value.some for value in values if isinstance(value, Parameters) and value.some)
        return Parameters(frozenset().union(*(found for found in roots if found)), some=some)
    return (
        Series([item for value in use.args if isinstance(value, Series) for item in value.items])
        if all(isinstance(value, Series) for value in use.args)
        else Unknown(use.node.text)
    )


def _single_tensors(use: Use) -> list[Value]:
    """What stands in a list that is written out: `chain(body.parameters(), [self.log_std])`; no model's parameters."""
    written = zip(use.node.args, use.args, strict=False)
    lists = [value.items for node, value in written if isinstance(node, Display) and isinstance(value, Series)]
    return [item for items in lists for item in items if isinstance(item, Unknown)]


def _partial(use: Use) -> Value:
    return Partial(use.arg(0), tuple(use.args[1:]), dict(use.keywords))


def _namespace(use: Use) -> Value:
    """`SimpleNamespace(model=model, optimizer=optimizer)`."""
    held = {name: value for name, value in use.keywords.items() if not name.startswith("**")}
    return Thing(f"new:namespace@{use.span.row}:{use.span.column}", origin="made", attrs=held)


def _getattr(use: Use) -> Value:
    name = use.arg(1)
    if isinstance(name, str):
        base = use.arg(0)
        if isinstance(base, Thing) and len(use.args) > 2 and name not in base.attrs:
            return use.machine.unknown(f"{base.key}.{name}")
        return attribute(use.machine, base, name, None, None)
    return Unknown(f"getattr({', '.join(key_of(value) for value in use.args[:2])})")


def _setattr(use: Use) -> Value:
    """`setattr(self, "model", ddp)`: an attribute by its name, where that is known."""
    base, name = use.arg(0), use.arg(1)
    if isinstance(base, Thing) and isinstance(name, str):
        base.attrs[name] = use.arg(2)
    return None


def _super(use: Use) -> Value:
    receiver = use.frame.values.get("self")
    return Context("super", target=receiver if isinstance(receiver, Thing) else None)


def _reduced(loss: Unknown) -> Unknown:
    copy = loss.under(loss.key)
    copy.factor = reduced(loss.factor)
    return copy


def _combine(use: Use) -> Value:
    """`sum(losses)`, `torch.stack(losses)`: the terms together."""
    value = use.arg(0)
    items = value.items if isinstance(value, Series) else [value]
    found = [item for item in items if isinstance(item, Unknown)]
    result = merge(use.node.text, found)
    if found:
        result.terms = tuple(term for item in found for term in terms_of(item))[:12]
        result.varying = True
    reduction = use.effect.option("reduction")
    if reduction:
        result.terms = tuple(map(_reduced, result.terms))
    if reduction == "sum":
        result.summed = True
    result.mean = reduction == "mean" or (bool(found) and all(item.mean for item in found))
    result.smooth = frozenset() if use.machine.gradients_off else smooth_of(found)
    return result


def _scaling(use: Use) -> Value:
    """`torch.div(loss, n)`, `torch.mul(loss, weight)`."""
    value, by = use.arg(0, "input"), use.arg(1, "other")
    given = use.node.args
    if "rounding_mode" in use.keywords:
        rounded = merge(use.node.text, [one for one in (value, by) if isinstance(one, Unknown)])
        rounded.factor = UNKNOWN_FACTOR
        return rounded
    op = str(use.effect.option("by"))
    literal, leading = len(given) > 1 and bare(given[1]), bool(given) and bare(given[0])
    result = binary(use.machine, op, value, by, literal, leading)
    if op == "/" and len(given) > 1 and isinstance(result, Unknown) and isinstance(value, Unknown) and is_number(by):
        return named_divisor(result, value, given[1])
    return result


def _python(use: Use) -> Value:
    function = str(use.effect.option("function"))
    handler = _PYTHON.get(function)
    if handler is not None:
        return handler(use)
    return _result_of(use, function)


def foreign(machine: Machine, node: Call) -> Thing:
    """Something of a library that is not torch: whatever is done with it, the books do not know."""
    return machine.thing(Role.FOREIGN, node.text)


def _foreign(use: Use) -> Value:
    return foreign(use.machine, use.node)


def _result_of(use: Use, function: str) -> Value:
    """What a function of Python says of what nobody can see."""
    varying = any(isinstance(value, Unknown) and value.varying for value in use.args)
    return use.machine.unknown(f"{function}({', '.join(key_of(value) for value in use.args)})", varying)


def _len(use: Use) -> Value:
    value = use.arg(0)
    machine = use.machine
    if isinstance(value, (Series, Table)):
        return len(value.items)
    if isinstance(value, str):
        return len(value)
    if (number := _pieces_in(value)) is not None:
        return number
    key = key_of(value)
    grouped = key in machine.plan.groups and key not in machine.plan.loaders  # one update takes all of it
    if key in machine.plan.loaders or (isinstance(value, Thing) and value.role is Role.LOADER and not grouped):
        machine.count_batches(value)
        return machine.plan.length(key)
    if key in machine.plan.groups:
        machine.plan.named[use.node.text] = machine.plan.window
        return machine.plan.window
    if key in machine.plan.outer:
        return 2
    machine.plan.measured.add(key)
    length = machine.unknown(f"len({key})", isinstance(value, Unknown) and value.varying)
    if isinstance(length, Unknown) and isinstance(value, Unknown):
        length.measures = value
    return length


def _pieces_in(value: object) -> int | None:
    """How many pieces `batch.chunk(4)` has, alone or with those of others in a `zip`, where the number is known."""
    if not isinstance(value, Unknown) or value.logic is None:
        return None
    kind, *held = value.logic
    if kind == "pieces":
        number = exact(held[0])  # type: ignore[arg-type]  # logic tuples hold values
        return int(number) if number is not None and 1 <= number <= MAX_WINDOW else None
    if kind == "zip":
        return _pieces_in(next(iter(held[0]), None))  # type: ignore[call-overload]  # as above
    return _pieces_in(held[0]) if kind == "enumerate" else None


def _number(use: Use) -> Value:
    """`int(x)`, `float(x)`, `round(x)`: a number stays, a symbol keeps its key, a loss loses its graph."""
    value = use.arg(0)
    function = use.effect.option("function")
    if isinstance(value, str):
        return math.inf if value.strip().lower().lstrip("+-").startswith("inf") else use.machine.unknown(value)
    number = exact(int(value) if isinstance(value, bool) else value)
    if number is not None:
        use.machine.numbers.append(number)
        return (
            plain(number)
            if function == "float"
            else int(
                round(number)
                if function == "round"
                else math.ceil(number)
                if function == "ceil"
                else math.floor(number)
            )
        )
    if isinstance(value, Unknown):
        if value.bases or value.forwards:
            return Unknown(use.node.text, True, detached=True, leaves=value.leaves)
        return value
    return Unknown(use.node.text)


def _absolute(use: Use) -> Value:
    """`abs(x)`: of a loss it keeps graph and weight."""
    value = use.arg(0)
    number = exact(value)
    if number is not None:
        use.machine.numbers.append(number)
        return plain(abs(number))
    return value.under(f"abs({value.key})") if isinstance(value, Unknown) else Unknown(use.node.text)


def _extreme(use: Use) -> Value:
    numbers = [exact(value) for value in use.args]
    known = [number for number in numbers if number is not None]
    if len(known) == len(use.args) and known:
        use.machine.numbers.append(known)
        return plain((min if use.effect.option("function") == "min" else max)(known))
    varying = any(isinstance(value, Unknown) and value.varying for value in use.args)
    key = f"{use.effect.option('function')}({', '.join(key_of(value) for value in use.args)})"
    leaves = frozenset(leaf for value in use.args if isinstance(value, Unknown) for leaf in value.leaves)
    found = use.machine.unknown(key, varying)
    if not isinstance(found, Unknown):
        return found
    found.leaves, found.logic = leaves, ("extreme", tuple(use.args))
    return found


def _bool(use: Use) -> Value:
    value = use.arg(0)
    known = truth(value)
    return value if known is None else known


def _plain(use: Use) -> Value:
    from gradlint.interpret.calls import unknown_result

    return unknown_result(use.machine, use.node, use.node.text.split("(")[0], [*use.args, *use.keywords.values()])


def _exit(use: Use) -> Value:
    raise Infeasible


def _spill(use: Use) -> Value:
    return use.receiver


def _quantified(use: Use) -> Value:
    """`any(...)` and `all(...)` of known truths."""
    value = use.arg(0)
    known = [truth(item) for item in value.items] if isinstance(value, Series) else [None]
    every = use.effect.option("function") == "all"
    if (not every) in known:
        return not every
    return every if None not in known else Unknown(use.node.text, use.machine.looping)


def _divmod(use: Use) -> Value:
    parts = [binary(use.machine, op, use.arg(0), use.arg(1), literal=False) for op in ("//", "%")]
    return Series(parts, "tuple")


def _isinstance(use: Use) -> Value:
    """`isinstance(scheduler, dict)`: what is known to be one scheduler is no container of several."""
    value = use.arg(0)
    asked = use.node.args[1] if len(use.node.args) == 2 else None
    names = {getattr(part, "name", "") for part in (asked.items if isinstance(asked, Display) else (asked,))}
    if names & _WRAPPERS and isinstance(value, Thing) and value.role is Role.MODEL and value.distributed:
        return value.distributed == "ddp"
    if isinstance(value, Thing) and value.role is Role.OPTIMIZER and (kind := _of_kind(value, names)) is not None:
        return kind
    if names <= _CONTAINERS:
        if isinstance(value, Thing) and value.role is not None:
            return False
        if isinstance(value, Table):
            return "dict" in names
        if isinstance(value, Series) and not value.once:
            return value.kind in names
    return _result_of(use, "isinstance")


def _hasattr(use: Use) -> Value:
    """`hasattr(model, "module")`: what is known to be wrapped has what it was put around."""
    value = use.arg(0)
    if use.arg(1) == "module" and isinstance(value, Thing) and value.distributed in _HOLD_A_MODULE:
        return True
    return _result_of(use, "hasattr")


_HOLD_A_MODULE = frozenset({"ddp", "dp", "apex", "fsdp"})


def _of_kind(optimizer: Thing, names: set[str]) -> bool | None:
    """Whether an optimizer whose class is seen where it is made is of some kinds; `AdamW` may be an `Adam`, or not."""
    own = optimizer.kind in OPTIMIZERS and optimizer.origin == "made"
    kind = optimizer.kind if own else optimizer.extra.get("class")
    if not isinstance(kind, str) or optimizer.framework or not names <= OPTIMIZERS:
        return None
    if kind in names:
        return True
    return None if any(name in kind for name in names) else False


_CONTAINERS = frozenset({"dict", "list", "tuple"})
_WRAPPERS = frozenset({"DistributedDataParallel", "DDP"})

_PYTHON: dict[str, Callable[[Use], Value]] = {
    "any": _quantified,
    "all": _quantified,
    "divmod": _divmod,
    "len": _len,
    "int": _number,
    "float": _number,
    "round": _number,
    "abs": _absolute,
    "ceil": _number,
    "floor": _number,
    "min": _extreme,
    "max": _extreme,
    "bool": _bool,
    "sum": _combine,
    "isinstance": _isinstance,
    "hasattr": _hasattr,
}

_ACTIONS: dict[str, Callable[[Use], Value]] = {
    "forward": _forward,
    "static_graph": _static_graph,
    "scale": _scale,
    "enabled": _is_enabled,
    "loss_scale": _loss_scale,
    "backward": _backward,
    "framework_backward": _framework_backward,
    "zero": _zero,
    "clip": _clip,
    "clip_own": _clip_own,
    "grad_write": _grad_write,
    "step": _step,
    "step_hook": _step_hook,
    "scaler_step": _scaler_step,
    "unscale": _unscale,
    "framework_unscale": _framework_unscale,
    "scaler_update": _scaler_update,
    "sam_first": _sam_first,
    "sam_second": _sam_second,
    "engine_step": _engine_step,
    "engine_window": _engine_window,
    "framework_update": _framework_update,
    "scaler_call": _scaler_call,
    "schedule": _schedule,
    "mode": _mode,
    "sync_flag": _sync_flag,
    "freeze": _freeze,
    "ema": _ema,
    "set_epoch": _set_epoch,
    "context": _context,
    "enter": _enter,
    "make": _make,
    "wrap": _wrap,
    "told_end": told_end,
    "told_step": told_step,
    "told_update": told_update,
    "told_clear": told_clear,
    "told_wrap": told_wrap,
    "rebind": _rebind,
    "passthrough": _passthrough,
    "deepspeed": _deepspeed,
    "lightning_optimizers": _lightning_optimizers,
    "lightning_schedulers": _lightning_schedulers,
    "parameters": _parameters,
    "master_params": _master_params,
    "copy": _copy,
    "range": _range,
    "enumerate": _enumerate,
    "zip": _zip,
    "count": _count,
    "first": _first,
    "cycle": _cycle,
    "sorted": _sorted,
    "islice": _islice,
    "next": _next,
    "listing": _listing,
    "dict": _dict,
    "deque": _deque,
    "lists": _lists,
    "lazy": _lazy,
    "chain": _chain,
    "namespace": _namespace,
    "partial": _partial,
    "getattr": _getattr,
    "setattr": _setattr,
    "super": _super,
    "combine": _combine,
    "scaling": _scaling,
    "python": _python,
    "plain": _plain,
    "exit": _exit,
    "receiver": _spill,
    "foreign": _foreign,
}
