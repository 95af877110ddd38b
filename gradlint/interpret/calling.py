"""Calling a value: arguments evaluated, the callee found, and what it does."""

from __future__ import annotations

from gradlint.interpret.clearing import clears_alone
from gradlint.interpret.constructing import construct
from gradlint.interpret.dispatch import GATHERING, HANDLERS
from gradlint.interpret.effects.forwards import forward
from gradlint.interpret.effects.use import Site, apply
from gradlint.interpret.frame import Frame
from gradlint.interpret.functions import invoke, invoke_method
from gradlint.interpret.growing import adds_to_its_own
from gradlint.interpret.layers import has_no_parameters, is_layer
from gradlint.interpret.lineage import method_of
from gradlint.interpret.losses import Reduced
from gradlint.interpret.machine import Machine
from gradlint.interpret.picked import note_run
from gradlint.interpret.results import generic, summed_work, unknown_result, unknowns
from gradlint.interpret.state.objects import Objects
from gradlint.interpret.traits import is_member, key_of, loaded
from gradlint.interpret.values import (
    Constructor,
    Context,
    Imported,
    Method,
    Partial,
    Routine,
    Series,
    Table,
    Tracked,
    Unknown,
    Value,
)
from gradlint.interpret.weighing import smooth_of
from gradlint.interpret.witnessing import forwarded
from gradlint.libraries.tables import CALLS, METHODS
from gradlint.model.effects import Effect, Gate
from gradlint.model.events import Kind
from gradlint.model.factor import UNKNOWN_FACTOR
from gradlint.model.program import Attr, Call, Const, Expr, Function, Not, Program, Read, Star
from gradlint.model.record import replace
from gradlint.model.roles import Role


def site_of(machine: Machine, frame: Frame, node: Call) -> Site:
    """A call with its arguments evaluated; `*xs` is spread where its items are known."""
    args: list[Value] = []
    sizes = machine.sizes
    handed: dict[int | str, int] = {}
    if not node.args and not node.keywords:
        sizes.handed = handed
        return Site(machine, frame, node, args, {})
    seen = len(sizes.divided)
    for part in node.args:
        kind = part.__class__
        value = HANDLERS[kind](machine, frame, part)
        if value.__class__ is Unknown:
            args.append(value)
            continue
        if kind is Star and isinstance(value, Series):
            args += value.items
            continue
        if value.__class__ is bool and kind is not Const:
            _window_of(machine, part, seen, handed, len(args))
        elif value.__class__ is Method:
            _hand_over(machine, part, value)
        args.append(_given(machine, value) if value.__class__ is Imported else value)
    keywords = _keywords(machine, frame, node, seen, handed) if node.keywords else {}
    sizes.handed = handed
    return Site(machine, frame, node, args, keywords)


def _keywords(machine: Machine, frame: Frame, node: Call, seen: int, handed: dict[int | str, int]) -> dict[str, Value]:
    keywords: dict[str, Value] = {}
    for name, expr in node.keywords:
        value = HANDLERS[expr.__class__](machine, frame, expr)
        if name is not None:
            keywords[name] = _given(machine, value) if value.__class__ is Imported else value
            if value.__class__ is bool and expr.__class__ is not Const:
                _window_of(machine, expr, seen, handed, name)
            elif value.__class__ is Method:
                _hand_over(machine, expr, value)
        elif isinstance(value, Table):
            keywords.update({str(key): item for key, item in value.items.items()})
        elif isinstance(value, Unknown):
            keywords[f"**{value.key}"] = value
            keywords |= _held(value)
    return keywords


def _held(batch: Unknown) -> dict[str, Value]:
    """What a batch is known to hold, as keywords: `criterion(**batch)` behind `batch["output"] = model(**batch)`."""
    held = {place.strip("[']"): value for place, value in (batch.data.held or {}).items()}
    return {name: value for name, value in held.items() if name.isidentifier() or name.startswith("**")}


def _given(machine: Machine, value: Imported) -> Value:
    """An argument: what another file says is a value there, unless it is known, one of several, or that file."""
    if known_effect(value.name) is not None or is_member(value) or _is_module(machine.program, value):
        return value
    return machine.setting(value)


