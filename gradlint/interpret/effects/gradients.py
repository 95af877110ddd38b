"""Gradients: backward, clear, write, clip; what reads them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import partial, reduce
from itertools import zip_longest

from gradlint.interpret.arithmetic import bare, clip_factor
from gradlint.interpret.atoms import truth
from gradlint.interpret.contents import roots_in
from gradlint.interpret.dispatch import evaluate
from gradlint.interpret.effects.distributed import gone_past, synchronised
from gradlint.interpret.effects.use import Actions, Use
from gradlint.interpret.frame import Frame
from gradlint.interpret.lineage import method_of
from gradlint.interpret.losses import Scale
from gradlint.interpret.machine import Machine
from gradlint.interpret.modes import freeze
from gradlint.interpret.picked import picked, ran
from gradlint.interpret.plan import Plan
from gradlint.interpret.state.contexts import Contexts
from gradlint.interpret.state.course import Course
from gradlint.interpret.state.precision import Precision
from gradlint.interpret.state.ranks import Ranks
from gradlint.interpret.traits import exact, is_number, key_of
from gradlint.interpret.values import GRADIENT, LOSS_SCALE, Imported, Parameters, Series, Table, Tracked, Unknown, Value
from gradlint.interpret.weighing import divisor, multiplier, sum_of
from gradlint.interpret.witnessing import written
from gradlint.libraries.conventions.numbers import MADE_NAME
from gradlint.model.effects import Action, Clips, Gate
from gradlint.model.events import BY_HAND, Backward, Clipping, EventLog, Forward, Kind, Write, Zero
from gradlint.model.factor import UNKNOWN_FACTOR, Factor, common, computed
from gradlint.model.program import Arith, Attr, Const, Expr, Function, ParameterLoop, Program, Read
from gradlint.model.record import replace
from gradlint.model.roles import Role


def _backward(use: Use) -> Value:
    value = use.receiver if use.receiver is not None else use.arg(0, "tensors")
    weight = use.arg(0 if use.receiver is not None else 1, "gradient" if use.receiver is not None else "grad_tensors")
    weights = weight.items if isinstance(weight, Series) else [weight]
    weight = weights[-1] if weights else None
    loss = _together(use, value.items if isinstance(value, Series) else [value], weights)
    chosen = use.keywords.get("inputs")
    if chosen is not None:
        loss = (loss or Unknown(use.node.text, True)).under(loss.key if loss else use.node.text)
        loss.graph = replace(loss.graph, models=roots_of(chosen) or frozenset())
    emit_backward(use, loss, "", chosen=chosen is not None, given=_may_be_scaled(use.machine.log, weight))
    return None


def _together(use: Use, values: Sequence[Value], weights: Sequence[Value]) -> Unknown | None:
    """Losses that go back together, each with a gradient of its own to begin with: their sum."""
    found: list[Unknown] = []
    for value, weight in zip_longest(values, weights[: len(values)], fillvalue=None):
        if isinstance(value, Unknown):
            found.append(value if weight is None else _weighted(value, weight))
    return reduce(partial(sum_of, use.node.text), found) if found else None


def _weighted(loss: Unknown, weight: Value) -> Unknown:
    """A loss whose backward begins with a gradient of its own: `loss.backward(scaler.scale(torch.ones(())))`."""
    weighted = loss.multiplied(loss.key, multiplier(weight))
    if isinstance(weight, Unknown) and weight.scale is not None:
        weighted.scale = Scale.over(loss.scale, weight.scale.by)
    return weighted


def _may_be_scaled(log: EventLog, weight: Value) -> bool:
    """Whether a backward begins with a gradient that comes from nobody knows where, and has no scale in sight."""
    if not isinstance(weight, Unknown) or weight.scale is not None or MADE_NAME[weight.key]:
        return False
    left = any(leaf.endswith(".grad") for leaf in weight.leaves)
    return not (left and any(isinstance(event.detail, Backward) for event in log.events))


def divided_before(loss: Unknown | None, accelerator: Tracked | None, steps: int) -> str:
    """The name of an accelerator's window, when a loss was divided by that already: each of its terms, whole."""
    name = str(accelerator.make.extra.get("window", "")) if accelerator is not None else ""
    if loss is None or not name:
        return ""
    factors = [term.factor for term in loss.terms or (loss,)]
    twice = all(name in factor.texts and computed(factor) in (None, Fraction(1, steps)) for factor in factors)
    return name if twice else ""


