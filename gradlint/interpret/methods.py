"""Methods: of tracked objects, of texts, of what nobody knows."""

from __future__ import annotations

from gradlint.interpret.anew import is_handle, manufactured
from gradlint.interpret.arithmetic import like_a_loss
from gradlint.interpret.assignment import assign, own_items
from gradlint.interpret.atoms import truth
from gradlint.interpret.calling import call_tracked, call_value, owned_network, site_of
from gradlint.interpret.clearing import always_clears
from gradlint.interpret.effects.forwards import forward, linear
from gradlint.interpret.effects.use import Site, apply
from gradlint.interpret.fitting import fits
from gradlint.interpret.frame import Frame
from gradlint.interpret.functions import OF_TORCH, bound_to, invoke
from gradlint.interpret.hooks import applied, hooked
from gradlint.interpret.lineage import classes_of, method_of
from gradlint.interpret.losses import UNREDUCED
from gradlint.interpret.machine import Machine
from gradlint.interpret.modes import set_mode
from gradlint.interpret.places import is_whole
from gradlint.interpret.rates import note_first_rate, set_rate
from gradlint.interpret.results import generic, perhaps_called, unknown_result, unknowns
from gradlint.interpret.sequences import Entries
from gradlint.interpret.series import series_method
from gradlint.interpret.shuffled import furnish
from gradlint.interpret.stacks import OF_STACKS, stacked
from gradlint.interpret.state.budget import Infeasible
from gradlint.interpret.state.objects import Objects
from gradlint.interpret.state.training import Training
from gradlint.interpret.tracked import attribute, is_property, named, stepped
from gradlint.interpret.traits import is_loss, is_number, key_of, loaded
from gradlint.interpret.unseen import handed_over, of_optimizer
from gradlint.interpret.values import (
    MISSING,
    NO_DATA,
    Constructor,
    Context,
    Imported,
    Method,
    Missing,
    Parameters,
    Partial,
    Routine,
    Series,
    Table,
    Tracked,
    Unknown,
    Value,
)
from gradlint.interpret.witnessing import out_of_sight
from gradlint.libraries.conventions.calls import HARMLESS, PUTS_WEIGHTS, TOUCH_NAME
from gradlint.libraries.packages import CROSSES
from gradlint.libraries.tables import ANYWHERE, METHOD_NAMES, METHODS
from gradlint.libraries.tensors import DETACHING, GRADIENT_HOOKS, LINEAR, SCALING
from gradlint.model.effects import Gate
from gradlint.model.events import Kind
from gradlint.model.factor import UNKNOWN_FACTOR
from gradlint.model.program import Attr, Call, Expr, Function, Item, Read
from gradlint.model.record import replace
from gradlint.model.roles import Role


def method_call(machine: Machine, frame: Frame, node: Call, base: Value, name: str) -> Value:
    """`base.name(...)`."""
    base = _with_role(machine, node, base, name) if name in _OF_ROLES else base
    site = _hooked(machine, frame, node, base, name) if name in GRADIENT_HOOKS else site_of(machine, frame, node)
    if base.__class__ is Tracked:
        return _tracked_method(site, base, name)
    if base.__class__ is Unknown:
        held = machine.objects.overrides.get(f"{base.key}.{name}")
        return _unknown_method(site, base, name) if held is None else _overridden(site, base, name, held)
    if isinstance(base, Imported):
        return _of_module(site, base, name)
    if base is None:
        return _on_none(site, name)
    if is_number(base) and not hasattr(base, name) and not machine.stack.preparing:
        machine.log.faults.append(f"`{node.text[:60]}` is called on a number")
        machine.log.raised += [len(machine.log.events)] if name == "backward" else []
    if isinstance(base, Context) and base.kind == "super":
        return _super_call(site, base, name)
    if isinstance(base, Parameters) and base.held is not None and name == "update":
        told = site.args[0].items if site.args and isinstance(site.args[0], Table) else site.keywords
        set_rate(machine, base.held, told.get("lr"))  # group.update(lr=base / accum)
    if isinstance(base, (Series, Table, Parameters)):
        value = series_method(site, base, name)
        return _told(site, base, name, value) if isinstance(base, Parameters) else value
    if isinstance(base, Context) and name in OF_STACKS:
        return stacked(site, base, name)
    if isinstance(base, Constructor):
        return _of_class(site, base, name)
    if isinstance(base, Routine) and name == "__call__":
        return invoke(machine, base, site.args, site.keywords, node.span)
    return _of_text(machine, node, base, name, site.values)


