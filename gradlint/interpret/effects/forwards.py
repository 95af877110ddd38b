"""Forwards: what a network, and what is computed from its output, gives back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gradlint.interpret.arithmetic import bare, named_divisor
from gradlint.interpret.atoms import truth
from gradlint.interpret.contents import is_given, unknowns_in
from gradlint.interpret.cutting import bends_gradients, keeps_gradients_out, scaled_by
from gradlint.interpret.effects.use import Actions, Arguments, Site, Use
from gradlint.interpret.layers import has_no_parameters
from gradlint.interpret.lineage import method_of, role_of
from gradlint.interpret.losses import MEAN, NO_GRAPH, UNREDUCED, Graph, Reduced, Scale
from gradlint.interpret.machine import Machine
from gradlint.interpret.means import averaged, over_its_own, weighed_sum
from gradlint.interpret.plan import Plan
from gradlint.interpret.reaching import calls_with_gradients
from gradlint.interpret.returned import divides_by_window, divisor_of_all
from gradlint.interpret.state.contexts import Contexts
from gradlint.interpret.state.graphs import Graphs
from gradlint.interpret.state.stack import Stack
from gradlint.interpret.values import Tracked, Unknown, Value, merge
from gradlint.interpret.weighing import divisor, multiplier, reduced
from gradlint.interpret.witnessing import forwarded
from gradlint.libraries.conventions.calls import EVALUATES, OTHER_SWITCHES, TRAINS
from gradlint.libraries.tensors import SCALING, SMOOTH
from gradlint.model.effects import Action
from gradlint.model.events import Forward, Kind
from gradlint.model.factor import ONE, UNKNOWN_FACTOR
from gradlint.model.program import Expr, Function, Program
from gradlint.model.record import replace
from gradlint.model.roles import Role
from gradlint.model.roots import owns


def forward(site: Site, tracked: Tracked, name: str = "__call__") -> Value:
    """A model is called, or a method of that name that gives what it gives."""
    machine, value = site.machine, forward_on_paper(site, tracked)
    if machine.witnessed.on:
        forwarded(machine, site.node, tracked, site.args, site.keywords, value, name)
    return value


def forward_on_paper(site: Site, tracked: Tracked, assumed: bool = False) -> Value:
    """A model is called, or perhaps by what it was handed to; no witness is told."""
    machine, node = site.machine, site.node
    innermost, distributed, ranks = tracked.innermost, tracked.distributed, machine.ranks
    root = innermost.key
    part = "" if distributed else ranks.wrapped_part(root, tracked)
    reached = tuple(_reached(machine, innermost)) if innermost.cls is not None else ()
    past = any(past for _, past in reached)
    detail = Forward(
        distributed or ("ddp" if part else ""),
        ranks.no_sync(part or root, machine.contexts),
        not machine.contexts.gradients_off and not keeps_gradients_out(machine.program, innermost),
        machine.contexts.autocast,
        assumed,
        root in ranks.hearsay,
        part,
        machine.course.repeating > 0,
        not distributed and innermost is ranks.inside.get(root),
        has_no_parameters(machine.program, innermost) or _holds_still(machine, root),
        *_own_calls(machine.program, machine.stack),
        reaches=tuple(root for root, past in reached if not past),
        seen=innermost.cls is not None,
        sometimes=machine.scenario.wrapped.is_sometimes(part or root, machine.scenario.guards),
    )
    detail = _helped(machine.stack, detail)
    number = machine.emit(Kind.FORWARD, node.span, root, node.text, detail)
    if detail.past or past or (ranks.inside and not distributed and _is_asked_for_a_part(machine, tracked)):
        ranks.past.add(number)
    if tracked.cls is None:
        machine.objects.foreign.add(root)
    inputs = [value for value in site.values if isinstance(value, Unknown)]
    result = _output(site, tracked, inputs)
    frozen, attached = machine.training.is_frozen(root), detail.attached
    result.varying = result.called = True
    result.terms, result.detached = (), not attached
    models: frozenset[str] = result.graph.models if attached else NO_GRAPH.models  # no backward gets there
    if attached and not frozen:
        models |= {root, *(inner for inner, _ in reached)}
    bases = frozenset((machine.names.fresh(),))
    whole = number >= 0 and attached and not assumed and not frozen
    if whole:
        machine.graphs.outputs |= dict.fromkeys(bases, number)
    if detail.empty:
        machine.graphs.note_made(bases, inputs)
    forwards = result.graph.forwards
    if number >= 0:
        forwards |= {number}
        _note_inputs(machine, innermost, number, inputs)
    result.graph = Graph(forwards, models, bases, smooth=bases if whole else frozenset())
    return result


def _note_inputs(machine: Machine, innermost: Tracked, number: int, inputs: list[Unknown]) -> None:
    """Note what a forward was given, and whether it bends the gradients that come back through it."""
    if bends_gradients(machine.program, innermost):
        machine.graphs.bent.add(number)
    machine.graphs.inputs[number] = tuple([value.key for value in inputs])


def _output(site: Site, tracked: Tracked, inputs: list[Unknown]) -> Unknown:
    """What a network gives back, and how the loss in it is reduced and scaled; not yet where it came from."""
    machine = site.machine
    parts = inputs if len(inputs) == len(site.values) else [one for value in site.values for one in unknowns_in(value)]
    result = merge(site.node.text, parts)
    weighed = "num_items_in_batch" in site.keywords or any(value.data.weighs for value in inputs)
    _reduce(machine.program, machine.plan, tracked, result, weighed)
    if (scaler := scaled_by(machine.program, tracked.innermost)) is not None:
        result.scale = Scale.over(result.scale, scaler.key)
    return result


def _holds_still(machine: Machine, root: str) -> bool:
    """Whether nothing of a network wants gradients: it was frozen, and got no part since that an optimizer holds."""
    return machine.training.is_frozen(root) and owns(machine.objects.owned, root) is False


def _is_asked_for_a_part(machine: Machine, part: Tracked) -> bool:
    """`ddp.module.encoder(x)`: who calls a part of what is inside DDP, and not from inside of a forward."""
    inside = any(function.name == "forward" for function in machine.stack.functions)
    return not inside and machine.ranks.holds(part.root, part.innermost)


def _reached(machine: Machine, whole: Tracked, deep: int = 3) -> Iterator[tuple[str, bool]]:
    """The roots of networks that one was given, and that its forward calls: `self.model(x)` of a class around a model.

    None to which no gradient comes back, and where they hold still. With each, whether it goes past their wrapper.
    """
    called = calls_with_gradients(machine.program, whole.cls) if whole.cls is not None and deep else frozenset()
    for name in sorted(called & whole.attrs.keys()):
        part = whole.attrs[name]
        if not isinstance(part, Tracked) or not is_given(part, whole) or machine.training.is_frozen(part.root):
            continue
        yield part.root, not part.distributed and part.root in machine.ranks.wrappers
        yield from _reached(machine, part.innermost, deep - 1)


def _own_calls(program: Program, stack: Stack) -> tuple[tuple[int, ...], str, str]:
    """In how many loops each of a network's own methods is called that led here without a break, outermost first.

    With the name of the outermost, and of the function that calls it.
    """
    height, asked, asker = len(stack.calls), "", ""
    for function in reversed(stack.functions):
        owner = program.home(function).classes.get(function.owner) if function.owner else None
        if height == 0 or function.generator or owner is None or role_of(program, owner) is not Role.MODEL:
            asker = function.qualname if asked else ""
            break
        height, asked = height - 1, function.name
    return tuple(stack.loops.get(at, 0) for at in range(height, len(stack.calls))), asked, asker


def _helped(stack: Stack, forward: Forward) -> Forward:
    """One that a helper runs for an evaluation, with that.

    def evaluate(loader):
        for batch in loader: metric.add(apply_network(batch))       so many calls below it, in one loop
    """
    deepest = 0 if forward.own else min(MAX_HELPERS, len(stack.functions) - 1, len(stack.calls))
    for below in range(1, deepest + 1):
        helper, caller = stack.functions[-below], stack.functions[-below - 1]
        if EVALUATES[helper.name] or TRAINS[helper.name] or TRAINS[caller.name]:
            break
        if EVALUATES[caller.name]:
            turning = stack.loops.get(len(stack.calls) - below, 0)
            return replace(forward, asked=helper.name, asker=caller.qualname, below=below, turning=turning)
    return forward


MAX_HELPERS = 2
"""So many helpers, one in another, may run a network for an evaluation."""


def _reduce(program: Program, plan: Plan, tracked: Tracked, result: Unknown, weighed: bool) -> None:
    """How the loss in a model's output is reduced, as far as its class tells."""
    owner = tracked
    made = method_of(program, tracked.cls, "forward") if tracked.cls is not None else None
    if made is None and tracked.inner is not None and tracked.inner.cls is not None:
        owner, made = tracked.inner, method_of(program, tracked.inner.cls, "forward")
    if made is not None:
        method = made[0]
        weighed = weighed or method.weighs
        if not weighed and divides_by_window(plan, owner, method):
            by, weighed = divisor_of_all(owner, method), True
            if by is not None:
                result.reduced, result.factor = MEAN, divisor(by)
                return
        result.reduced = Reduced(method.sums or _holds_sum(tracked, method), _averages(program, owner, method))
    else:
        result.reduced = UNREDUCED
    result.factor = UNKNOWN_FACTOR if weighed else ONE


