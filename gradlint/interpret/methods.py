"""Methods: of tracked objects, of texts, of what nobody knows."""

from __future__ import annotations

from gradlint.interpret.arithmetic import like_a_loss
from gradlint.interpret.assignment import assign
from gradlint.interpret.blocks import enter
from gradlint.interpret.calling import arguments, call_tracked, call_value
from gradlint.interpret.effects.forwards import forward, linear
from gradlint.interpret.effects.use import apply
from gradlint.interpret.frame import Frame
from gradlint.interpret.functions import bound_to, invoke
from gradlint.interpret.machine import Infeasible, Machine
from gradlint.interpret.modes import set_mode
from gradlint.interpret.rates import set_rate
from gradlint.interpret.results import generic, unknown_result
from gradlint.interpret.sequences import Entries
from gradlint.interpret.series import series_method
from gradlint.interpret.tracked import attribute, is_property, stepped
from gradlint.interpret.unseen import of_optimizer
from gradlint.interpret.values import (
    Constructor,
    Context,
    Module,
    Parameters,
    Partial,
    Routine,
    Series,
    Table,
    Tracked,
    Unknown,
    Value,
    is_loss,
    is_number,
    key_of,
)
from gradlint.libraries.conventions.calls import HARMLESS, TOUCH_NAME
from gradlint.libraries.packages import CROSSES
from gradlint.libraries.tables import ANYWHERE, METHOD_NAMES, METHODS
from gradlint.libraries.tensors import DETACHING, LINEAR, SCALING
from gradlint.model.effects import Action, Effect, Gate
from gradlint.model.events import Kind
from gradlint.model.factor import UNKNOWN_FACTOR
from gradlint.model.program import Attr, Call, Function, If, Item, Read
from gradlint.model.roles import Role

_TORCH_OVERRIDES = frozenset(METHODS[Role.MODEL]) - {
    "training_step",
    "train_step",
    "compute_loss",
    "loss",
    "update",
    "step",
    "backward",
}


def method_call(machine: Machine, frame: Frame, node: Call, base: Value, name: str) -> Value:
    """`base.name(...)`."""
    base = _stepped(machine, node, base) if name == "step" else base
    if base.__class__ is Tracked:
        return _tracked_method(machine, frame, node, base, name)
    args, keywords = arguments(machine, frame, node)
    if base.__class__ is Unknown:
        return _unknown_method(machine, frame, node, base, name, args, keywords)
    if base.__class__ is Module:
        return generic(machine, node, f"{base.name}.{name}", base, args, keywords)
    if base is None:
        return _on_none(machine, frame, node, name)
    if is_number(base) and not hasattr(base, name) and not machine.preparing:
        machine.log.faults.append(f"`{node.text[:60]}` is called on a number")
    if isinstance(base, Context) and base.kind == "super":
        return _super_call(machine, node, base, name, args, keywords)
    if isinstance(base, Parameters) and base.held is not None and name == "update":
        told = args[0].items if args and isinstance(args[0], Table) else keywords
        set_rate(machine, base.held, told.get("lr"))  # group.update(lr=base / accum)
    if isinstance(base, (Series, Table, Parameters)):
        return series_method(machine, frame, node, base, name, args, keywords)
    if isinstance(base, Context) and name in ("enter_context", "__enter__", "close", "__exit__"):
        return _stacked(machine, base, name, args[0] if args else base)
    if isinstance(base, Constructor) and machine.method(base.cls, name) is not None:
        return call_value(machine, frame, node, attribute(machine, base, name, None, None), args, keywords)
    if isinstance(base, Routine) and name == "__call__":
        return invoke(machine, base, args, keywords, node.span)
    return _of_text(machine, node, base, name, [*args, *keywords.values()])


def _stepped(machine: Machine, node: Call, base: Value) -> Value:
    owner = node.func.base if isinstance(node.func, Attr) else None
    return stepped(machine, base) if isinstance(owner, (Read, Attr)) and owner.hint is Role.OPTIMIZER else base


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