_OF_ROLES = frozenset({"step", "zero_grad", *METHODS[Role.SCALER]})
"""Methods that say what their owner is, whatever is known of it."""


def _hooked(machine: Machine, frame: Frame, node: Call, base: Value, name: str) -> Site:
    """Where something is hooked that sees gradients from there on."""
    site = site_of(machine, frame, node)
    hooked(site, base, name)
    return site


def _with_role(machine: Machine, node: Call, base: Value, name: str) -> Value:
    """The owner of such a method, as what it is by that."""
    base = _handed_out(machine, base) if name in ("step", "zero_grad") else base
    base = _stepped(machine.objects, node, base) if name == "step" else base
    return _scaling(machine.objects, node, base) if name in METHODS[Role.SCALER] else base


def _overridden(site: Site, base: Unknown, name: str, held: Value) -> Value:
    """A method that was set from outside, where that can be called."""
    return call_value(site, held) if isinstance(held, _CALLABLE) else _unknown_method(site, base, name)


def _of_class(site: Site, base: Constructor, name: str) -> Value:
    """`Net.build(...)`, `Reverse.apply(features)`: a method of the class itself, or one that torch gives to it."""
    if method_of(site.machine.program, base.cls, name) is not None:
        return call_value(site, attribute(site.machine, base, name, None, None))
    value = _of_text(site.machine, site.node, base, name, site.values)
    return _applied(site, base, value) if name == "apply" else value


def _applied(site: Site, base: Constructor, value: Value) -> Value:
    """`Adjoint.apply(x, net)`: a function of autograd calls a network that it is given, forwards or on the way back."""
    if isinstance(value, Unknown) and method_of(site.machine.program, base.cls, "backward") is not None:
        models = [one for one in handed_over(site.values) if one.role in (Role.MODEL, Role.ENGINE)]
        perhaps_called(site, value, models)
    return applied(site, base, value)


def _of_module(site: Site, base: Imported, name: str) -> Value:
    """`engine.fit(model)`: a function of the project, or of a library."""
    held = named(site.machine, base.importer, f"{base.name}.{name}")
    if not isinstance(held, Imported):
        return call_value(site, held)
    return loaded(held, site.args) or generic(site, f"{base.name}.{name}", base)


_CALLABLE = (Routine, Partial, Method, Constructor, Imported)


def _stepped(objects: Objects, node: Call, base: Value) -> Value:
    owner = node.func.base if isinstance(node.func, Attr) else None
    return stepped(objects, base) if isinstance(owner, (Read, Attr)) and owner.hint is Role.OPTIMIZER else base


def _handed_out(machine: Machine, base: Value) -> Value:
    """`self.optimizers().step()`: what Lightning hands out has a role without a name."""
    handed = is_handle(base) and "lr_schedulers" not in key_of(base)
    return manufactured(machine, base, Role.OPTIMIZER, key_of(base)) if handed else base


def _scaling(objects: Objects, node: Call, base: Value) -> Value:
    """`self.scaler.update()`, where what a checkpoint has brought is a scaler by its name and how it is used."""
    owner = node.func.base if isinstance(node.func, Attr) else None
    scales = isinstance(owner, (Read, Attr)) and owner.hint is Role.SCALER
    return objects.tracked(Role.SCALER, base.key) if scales and isinstance(base, Unknown) else base


