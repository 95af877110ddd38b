"""Hooks of tensors, parameters and modules: what they make of gradients on the way."""

from __future__ import annotations

from gradlint.interpret.calling import call_value
from gradlint.interpret.effects.use import Site
from gradlint.interpret.lineage import method_of
from gradlint.interpret.losses import Graph
from gradlint.interpret.values import Constructor, Parameters, Partial, Routine, Series, Tracked, Unknown, Value
from gradlint.libraries.tensors import GRADIENT_HOOKS
from gradlint.model.effects import Gate
from gradlint.model.factor import ONE, UNKNOWN_FACTOR, Factor

_TENSORS = "register_hook"
_ACCUMULATED = "register_post_accumulate_grad_hook"
_CHANGES = Gate.CLIP | Gate.WEIGHT | Gate.STEP


def hooked(site: Site, base: Value, name: str) -> None:
    """A hook is registered: from here on, gradients arrive as it leaves them.

    A tensor's hook is met by what goes back through that tensor; any other one may stand before every parameter. What
    the project's own classes call so is something else (`runner.register_hook(EarlyStopping())`).
    """
    if (
        isinstance(base, Tracked)
        and base.cls is not None
        and method_of(site.machine.program, base.cls, name) is not None
    ):
        return
    tensor = isinstance(base, Unknown) and base.graph.known and name == _TENSORS
    # of functions out of sight, most only look; on what came from a network they are there to change something
    factor = _factor(site, name, unseen=UNKNOWN_FACTOR if tensor else ONE)
    if factor == ONE or (isinstance(base, Parameters) and base.grads):
        return
    if isinstance(base, Unknown) and base.graph.known:
        site.machine.graphs.bend(base.graph, site.node.span)
    else:
        site.machine.graphs.on_the_way[site.node.span] = factor if isinstance(base, Parameters) else UNKNOWN_FACTOR


def _factor(site: Site, name: str, unseen: Factor) -> Factor:
    """What the hook multiplies each gradient by; `unseen` where nobody can look into it."""
    hook = site.args[0] if site.args else site.keywords.get("hook")
    if not isinstance(hook, (Routine, Partial)):
        return unseen
    if name == _ACCUMULATED:
        routine = hook.target if isinstance(hook, Partial) else hook
        return UNKNOWN_FACTOR if isinstance(routine, Routine) and routine.function.gates & _CHANGES else ONE
    return _passed(site, hook, GRADIENT_HOOKS[name])


def _passed(site: Site, function: Value, count: int) -> Factor:
    """What a function that gets one gradient, or several, multiplies them by; one of several tells nothing of all."""
    with site.machine.stack.silently():
        passed = call_value(site.given([_gradient(site, number) for number in range(count)]), function)
    if isinstance(passed, Unknown):
        return passed.factor
    items = passed.items if isinstance(passed, Series) else []
    return UNKNOWN_FACTOR if any(isinstance(item, Unknown) and item.factor != ONE for item in items) else ONE


def _gradient(site: Site, number: int) -> Unknown:
    """What goes back: as with a loss, each factor of it counts."""
    gradient = Unknown(f"grad{number}", True)
    gradient.graph = Graph(bases=frozenset((site.machine.names.fresh(),)))
    return gradient


def applied(site: Site, made: Constructor, value: Value) -> Value:
    """What `made.apply(...)` gives: a `torch.autograd.Function` of the project may scale what goes back through it."""
    back = method_of(site.machine.program, made.cls, "backward")
    if back is not None and isinstance(value, Unknown):
        routine = Routine(back[0], site.machine.frame_of(back[0]))
        if _passed(site, routine, len(back[0].parameters)) != ONE:
            site.machine.graphs.bend(value.graph, site.node.span)
    return value