def _on_none(machine: Machine, frame: Frame, node: Call, name: str) -> Value:
    """A method of `None`: a scaler that this scenario switched off, or something set where nobody looked."""
    base = node.func.base if isinstance(node.func, Attr) else None
    if not machine.preparing:
        machine.log.faults.append(f"`{node.text[:60]}` is called on `None`")
    if not isinstance(base, (Read, Attr)) or name not in METHOD_NAMES:
        return Unknown(node.text, True)
    if base.hint in (Role.SCALER, Role.SCALER_CALLABLE):
        raise Infeasible
    if base.hint in (None, Role.SCHEDULER, Role.EMA, Role.SAMPLER):
        return Unknown(node.text, True)
    return _tracked_method(machine, frame, node, machine.tracked(base.hint, base.name), name)


def _stacked(machine: Machine, stack: Context, name: str, value: Value) -> Value:
    """Enter something that a stack of contexts leaves again when it is closed, or close it."""
    if name in ("close", "__exit__"):
        machine.contexts[:] = [context for context in machine.contexts if context not in stack.entered]
        stack.entered.clear()
        return None
    before = len(machine.contexts)
    entered = enter(machine, value)
    stack.entered += machine.contexts[before:]
    return entered


def _tracked_method(machine: Machine, frame: Frame, node: Call, base: Tracked, name: str) -> Value:
    args, keywords = arguments(machine, frame, node)
    set_value = base.attrs.get(name)
    if set_value is not None and not isinstance(set_value, Unknown):
        return call_value(machine, frame, node, set_value, args, keywords)
    whole = machine.models.gathered.get(set_value) if isinstance(set_value, Unknown) else None
    if isinstance(whole, Tracked) and base.role is not Role.MODEL:
        return forward(machine, node, whole, args, keywords)
    effect = METHODS.get(base.role, {}).get(name) if base.role is not None else None
    found = machine.method(base.cls, name) if base.cls is not None else None
    if found is not None and is_property(found[0]):
        return call_value(machine, frame, node, attribute(machine, base, name, None, None), args, keywords)
    if found is not None:
        works = bool(found[0].gates & (Gate.BACKWARD | Gate.STEP))
        torch = base.role is Role.MODEL and name in _TORCH_OVERRIDES and not _switches(found[0], effect)
        if effect is None or works or (not torch and base.role is not Role.OPTIMIZER):
            routine = Routine(found[0], machine.module_frame, bound_to(found[0], base))
            machine.written[found[0]] = node
            return invoke(machine, routine, args, keywords, node.span)
    if effect is not None:
        result = apply(machine, frame, node, effect, base, args, keywords)
        if base.role is Role.OPTIMIZER and found is not None and name == "step" and _always_clears(found[0]):
            apply(machine, frame, node, METHODS[Role.OPTIMIZER]["zero_grad"], base, [], {})  # it clears by itself
        return result
    if base.role is Role.MODEL and base.inner is not None and name in ("module", "_orig_mod"):
        return call_tracked(machine, frame, node, base.inner, args, keywords)
    return _unlisted(machine, frame, node, base, name, args, keywords)


def _always_clears(function: Function) -> bool:
    """Whether a step of the file's own clears gradients, and asks nobody first."""
    return any(Gate.ZERO in getattr(node, "gates", Gate.NOTHING) and not isinstance(node, If) for node in function.body)


def _switches(function: Function, effect: Effect | None) -> bool:
    """Whether a model's own `generate` puts it into another mode."""
    return effect is not None and effect.action is Action.GENERATE and Gate.MODE in function.gates


def _each(machine: Machine, whole: Tracked) -> Tracked:
    """One of several objects that nobody can list: made like the others."""
    one = machine.tracked(whole.role, f"{whole.key}[*]", whole.origin)
    one.kind, one.library, one.extra = whole.kind, whole.library, whole.extra
    return one