def _of_text(machine: Machine, node: Call, base: Value, name: str, args: list[Value]) -> Value:
    """What a method of a text that is known returns: names of settings are taken apart and put together so."""
    words = [value for value in args if isinstance(value, str)]
    if isinstance(base, str) and len(words) == len(args):
        if name in ("lower", "upper", "strip", "replace") and len(args) == (2 if name == "replace" else 0):
            made: str = getattr(base, name)(*words)
            return made
        if name in ("startswith", "endswith") and len(words) == 1:
            return base.startswith(words[0]) if name == "startswith" else base.endswith(words[0])
        if name == "split" and len(args) <= 1 and words != [""]:
            return Series([*base.split(words[0] if words else None)])
    return unknown_result(machine, node, f"{key_of(base)}.{name}", args)


def _on_none(site: Site, name: str) -> Value:
    """A method of `None`: a scaler that this scenario switched off, or something set where nobody looked."""
    machine, node = site.machine, site.node
    base = node.func.base if isinstance(node.func, Attr) else None
    if not machine.stack.preparing:
        machine.log.faults.append(f"`{node.text[:60]}` is called on `None`")
    if not isinstance(base, (Read, Attr)) or name not in METHOD_NAMES:
        return Unknown(node.text, True)
    if base.hint in (Role.SCALER, Role.SCALER_CALLABLE):
        raise Infeasible
    if base.hint in (None, Role.SCHEDULER, Role.EMA, Role.SAMPLER):
        return Unknown(node.text, True)
    return _tracked_method(site, machine.objects.tracked(base.hint, base.name), name)


def _tracked_method(site: Site, base: Tracked, name: str) -> Value:
    machine = site.machine
    if base.role is Role.MODEL and machine.course.stamp and PUTS_WEIGHTS[name]:
        machine.log.models.rewound.append((len(machine.log.events), base.root))
    set_value = base.attrs.get(name)
    if set_value is not None and not isinstance(set_value, Unknown):
        return call_value(site, set_value)
    whole = machine.objects.gathered.get(set_value) if isinstance(set_value, Unknown) else None
    if isinstance(whole, Tracked) and base.role is not Role.MODEL:
        return forward(site, whole)
    if isinstance(set_value, Unknown) and (network := owned_network(machine.objects, set_value)) is not None:
        return call_tracked(site, network)
    effect = METHODS.get(base.role, {}).get(name) if base.role is not None else None
    found = method_of(machine.program, base.cls, name) if base.cls is not None else None
    if found is not None and is_property(found[0]):
        return call_value(site, attribute(machine, base, name, None, None))
    if found is not None:
        works = bool(found[0].gates & (Gate.BACKWARD | Gate.STEP))
        torch = base.role is Role.MODEL and name in OF_TORCH
        if effect is None or works or not (torch or base.role in (Role.SAMPLER, Role.OPTIMIZER)):
            return _project_method(site, base, name, found[0])
    if effect is not None:
        passes_on = found is None and base.cls is not None and Gate.SYNC in effect.gate
        result = apply(site, effect, (_distributed(machine, base) if passes_on else None) or base)
        if base.role is Role.OPTIMIZER and found is not None and name == "step" and always_clears(found[0]):
            apply(site.given([]), METHODS[Role.OPTIMIZER]["zero_grad"], base)  # it clears by itself
        return result
    if base.role is Role.MODEL and base.inner is not None and name in ("module", "_orig_mod"):
        return call_tracked(site, base.inner)
    if base.role is Role.MODEL and name == "register_comm_hook":
        _communicate(site)
    return _unlisted(site, base, name)


def _project_method(site: Site, base: Tracked, name: str, function: Function) -> Value:
    """A method of the project's own; a `step` that works on nothing of the training is a stranger to it."""
    machine, told = site.machine, len(site.machine.log.events)
    _ask_the_wrapper(machine, base, name)
    routine = Routine(function, machine.frame_of(function), bound_to(function, base))
    machine.stack.written[function] = site.node
    args = site.args if fits(function, site, bound=routine.receiver is not None) else []
    value = invoke(machine, routine, args, site.keywords, site.node.span)
    if name == "step" and base.role is None and len(machine.log.events) == told:
        machine.log.strangers.add(site.node.span)
    return value