def _averages(program: Program, owner: Tracked, method: Function) -> bool:
    """Whether a method reduces by the mean: by itself, by a criterion that it holds, or by a function of the file."""
    if method.averages:
        return True
    functions = program.functions
    helpers = [functions[name] for name in sorted(method.called) if name in functions]
    if any("sum" in one.called or one.sums or one.divides or one.weighs for one in (method, *helpers)):
        return False
    if _holds_sum(owner, method):
        return False
    held = {name for name, part in owner.attrs.items() if isinstance(part, Tracked) and part.make.kind == "mean"}
    return not held.isdisjoint(method.called) or any(one.averages for one in helpers)


def _holds_sum(tracked: Tracked, method: Function) -> bool:
    """Whether an object keeps a criterion that sums, and its method calls it."""
    held = {name for name, part in tracked.attrs.items() if isinstance(part, Tracked) and part.make.kind == "sum"}
    return bool(held) and not held.isdisjoint(method.called)


def linear(
    contexts: Contexts, graphs: Graphs, base: Unknown, name: str, args: list[Value], by: Expr | None = None
) -> Unknown:
    """A tensor method that keeps the factor, or divides or multiplies by its argument, `by` in the source."""
    key = f"{base.key}.{name}()"
    op = SCALING.get(name.rstrip("_"))
    if op == "/" and args and over_its_own(graphs, base, args[0]):
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
    if name not in SMOOTH or contexts.gradients_off:
        result.graph = result.graph.smoothly(frozenset())
    if name in ("sum", "mean", "nanmean"):
        result.factor = reduced(result.factor)
        result.terms = tuple(map(reduced_loss, result.terms))
    if name == "sum":
        result.reduced, result.data = weighed_sum(base), result.data.totalling(base.key)
    elif name in ("mean", "nanmean"):
        result.reduced = MEAN
    return result


def _forward(use: Use) -> Value:
    tracked = use.tracked
    if tracked is None:
        return Unknown(use.node.text, True)
    return forward_on_paper(use, tracked)


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
    copy.factor, copy.terms = reduced(loss.factor), tuple(map(reduced_loss, loss.terms))
    return copy


def _generate(use: Use) -> Value:
    """`model.generate(x)`, which is decorated with `no_grad`."""
    tracked = use.tracked
    if tracked is not None:
        detail = Forward(tracked.distributed, False, False, use.machine.contexts.autocast, True)
        use.emit(Kind.FORWARD, tracked.root, detail)
    return Unknown(use.node.text, True, detached=tracked is not None)


FORWARDS: Actions = {Action.FORWARD: _forward, Action.GENERATE: _generate}
"""What carries these actions out."""
