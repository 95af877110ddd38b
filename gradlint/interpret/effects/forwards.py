"""Forwards: what a network, and what is computed from its output, gives back."""

from __future__ import annotations

from collections.abc import Iterable

from gradlint.interpret.arithmetic import averaged, bare, divisor, multiplier, named_divisor, reduced
from gradlint.interpret.atoms import truth
from gradlint.interpret.contents import unknowns_in
from gradlint.interpret.effects.use import Actions, Arguments, Use
from gradlint.interpret.layers import has_no_parameters
from gradlint.interpret.machine import Machine
from gradlint.interpret.returned import divides_by_window
from gradlint.interpret.values import Tracked, Unknown, Value, merge
from gradlint.libraries.conventions.calls import OTHER_SWITCHES
from gradlint.libraries.tensors import SCALING, SMOOTH
from gradlint.model.effects import Action
from gradlint.model.events import (
    Forward,
    Kind,
)
from gradlint.model.factor import ONE, UNKNOWN_FACTOR
from gradlint.model.program import (
    Call,
    Expr,
    Function,
)


def forward(
    machine: Machine,
    node: Call,
    tracked: Tracked,
    args: list[Value],
    keywords: Arguments,
    assumed: bool = False,
) -> Value:
    """A model is called."""
    root = tracked.root
    part = "" if tracked.distributed else machine.wrapped_part(root, tracked)
    given = [*args, *keywords.values()]
    inputs = [value for value in given if isinstance(value, Unknown)]
    past = not tracked.distributed and tracked.innermost is machine.models.inside.get(root)
    detail = Forward(
        tracked.distributed or ("ddp" if part else ""),
        machine.no_sync(part or root),
        not machine.gradients_off,
        machine.autocast,
        assumed,
        root in machine.models.hearsay,
        part,
        machine.repeating > 0,
        past,
        has_no_parameters(machine, tracked.innermost),
    )
    number = machine.emit(Kind.FORWARD, node.span, root, node.text, detail)
    if past:
        machine.models.past.add(number)
    parts = inputs if len(inputs) == len(given) else [part for value in given for part in unknowns_in(value)]
    result = merge(node.text, parts)
    result.varying = True
    result.called = True
    weighed = "num_items_in_batch" in keywords or any(value.weighs for value in inputs)
    owner = tracked
    made = machine.method(tracked.cls, "forward") if tracked.cls is not None else None
    if made is None and tracked.inner is not None and tracked.inner.cls is not None:
        owner, made = tracked.inner, machine.method(tracked.inner.cls, "forward")
    if tracked.cls is None:
        machine.models.foreign.add(root)
    weighed = weighed or (made is not None and (made[0].weighs or divides_by_window(machine, owner, made[0])))
    result.factor = UNKNOWN_FACTOR if weighed else ONE
    result.terms = ()
    result.kept = frozenset()
    result.summed = made is not None and (made[0].sums or _holds_sum(tracked, made[0]))
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
        machine.inputs[number] = tuple([value.key for value in inputs])
    return result


def _averages(machine: Machine, owner: Tracked, method: Function) -> bool:
    """Whether a method reduces by the mean: by itself, by a criterion that it holds, or by a function of the file."""
    if method.averages:
        return True
    functions = machine.program.functions
    helpers = [functions[name] for name in sorted(method.called) if name in functions]
    if any("sum" in one.called or one.sums or one.divides or one.weighs for one in (method, *helpers)):
        return False
    if _holds_sum(owner, method):
        return False
    held = {name for name, part in owner.attrs.items() if isinstance(part, Tracked) and part.kind == "mean"}
    return not held.isdisjoint(method.called) or any(one.averages for one in helpers)


def _holds_sum(tracked: Tracked, method: Function) -> bool:
    """Whether an object keeps a criterion that sums, and its method calls it."""
    held = {name for name, part in tracked.attrs.items() if isinstance(part, Tracked) and part.kind == "sum"}
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
    tracked = use.tracked
    if tracked is None:
        return Unknown(use.node.text, True)
    return forward(use.machine, use.node, tracked, use.args, use.keywords)


def reduction(name: str, args: Iterable[Value], keywords: Arguments) -> str:
    """How a loss of this name is reduced, in torch's words, the old ones among them; empty when nobody can see.

    nn.MSELoss(False), F.mse_loss(x, y, size_average=False)     a sum, as it was written once
    """
    places = [value for value in args if isinstance(value, bool)] if not OTHER_SWITCHES[name] else []
    if keywords.get("reduce", places[1] if len(places) > 1 else None) is False:
        return "none"
    if keywords.get("size_average") is not None or places:
        averages = truth(keywords.get("size_average", places[0] if places else None))
        return "" if averages is None else ("mean" if averages else "sum")
    said = keywords.get("reduction", "" if any(name.startswith("**") for name in keywords) else "mean")
    return said if isinstance(said, str) else ""


def reduced_loss(loss: Unknown) -> Unknown:
    """A loss of samples, once it is their sum or mean."""
    copy = loss.under(loss.key)
    copy.factor = reduced(loss.factor)
    return copy


def _generate(use: Use) -> Value:
    """`model.generate(x)`, which is decorated with `no_grad`."""
    tracked = use.tracked
    if tracked is not None:
        use.emit(Kind.FORWARD, tracked.root, Forward(tracked.distributed, False, False, use.machine.autocast, True))
    return Unknown(use.node.text, True, detached=tracked is not None)


FORWARDS: Actions = {
    Action.FORWARD: _forward,
    Action.GENERATE: _generate,
}
"""What carries these actions out."""