def _ask_the_wrapper(machine: Machine, base: Tracked, name: str) -> None:
    """`ddp.compute_loss(x)`: DDP has no method of the network's class, and raises where there are several processes."""
    if base.distributed == "ddp" and base.cls is base.innermost.cls and name not in OF_TORCH:
        machine.ranks.alone.add(base.root)


def _communicate(site: Site) -> None:
    """`ddp.register_comm_hook(state, hook)`: of what a hook that is not torch's own makes of gradients nobody knows."""
    hook = site.args[1] if len(site.args) > 1 else site.keywords.get("hook")
    if isinstance(hook, (Routine, Partial, Unknown)):
        site.machine.graphs.on_the_way[site.node.span] = UNKNOWN_FACTOR


def _distributed(machine: Machine, base: Tracked) -> Tracked | None:
    """The distributed wrapper that a network holds and asks, by its `__getattr__`, for `no_sync` that it has not."""
    if base.cls is None or base.distributed:
        return None
    held = [value for value in base.attrs.values() if isinstance(value, Tracked) and value.distributed]
    asks = len(held) == 1 and method_of(machine.program, base.cls, "__getattr__") is not None
    return held[0] if asks else None


def _each(objects: Objects, whole: Tracked) -> Tracked:
    """One of several objects that nobody can list: made like the others."""
    one = objects.tracked(whole.role, f"{whole.key}[*]", whole.origin)
    one.make = replace(whole.make)
    return one


_OF_DICTIONARIES = frozenset("get items keys pop setdefault update values".split())


def _tells(held: Table, name: str, args: list[Value]) -> bool:
    """Whether what is known of a dictionary of one's own is enough: it may have been made with more."""
    if name in ("get", "pop"):
        return bool(args) and isinstance(args[0], (str, int)) and args[0] in held.items
    return name in ("setdefault", "update") or bool(held.items)


def _unlisted(site: Site, base: Tracked, name: str) -> Value:
    """A method that no record of the role lists."""
    machine, node = site.machine, site.node
    if name in _OF_DICTIONARIES and (held := own_items(base)) is not None and _tells(held, name, site.args):
        return series_method(site, held, name)
    if base.role is Role.FOREIGN:
        return (
            unknown_result(machine, node, name, site.args)
            if CROSSES.search(name)
            else machine.objects.tracked(Role.FOREIGN, node.text)
        )
    if base.role is not None and base.cls is None and name in ("values", "items"):
        each = _each(machine.objects, base)
        label = machine.unknown(f"{base.key}.keys()[*]", varying=True)
        return Series([each] if name == "values" else [Series([label, each], "tuple")])
    if base.cls is not None or base.role is None or (base.inner is not None and name in ("module", "_orig_mod")):
        value = attribute(machine, base, name, node.func.hint if isinstance(node.func, Attr) else None, None)
        if isinstance(value, (Routine, Constructor, Partial, Tracked)):
            return call_value(site, value)
        if base.role is None and base.cls is None and name in ANYWHERE:
            return apply(site, ANYWHERE[name], base)
    if base.role is Role.OPTIMIZER and base.cls is None:
        if name.startswith("step"):
            return apply(site.given([]), METHODS[Role.OPTIMIZER]["step"], base)
        if name.startswith("zero"):
            return apply(site.given([]), METHODS[Role.OPTIMIZER]["zero_grad"], base)
        if TOUCH_NAME.search(name):
            machine.emit(Kind.OPAQUE, node.span, base.key, node.text, of_optimizer(node, base.key))
    asked = name.removeprefix("get_") if name.endswith("_loss") else name
    dull = TOUCH_NAME.search(name) or HARMLESS.search(asked) or not site.args
    if base.role is Role.MODEL and not dull and isinstance(node.func, Attr) and node.func.hint is not Role.CRITERION:
        return forward(site, base, name)
    return generic(site, f"{base.key}.{name}", base)