def _puts_aside(contexts: Contexts, precision: Precision) -> bool:
    """Whether Apex puts the gradients aside that came before: not those that it has left scaled."""
    apex = next((context for context in reversed(contexts.entered) if context.kind == "apex"), None)
    if apex is None:
        return False
    left_scaled, precision.left = precision.left, apex.delayed
    return not left_scaled


def emit_backward(
    use: Use,
    loss: Unknown | None,
    framework: str,
    *,
    inside: bool = False,
    twice: str = "",
    chosen: bool = False,
    given: bool = False,
) -> None:
    """Write a backward, with all that is known of what it adds to whose gradients."""
    machine = use.machine
    loss = loss or Unknown(use.node.text, True)
    forwards = tuple(sorted(loss.graph.forwards))
    wrapper, synced, outside = synchronised(machine, loss, forwards)
    loss, factor = _arriving(machine, loss, forwards)
    scaled_by = loss.scale.by if loss.scale is not None else None
    detail = Backward(
        factor=factor,
        known=factor.weight is not None,
        scaled_by=scaled_by,
        rescaled=loss.scale is not None and loss.scale.twice,
        models=_wanting(machine, loss.graph.models),
        forwards=forwards,
        bases=loss.graph.bases,
        kept=loss.graph.kept,
        smooth=machine.graphs.shown_by(loss.graph),
        loss=loss.key,
        wrapper=wrapper,
        synced=synced,
        outside=outside,
        past=gone_past(machine, forwards),
        autocast=machine.contexts.autocast,
        framework=framework or ("accelerate" if machine.contexts.active("accumulate") else ""),
        summed=loss.reduced.summed,
        averaged=loss.reduced.mean and not loss.reduced.summed,
        terms=max(1, len(loss.terms)),
        scaler_sure=scaled_by not in machine.precision.unsure,
        inside=inside,
        twice=twice,
        enclosed=machine.contexts.active("apex") is not None,
        stashed=_puts_aside(machine.contexts, machine.precision),
        scaler_meant=machine.precision.chosen,
        scaler_made=machine.precision.scalers.get(scaled_by or ""),
        counted=machine.ranks.accumulated if _may_count(machine.contexts, machine.ranks) else None,
        chosen=chosen,
        given=given,
        undivided=any(_is_whole(term.factor) for term in loss.terms),
    )
    _go_back(use, loss, detail)


def _wanting(machine: Machine, models: frozenset[str]) -> frozenset[str]:
    """The models that want gradients when a loss goes back; all, where none of them does."""
    return frozenset(one for one in models if not machine.training.is_frozen(one)) or models


def _arriving(machine: Machine, loss: Unknown, forwards: tuple[int, ...]) -> tuple[Unknown, Factor]:
    """A loss as it arrives at the parameters, behind their hooks, and what its gradients are multiplied by."""
    for factor in machine.graphs.on_the_way.values():
        loss = loss.multiplied(loss.key, factor)
    if _mixes_batches(machine.course, machine.log, forwards) or machine.graphs.is_bent(loss.graph):
        return loss, UNKNOWN_FACTOR
    factor = common(term.factor for term in loss.terms) if loss.terms else loss.factor
    return loss, UNKNOWN_FACTOR if factor.varying else factor


def _go_back(use: Use, loss: Unknown, detail: Backward) -> None:
    """A loss goes back, and uses up its graph unless that is retained; torch refuses where there is none."""
    use.emit(Kind.BACKWARD, loss.key, detail)
    off = use.machine.contexts.gradients_off and not _has_graph(use.machine.log, detail.forwards)
    if loss.graph.graphless or off:
        use.machine.log.faults.append(f"`{use.node.text[:60]}` goes back from what has no graph")
    if truth(use.keywords.get("retain_graph", False)) is False:
        use.machine.graphs.spend(loss.graph)


def _is_whole(factor: Factor) -> bool:
    """Whether nothing divides a term, and nothing multiplies it but what may be a constant of the objective."""
    return factor.weight == 1 and not factor.parts and not factor.varying