def _unlisted(
    machine: Machine,
    frame: Frame,
    node: Call,
    base: Tracked,
    name: str,
    args: list[Value],
    keywords: dict[str, Value],
) -> Value:
    """A method that no record of the role lists."""
    if base.role is Role.FOREIGN:
        return (
            unknown_result(machine, node, name, args)
            if CROSSES.search(name)
            else machine.tracked(Role.FOREIGN, node.text)
        )
    if base.role is not None and base.cls is None and name in ("values", "items"):
        each = _each(machine, base)
        label = machine.unknown(f"{base.key}.keys()[*]", varying=True)
        return Series([each] if name == "values" else [Series([label, each], "tuple")])
    if base.cls is not None or base.role is None or (base.inner is not None and name in ("module", "_orig_mod")):
        value = attribute(machine, base, name, node.func.hint if isinstance(node.func, Attr) else None, None)
        if isinstance(value, (Routine, Constructor, Partial, Tracked)):
            return call_value(machine, frame, node, value, args, keywords)
        if base.role is None and base.cls is None and name in ANYWHERE:
            return apply(machine, frame, node, ANYWHERE[name], base, args, keywords)
    if base.role is Role.OPTIMIZER and base.cls is None:
        if name.startswith("step"):
            return apply(machine, frame, node, METHODS[Role.OPTIMIZER]["step"], base, [], {})
        if name.startswith("zero"):
            return apply(machine, frame, node, METHODS[Role.OPTIMIZER]["zero_grad"], base, [], {})
        if TOUCH_NAME.search(name):
            machine.emit(Kind.OPAQUE, node.span, base.key, node.text, of_optimizer(node, base.key))
    asked = name.removeprefix("get_") if name.endswith("_loss") else name
    dull = TOUCH_NAME.search(name) or HARMLESS.search(asked) or not args
    if base.role is Role.MODEL and not dull and isinstance(node.func, Attr) and node.func.hint is not Role.CRITERION:
        return forward(machine, node, base, args, keywords)
    return generic(machine, node, f"{base.key}.{name}", base, args, keywords)


def _super_call(
    machine: Machine,
    node: Call,
    base: Context,
    name: str,
    args: list[Value],
    keywords: dict[str, Value],
) -> Value:
    tracked = base.target
    owner = machine.functions[-1].owner if machine.functions else None
    if tracked is None or tracked.cls is None:
        return Unknown(node.text, True)
    classes = machine.classes_of(tracked.cls)
    names = [cls.name for cls in classes]
    start = names.index(owner) + 1 if owner in names else 1
    for cls in classes[start:]:
        if name in cls.methods:
            return invoke(machine, Routine(cls.methods[name], machine.module_frame, tracked), args, keywords, node.span)
    if name == "__init__" or tracked.role is None:
        return None
    effect = METHODS.get(tracked.role, {}).get(name)
    frame = Frame(machine.program.body)
    return None if effect is None else apply(machine, frame, node, effect, tracked, args, keywords)


def _unknown_method(
    machine: Machine,
    frame: Frame,
    node: Call,
    base: Unknown,
    name: str,
    args: list[Value],
    keywords: dict[str, Value],
) -> Value:
    effect = ANYWHERE.get(name)
    if effect is not None and not (name == "backward" and args and not base.bases and is_loss(args[0])):
        return apply(machine, frame, node, effect, base, args, keywords)
    if name == "backward":
        return apply(machine, frame, node, METHODS[Role.ENGINE]["backward"], base, args, keywords)
    if name == "detach_":
        base.forwards, base.models, base.bases = frozenset(), frozenset(), frozenset()
        base.detached = True
        return base
    if name in DETACHING:
        return Unknown(node.text, True, detached=True, leaves=frozenset((node.text,)) | base.measured)
    if name in LINEAR and (base.bases or base.forwards or (name.rstrip("_") in SCALING and _of_a_loss(node))):
        return _linear(machine, frame, node, base, name, args)
    if name in ("values", "items") and not args and (base.bases or base.forwards):
        entries = base.under(f"{base.key}.{name}()")
        if base.held:
            entries.factor = UNKNOWN_FACTOR
        entries.form = Entries(named=name == "items")
        return entries
    if name in ("train", "eval"):
        _switch_part(machine, frame, node, base, args)
    held = machine.tracked_objects.get((Role.SCALER, f"{base.key}.scaler")) if name == "update" and not args else None
    if held is not None:  # a wrapper that was asked for its scaler before
        machine.emit(Kind.UPDATE, node.span, held.key, node.text)
    if base.detached:
        return Unknown(node.text, True, detached=True, leaves=frozenset((node.text,)) | base.measured)
    network = _network(machine, node, base, name)
    if network is not None:
        return call_tracked(machine, frame, node, network, args, keywords)
    return generic(machine, node, f"{base.key}.{name}", base, args, keywords)