def _super_call(site: Site, base: Context, name: str) -> Value:
    machine, node = site.machine, site.node
    tracked = base.target
    running = machine.stack.running
    if tracked is None or tracked.cls is None:
        return Unknown(node.text, True)
    classes = classes_of(machine.program, tracked.cls)
    names = [(cls.name, cls.span.module) for cls in classes]
    owner = (running.owner, running.span.module) if running is not None else ("", 0)
    start = names.index(owner) + 1 if owner in names else 1
    for cls in classes[start:]:
        if name in cls.methods:
            routine = Routine(cls.methods[name], machine.frame_of(cls), tracked)
            return invoke(machine, routine, site.args, site.keywords, node.span)
    if name == "__init__":
        furnish(machine.course, tracked, site.args, site.keywords)
        note_first_rate(site, tracked, classes)
    if name == "__init__" or tracked.role is None:
        return None
    effect = METHODS.get(tracked.role, {}).get(name)
    return None if effect is None else apply(site, effect, tracked)


def _unknown_method(site: Site, base: Unknown, name: str) -> Value:
    machine, node = site.machine, site.node
    effect = ANYWHERE.get(name)
    if effect is not None and not (name == "backward" and site.args and not base.graph.bases and is_loss(site.args[0])):
        return apply(site, effect, base)
    if name in _APART:
        found = _of_its_own(site, base, name)
        if found is not MISSING:
            return found
    if name in DETACHING or (name in ("to", "type") and base.graph.known and is_whole(site.values)):
        return _told(site, base, name, _without_graph(node, base))
    if name in LINEAR and (base.graph.known or (name.rstrip("_") in SCALING and _of_a_loss(node))):
        return _told(site, base, name, _linear(site, base, name))
    if base.detached:
        return _told(site, base, name, _without_graph(node, base))
    network = _network(machine, node, base, name)
    if network is not None:
        return call_tracked(site, network)
    return generic(site, f"{base.key}.{name}", base)


def _without_graph(node: Call, base: Unknown) -> Unknown:
    result = Unknown(node.text, True, detached=True, leaves=frozenset((node.text,)) | base.measured)
    if base.data.total:
        result.data = NO_DATA.totalling(base.data.total)
    if base.scale is not None and base.scale.left:
        result.scale = base.scale
    return result


def _told(site: Site, base: Unknown | Parameters, name: str, value: Value) -> Value:
    """What a method of a tensor, or of parameters, gives; the witness is told of it."""
    if not site.machine.witnessed.on:
        return value
    return out_of_sight(site.machine, site.node, f"{key_of(base)}.{name}", base, site.args, site.keywords, value)


_APART = frozenset("backward detach_ values items keys train eval update".split())


def _of_its_own(site: Site, base: Unknown, name: str) -> Value | Missing:
    """What a few methods do that are like no others; nothing is known of what the rest of the call does."""
    machine, node = site.machine, site.node
    if name == "backward":
        return apply(site, METHODS[Role.ENGINE]["backward"], base)
    if name == "detach_":
        base.graph, base.detached = base.graph.cut(), True
        return _told(site, base, name, base)
    if name in ("values", "items") and not site.args and base.graph.known:
        entries = base.under(f"{base.key}.{name}()")
        if base.data.held:
            entries.factor = UNKNOWN_FACTOR
        entries.form = Entries(named=name == "items")
        return _told(site, base, name, entries)
    if name == "keys" and not site.args and base.graph.known:
        return _told(site, base, name, Unknown(f"{base.key}.keys()", True))
    if name in ("train", "eval"):
        _switch_part(site, base)
    if name == "update" and base.key.endswith("[*]") and _takes_in(site, base):
        return _told(site, base, name, None)
    held = machine.objects.known.get((Role.SCALER, f"{base.key}.scaler"))
    if held is not None and name == "update" and not site.args:  # a wrapper that was asked for its scaler before
        machine.emit(Kind.UPDATE, node.span, held.key, node.text)
    return MISSING