def _is_module(program: Program, value: Imported) -> bool:
    """Whether it is a module of the project: `getattr(engine, "fit")`."""
    found = program.load(program.module(value.importer), value.name)
    return found is not None and not found[1]


def _hand_over(machine: Machine, part: Expr, value: Value) -> None:
    """`Epochs(n, sampler.set_epoch)`: whoever is given a sampler's method calls it."""
    if not isinstance(value, Method) or value.name != "set_epoch" or not isinstance(value.receiver, Tracked):
        return
    machine.emit(Kind.SET_EPOCH, machine.here, value.receiver.key, getattr(part, "text", ""))


def _window_of(machine: Machine, part: Expr, seen: int, handed: dict[int | str, int], place: int | str) -> None:
    """`step(loss, update=(i + 1) % 4 == 0)`, `step(loss, boundary)`: the window that an argument tells the end of."""
    sizes = machine.sizes.divided[seen:]
    while isinstance(part, Not):
        part = part.value
    if sizes:
        handed[place] = max(sizes)
    elif isinstance(part, (Read, Attr)) and part.name in machine.sizes.moduli:
        handed[place] = machine.sizes.moduli[part.name]


def call_value(site: Site, callee: Value) -> Value:
    """Call something that was computed."""
    machine, node = site.machine, site.node
    if callee.__class__ is Unknown:
        network = _network_called(machine.objects, callee)
        note_run(machine, callee, site.values)
        return generic(site, callee.key, callee) if network is None else call_tracked(site, network)
    if isinstance(callee, Imported):
        return _of_library(site, callee)
    if isinstance(callee, Routine):
        machine.stack.written[callee.function] = node
        return invoke(machine, callee, site.args, site.keywords, node.span)
    if isinstance(callee, Constructor):
        made = method_of(machine.program, callee.cls, "__init__")
        if made is not None:
            machine.stack.written[made[0]] = node
        return construct(machine, callee, site.args, site.keywords, node.span)
    if isinstance(callee, Partial):
        merged = {**callee.keywords, **site.keywords}
        return call_value(site.given([*callee.args, *site.args], merged), callee.target)
    if isinstance(callee, Method):
        return _bound(site, callee)
    if isinstance(callee, Tracked):
        return call_tracked(site, callee)
    if isinstance(callee, Context):
        return callee
    if callee is None:
        return Unknown(node.text, True, called=True)
    return generic(site, key_of(callee), callee)


def _of_library(site: Site, callee: Imported) -> Value:
    """A call of what was imported, and is none of the project's functions."""
    effect = known_effect(callee.name)
    if effect is not None:
        made = apply(_named_so(site, callee.name), effect, None)
        if callee.one_of and isinstance(made, Tracked):
            made.make.kind = ""
        return made
    return loaded(callee, site.args) or generic(site, callee.name, callee)


def _named_so(site: Site, name: str) -> Site:
    """A call of something that is known under another name: `make = LinearLR`, `partial(LinearLR, total_iters=9)`."""
    last = name.rpartition(".")[2]
    if isinstance(site.node.func, (Read, Attr)) and site.node.func.name == last:
        return site
    node = replace(site.node, func=Read(last, None, name))
    return Site(site.machine, site.frame, node, site.args, site.keywords)


def _network_called(objects: Objects, callee: Unknown) -> Tracked | None:
    """One of several networks that are kept together, or the one that an object holds: `ranker()`, `ranker.model`."""
    if callee.varying:
        return None
    if (network := owned_network(objects, callee)) is not None:
        return network
    if is_layer(callee) and callee.key.endswith("]"):
        return objects.tracked(Role.MODEL, callee.key)
    owner = callee.key
    found = [tracked for (role, _), tracked in objects.known.items() if role is Role.MODEL and owner in tracked.key]
    found = [tracked for tracked in found if _is_attribute(tracked.key, owner)]
    return found[0] if len(found) == 1 else None


def owned_network(objects: Objects, callee: Unknown) -> Tracked | None:
    """What an optimizer was given the parameters of is a network, whatever it is called: `SGD(qf.parameters())`."""
    known = callee.key in objects.owned and not callee.varying
    return objects.tracked(Role.MODEL, callee.key) if known else None