def _network(machine: Machine, node: Call, base: Unknown, name: str) -> Tracked | None:
    """`agent.model(x)`, `args.model(x)`: a call of what an unknown object holds, and no method of it."""
    hint = node.func.hint if isinstance(node.func, Attr) else None
    if hint not in (Role.MODEL, Role.ENGINE) or name in METHOD_NAMES:
        return None
    found = attribute(machine, base, name, hint, None)
    return found if isinstance(found, Tracked) else None


def _is_part(machine: Machine, value: Unknown) -> bool:
    """Whether something is a part of a model: `model.trunk`, one of `model.modules()`."""
    owner = value.key
    while owner:
        if owner in machine.models.parts or owner in machine.modes or (Role.MODEL, owner) in machine.tracked_objects:
            return True
        owner = owner.rpartition(".")[0]
    return False


def _switch_part(machine: Machine, frame: Frame, node: Call, part: Unknown, args: list[Value]) -> None:
    """`model.trunk.eval()`, `self.head.train()` in a method of the model's own, or `module.train(as_before)`."""
    assert isinstance(node.func, Attr)
    for mode in args[:1] if node.func.name == "train" else ():
        set_mode(machine, part, mode, node.span, node.text)
    held = node.func.base
    owner = frame.values.get(held.base.name) if isinstance(held, Attr) and isinstance(held.base, Read) else None
    key = part.key if _is_part(machine, part) else ""
    if isinstance(held, Attr) and isinstance(owner, Tracked) and owner.role is Role.MODEL:
        key = key or f"{owner.root}.{held.name}"
    if not key and node.func.name == "train" and not node.args and machine.iterations and _holds_network(machine, part):
        key = part.key  # it may well hand it on
    if key:
        machine.emit(Kind.TRAIN if node.func.name == "train" else Kind.EVAL, node.span, key, node.text)


def _holds_network(machine: Machine, owner: Unknown) -> bool:
    """Whether a network is known as an attribute of something nobody can see: `trainer.model`, of `trainer`."""
    return any(role is Role.MODEL and key.startswith(f"{owner.key}.") for role, key in machine.tracked_objects)


def _of_a_loss(node: Call) -> bool:
    """Whether a method is called on what is called like a loss."""
    return isinstance(node.func, Attr) and like_a_loss(node.func.base)


def _linear(machine: Machine, frame: Frame, node: Call, base: Unknown, name: str, args: list[Value]) -> Value:
    """A tensor method; `loss.div_(n)` changes the tensor itself, whatever it is called elsewhere."""
    result = linear(machine, base, name, args, node.args[0] if node.args else None)
    if node is machine.doing and SCALING.get(name) == "/":
        machine.plan.chunked = True  # `loss.div(n)` alone divides nothing, but says what was meant
    if name.endswith("_"):
        result = base.become(result)
        if isinstance(node.func, Attr) and isinstance(node.func.base, (Attr, Item)):
            assign(machine, frame, node.func.base, result, node.span, fresh=False)
    return result