def _takes_in(site: Site, batch: Unknown) -> bool:
    """`batch.update(outputs)`: what a model gave goes with the batch."""
    held = batch.data.held or {}
    outputs = [part for part in unknowns(site.args) if part.graph.forwards and part.reduced == UNREDUCED]
    given = {f"**{part.key}": part for part in outputs}
    if not given or len(site.args) != 1 or site.keywords or batch.graph.known:
        return False
    batch.data = batch.data.holding({**held, **given})
    return True


def _network(machine: Machine, node: Call, base: Unknown, name: str) -> Tracked | None:
    """`agent.model(x)`, `args.model(x)`: a call of what an unknown object holds, and no method of it."""
    hint = node.func.hint if isinstance(node.func, Attr) else None
    if hint not in (Role.MODEL, Role.ENGINE) or name in METHOD_NAMES:
        return None
    found = attribute(machine, base, name, hint, None)
    return found if isinstance(found, Tracked) else None


def _is_part(objects: Objects, training: Training, value: Unknown) -> bool:
    """Whether something is a part of a model: `model.trunk`, one of `model.modules()`."""
    owner = value.key
    while owner:
        if owner in objects.parts or owner in training.modes or (Role.MODEL, owner) in objects.known:
            return True
        owner = owner.rpartition(".")[0]
    return False


def _switch_part(site: Site, part: Unknown) -> None:
    """`model.trunk.eval()`, `self.head.train()` in a method of the model's own, or `module.train(as_before)`."""
    machine, node = site.machine, site.node
    assert isinstance(node.func, Attr)
    for mode in site.args[:1] if node.func.name == "train" else ():
        set_mode(machine, part, mode, node.span, node.text)
    held = node.func.base
    key = part.key if _is_part(machine.objects, machine.training, part) else _within_network(site.frame, held)
    if (
        not key
        and node.func.name == "train"
        and not node.args
        and machine.course.stamp
        and _holds_network(machine.objects, part)
    ):
        key = part.key  # it may well hand it on
    if key:
        given = [*site.args, *(value for name, value in site.keywords.items() if name == "mode")]
        wakes = node.func.name == "train" and all(truth(mode) is not False for mode in given)
        machine.emit(Kind.TRAIN if wakes else Kind.EVAL, node.span, key, node.text)


def _within_network(frame: Frame, node: Expr) -> str:
    """The key of `self.net.trunk`, where `self.net` is a network; empty where none is seen to hold it."""
    names: list[str] = []
    while isinstance(node, Attr):
        names.insert(0, node.name)
        node = node.base
        owner = _held(frame, node)
        if isinstance(owner, Tracked) and owner.role is Role.MODEL:
            return ".".join((owner.root, *names))
    return ""


def _held(frame: Frame, node: Expr) -> Value:
    """What a name or an attribute of what it stands for was set to, as far as that was seen."""
    if isinstance(node, Read):
        return frame.values.get(node.name)
    owner = _held(frame, node.base) if isinstance(node, Attr) else None
    return owner.attrs.get(node.name) if isinstance(node, Attr) and isinstance(owner, Tracked) else None


def _holds_network(objects: Objects, owner: Unknown) -> bool:
    """Whether a network is known as an attribute of something nobody can see: `trainer.model`, of `trainer`."""
    return any(role is Role.MODEL and key.startswith(f"{owner.key}.") for role, key in objects.known)


def _of_a_loss(node: Call) -> bool:
    """Whether a method is called on what is called like a loss."""
    return isinstance(node.func, Attr) and like_a_loss(node.func.base)


def _linear(site: Site, base: Unknown, name: str) -> Value:
    """A tensor method; `loss.div_(n)` changes the tensor itself, whatever it is called elsewhere."""
    machine, node = site.machine, site.node
    result = linear(machine.contexts, machine.graphs, base, name, site.args, node.args[0] if node.args else None)
    if node is machine.stack.doing and SCALING.get(name) == "/":
        machine.plan.marks.chunked = True  # `loss.div(n)` alone divides nothing, but says what was meant
    if name.endswith("_"):
        result = base.become(result)
        if isinstance(node.func, Attr) and isinstance(node.func.base, (Attr, Item)):
            assign(machine, site.frame, node.func.base, result, node.span, fresh=False)
    return result