def _has_graph(log: EventLog, forwards: Iterable[int]) -> bool:
    """Whether a loss comes from a model that was called with gradients on."""
    events = log.events
    found = (events[number].detail for number in forwards if number < len(events))
    return any(isinstance(detail, Forward) and detail.attached for detail in found)


def _may_count(contexts: Contexts, ranks: Ranks) -> bool:
    """Whether Accelerate may keep optimizers from stepping: one that was made here does in `accumulate` only."""
    accelerator = ranks.accelerator
    if accelerator is None:
        return contexts.active("accumulate") is not None
    return accelerator.origin != "made" or ranks.accumulated > 0


def _mixes_batches(course: Course, log: EventLog, forwards: tuple[int, ...]) -> bool:
    """A loss that reuses what other iterations computed without gradients (gradient caching)."""
    events = log.events
    for number in forwards:
        event = events[number] if number < len(events) else None
        detached = event is not None and isinstance(event.detail, Forward) and not event.detail.attached
        if event is not None and detached and event.stamp != course.stamp[: len(event.stamp)]:
            return True
    return False


def _zero(use: Use) -> Value:
    tracked = use.tracked
    machine = use.machine
    if tracked is None:
        key = key_of(use.receiver)
        some = picked(machine.course, machine.scenario, key)
        use.emit(Kind.ZERO, key, Zero(None, None, roots=frozenset((key,)), picked=some, ran=ran(machine, key)))
        return None
    if tracked.role is Role.OPTIMIZER or tracked.role is Role.SCALER:
        if gated(machine.contexts, machine.ranks, tracked):
            return None
        use.emit(Kind.ZERO, tracked.key, Zero(tracked.key, None))
    elif tracked.role in (Role.MODEL, Role.ENGINE):
        for root in roots_in(tracked):
            use.emit(Kind.ZERO, root, Zero(None, root, picked=picked(machine.course, machine.scenario, root)))
    else:
        use.emit(Kind.ZERO, tracked.key, Zero(None, None, roots=frozenset((tracked.key,))))
    return None


def gated(contexts: Contexts, ranks: Ranks, tracked: Tracked) -> bool:
    """True while Accelerate keeps a prepared optimizer or scheduler from acting."""
    accelerator = ranks.accelerator
    if accelerator is None or not ranks.accumulated or ranks.syncing:
        return False
    if tracked.framework:
        return tracked.framework == "accelerate"
    known_bare = tracked.role is Role.SCHEDULER and tracked.origin == "made" and ranks.prepared
    return contexts.active("accumulate") is not None and not known_bare


def _is_input(plan: Plan, value: Value) -> bool:
    """Whether it is a batch, or something made for it (`delta`): a parameter is not another one in each iteration."""
    if not isinstance(value, Unknown) or not value.varying:
        return False
    return value.called or value.detached or any(value.key.startswith(f"{key}[*]") for key in plan.loops.loaders)


def write_gradients(machine: Machine, frame: Frame, node: ParameterLoop) -> None:
    """A hand-written loop over gradients."""
    value = evaluate(machine, frame, node.parameters)
    if node.single and node.action != "set" and _is_input(machine.plan, value):
        return
    roots = roots_of(value)
    if isinstance(value, Parameters):
        value.consume()
    number = None if node.factor is None else evaluate(machine, frame, node.factor)
    if machine.witnessed.on:
        written(machine, node, value, number)
    subject = "/".join(sorted(roots)) if roots else key_of(value)
    if node.action == "zero":
        some = value.some if isinstance(value, Parameters) else ""
        over = subject if node.single or not roots else some
        own = _of_own_optimizer(machine.program, frame.function)
        cleared = Zero(
            None,
            _single(roots),
            hand_written=True,
            over=over,
            roots=roots or frozenset(),
            own=own,
            picked=any(picked(machine.course, machine.scenario, root) for root in roots or ()),
            ran=bool(roots) and all(ran(machine, root) for root in roots or ()),
        )
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