def _is_attribute(key: str, owner: str) -> bool:
    base, _, name = key.rpartition(".")
    return base == owner and name.isidentifier()


def known_effect(name: str) -> Effect | None:
    """The meaning of a library function that is called through a variable."""
    return CALLS.get(name) or CALLS.get("*." + name.rsplit(".", 1)[-1])


def _bound(site: Site, callee: Method) -> Value:
    receiver = callee.receiver
    if isinstance(receiver, Tracked) and receiver.role is not None:
        effect = METHODS.get(receiver.role, {}).get(callee.name)
        if effect is not None:
            return apply(site, effect, receiver)
    if isinstance(receiver, (Series, Table)) and callee.written is not None and callee.frame is not None:
        node = replace(site.node, func=callee.written)
        there = Site(site.machine, callee.frame, node, site.args, site.keywords)
        return GATHERING[0](there, receiver, callee.name)
    return generic(site, callee.name, receiver)


def _clear_itself(site: Site, network: Tracked) -> None:
    """What the `forward` of a network clears by itself: `self.zero_grad()` at its head."""
    found = method_of(site.machine.program, network.cls, "forward") if network.cls is not None else None
    clears = clears_alone(found[0]) if found is not None else None
    if clears is not None:
        invoke_method(site.machine, clears, network, site.args, site.keywords, site.node.span)


def _is_given_optimizer(site: Site) -> bool:
    """Whether what is called `scaler` gets an optimizer with the loss, as timm's does: torch's cannot be called."""
    given = site.arg(1, "optimizer")
    known = isinstance(given, Unknown) and not given.varying and not given.graph.bases
    return known or (isinstance(given, Tracked) and given.role in (Role.OPTIMIZER, None))


def _keeps_account(machine: Machine, criterion: Tracked, forward: Function) -> bool:
    """Whether a criterion of one's own adds what it computes to a total that it holds: `self.total += loss`."""
    return has_no_parameters(machine.program, criterion.innermost) and adds_to_its_own(forward)


def call_tracked(site: Site, tracked: Tracked) -> Value:
    """Call a tracked object itself: a network, a criterion, a scaler that does the rest."""
    machine, node = site.machine, site.node
    if tracked.cls is not None:
        for name in ("__call__", "forward"):
            found = method_of(machine.program, tracked.cls, name)
            works = found is not None and bool(found[0].gates & (Gate.BACKWARD | Gate.STEP))
            works = works or (found is not None and _keeps_account(machine, tracked, found[0]))
            if found is not None and (works or (name == "__call__" and tracked.role is not Role.MODEL)):
                routine = Routine(found[0], machine.frame_of(found[0]), tracked)
                return invoke(machine, routine, site.args, site.keywords, node.span)
    if tracked.role in (Role.MODEL, Role.ENGINE, Role.EMA):
        _clear_itself(site, tracked.innermost)
        return forward(site, tracked)
    if tracked.role is Role.FOREIGN:
        return machine.objects.tracked(Role.FOREIGN, node.text)
    if tracked.role is Role.SCALER_CALLABLE or (tracked.role is Role.SCALER and _is_given_optimizer(site)):
        effect = METHODS[Role.SCALER_CALLABLE]["__call__"]
        return apply(site, effect, tracked)
    if tracked.role is Role.CRITERION:
        made = tracked.origin == "made" and tracked.cls is None
        result = unknown_result(machine, node, tracked.key, site.values, loss=made and bool(tracked.make.kind))
        mean = made and tracked.make.kind == "mean"
        if mean and not machine.contexts.gradients_off:
            result.graph = result.graph.smoothly(smooth_of(unknowns(site.values)))
        summed = tracked.make.kind == "sum" or (summed_work(site.args) if mean else result.reduced.summed)
        result.reduced = Reduced(summed, mean)
        if tracked.origin == "made" and not tracked.make.kind:
            result.factor = UNKNOWN_FACTOR
        if machine.witnessed.on:
            forwarded(machine, node, tracked, site.args, site.keywords, result)
        return result
    return generic(site, tracked.key, tracked)