def _of_own_optimizer(program: Program, function: Function) -> str:
    """The class of a method that clears gradients, if its objects step by themselves: no optimizer does it for them.

    class Adaptation:
        def step(self): ...                     writes into the network what it has computed from the gradients
        def zero_grad(self): ...
    """
    owner = program.home(function).classes.get(function.owner or "")
    found = None if owner is None else method_of(program, owner, "step")
    if owner is None or found is None or found[0] is function:
        return ""
    given = [one for one in found[0].parameters[1:] if one.default is None and not one.star]
    return "" if given or found[0].gates & _WORKS else owner.name


_WORKS = Gate.STEP | Gate.BACKWARD | Gate.FORWARD | Gate.ZERO


def _written(machine: Machine, frame: Frame, node: Expr) -> Factor:
    """What gradients are multiplied by; `1 / n` stands for a division."""
    if isinstance(node, Arith) and node.op == "/" and isinstance(node.left, Const):
        factor = divisor(evaluate(machine, frame, node.right), bare(node.right))
        if isinstance(node.right, (Read, Attr)) and factor.weight is not None:
            return factor.called(node.right.name)
        return factor
    return multiplier(evaluate(machine, frame, node), bare(node))


def _single(roots: frozenset[str] | None) -> str | None:
    return next(iter(roots)) if roots and len(roots) == 1 else None


def roots_of(value: Value, deep: int = 4) -> frozenset[str] | None:
    """Whose parameters a value holds, `None` when nobody can see it; a list may hold itself."""
    if isinstance(value, Parameters):
        return value.roots or None
    if isinstance(value, Tracked):
        if value.role in (Role.MODEL, Role.ENGINE):
            return frozenset((value.root,))
        return value.params if value.role is Role.OPTIMIZER else None
    if isinstance(value, Series) and deep:
        found = [roots_of(item, deep - 1) for item in value.items]
        known = [roots for roots in found if roots]
        return frozenset().union(*known) if known and len(known) == len(found) else None
    if isinstance(value, Table):
        return roots_of(value.items.get("params"), deep - 1) if deep else None
    return None


def _clip(use: Use) -> Value:
    clips = use.options(Clips)
    value = use.arg(0, "parameters")
    limit = use.arg(1, clips.limit)
    if use.tracked is not None and use.tracked.role is Role.FABRIC:
        limit = use.keywords.get("max_norm", use.keywords.get("clip_val"))
    exhausted = isinstance(value, Parameters) and not value.consume()
    if use.keywords.get("clip_grad") is False:  # a project's own, that only measures
        return Unknown(use.node.text, True, detached=True)
    roots = roots_of(value)
    subject = "/".join(sorted(roots)) if roots else key_of(value)
    per_tensor = isinstance(value, Unknown) and value.key.endswith("[*]") and "param" in value.key
    enclosed = use.machine.contexts.active("apex") is not None
    detail = Clipping(
        roots,
        _infinite(limit),
        exhausted,
        "tensor" if per_tensor else clips.by,
        clips.unscales,
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
    return isinstance(limit, Imported) and limit.name.split(".")[-1] in ("inf", "Inf", "infty", "PINF")


def _clip_own(use: Use) -> Value:
    """`optimizer.clip_grad_norm(...)`, `fsdp_model.clip_grad_norm_(...)`: a clip of its own parameters."""
    tracked = use.tracked
    assert tracked is not None  # a method, by the role of its object
    roots = frozenset((tracked.root,)) if tracked.role is not Role.OPTIMIZER else tracked.params
    limit = use.arg(0, "max_norm")
    detail = Clipping(roots, _infinite(limit), False, "norm", unscales=tracked.role is Role.OPTIMIZER)
    use.emit(Kind.CLIP, tracked.key, detail)
    return Unknown(use.node.text, True, detached=True)


def _multiply(use: Use) -> Value:
    use.emit(Kind.WRITE, key_of(use.receiver), Write(roots_of(use.receiver), multiplier(use.arg(0))))
    return None


def _freeze(use: Use) -> Value:
    if use.tracked is not None:
        trains = truth(use.arg(0, "requires_grad", True))
        freeze(use.machine, frozenset((use.tracked.root,)), trains)
    return use.receiver


GRADIENTS: Actions = {
    Action.BACKWARD: _backward,
    Action.ZERO: _zero,
    Action.CLIP: _clip,
    Action.CLIP_OWN: _clip_own,
    Action.MULTIPLY: _multiply,
    Action.FREEZE: _freeze,
}
"""What carries these actions out."""
