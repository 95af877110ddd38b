"""Calls: of functions in the file (followed), of library functions (effects), of the unknown."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING

from gradlint.interpret.arithmetic import compare, like_a_loss, merge, smooth_of
from gradlint.interpret.dispatch import HANDLERS, evaluate
from gradlint.interpret.effects import apply, foreign, forward, linear, reduction
from gradlint.interpret.frame import Frame
from gradlint.interpret.groups import counted_by, group_size
from gradlint.interpret.guards import truth
from gradlint.interpret.machine import MAX_DEPTH, Infeasible, Machine, Yielded
from gradlint.interpret.modes import set_mode
from gradlint.interpret.rates import set_rate
from gradlint.interpret.series import clip_factor, series_method
from gradlint.interpret.things import attribute, bound_to, is_property, stepped
from gradlint.interpret.unseen import HARMLESS, handed_over, hold, of_optimizer, reduces, touch
from gradlint.interpret.values import (
    GRADIENT,
    LAYER,
    Constructor,
    Context,
    Method,
    Module,
    Parameters,
    Partial,
    Routine,
    Series,
    Table,
    Thing,
    Unknown,
    Value,
    is_layer,
    is_member,
    is_number,
    key_of,
    unknowns_in,
)
from gradlint.libraries.vocabulary import (
    CONSTRUCTORS,
    CROSSES,
    DETACHING,
    FUNCTIONS,
    INVARIANT_CALL,
    LIBRARIES,
    LINEAR,
    METHOD_NAMES,
    METHODS,
    PROCESSES_NAME,
    SCALING,
    SMOOTH,
    TOUCH_NAME,
    UNKNOWN_RECEIVER,
    WINDOW_NAME,
    is_mean_loss,
    is_smooth,
)
from gradlint.libraries.words import Words
from gradlint.model.events import BY_HAND, Clipping, Kind, Write, Zero
from gradlint.model.factor import ONE, UNKNOWN_FACTOR
from gradlint.model.finding import Span
from gradlint.model.program import (
    EVENTS,
    Attr,
    Call,
    Class,
    Const,
    Effect,
    Expr,
    Function,
    Gate,
    If,
    Item,
    Not,
    Parameter,
    Raise,
    Read,
    Return,
    Role,
    Star,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

SMALL = 15
_LOSS_FUNCTION = Words(r"(?i)(^|\.)functional\.|(^|\.)F\.|cross_entropy|_loss$|criterion|loss_f")
_SIZES = frozenset({"size", "numel", "nelement", "dim", "ndimension"})
_PLACES = frozenset({"argmax", "argmin", "argsort", "argwhere", "nonzero", "searchsorted", "bucketize"})
"""Calls that give whole numbers, which have no graph."""
_TORCH_OVERRIDES = frozenset(METHODS[Role.MODEL]) - {
    "training_step",
    "train_step",
    "compute_loss",
    "loss",
    "update",
    "step",
    "backward",
}
_FOLLOW = EVENTS | Gate.WEIGHT | Gate.ROLE | Gate.FORWARD | Gate.OPAQUE


def call(machine: Machine, frame: Frame, node: Call) -> Value:
    """The value of a call, with all that it does."""
    if node.effect is not None:
        if node.effect.action == "yield":
            return _yield(machine)
        args, keywords = arguments(machine, frame, node)
        return apply(machine, frame, node, node.effect, None, args, keywords)
    if isinstance(node.func, Attr):
        held = node.func.base
        return method_call(machine, frame, node, HANDLERS[held.__class__](machine, frame, held), node.func.name)
    callee = evaluate(machine, frame, node.func)
    args, keywords = arguments(machine, frame, node)
    return call_value(machine, frame, node, callee, args, keywords)


def _yield(machine: Machine) -> Value:
    if machine.capturing:
        machine.captured = list(machine.contexts)
        raise Yielded
    if machine.resuming:
        machine.resuming -= 1
        machine.preparing -= 1
    return Unknown("yield", True)


def arguments(machine: Machine, frame: Frame, node: Call) -> tuple[list[Value], dict[str, Value]]:
    """Evaluated positional and keyword arguments; `*xs` is spread where its items are known."""
    args: list[Value] = []
    seen = len(machine.sizes)
    handed: dict[int | str, int] = {}
    for part in node.args:
        kind = part.__class__
        value = HANDLERS[kind](machine, frame, part)
        if kind is Star and isinstance(value, Series):
            args += value.items
            continue
        if value.__class__ is bool and kind is not Const:
            _window_of(machine, part, seen, handed, len(args))
        elif value.__class__ is Method:
            _hand_over(machine, part, value)
        args.append(_given(machine, value) if value.__class__ is Module else value)
    keywords: dict[str, Value] = {}
    for name, expr in node.keywords:
        value = HANDLERS[expr.__class__](machine, frame, expr)
        if name is not None:
            keywords[name] = _given(machine, value) if value.__class__ is Module else value
            if value.__class__ is bool and expr.__class__ is not Const:
                _window_of(machine, expr, seen, handed, name)
            elif value.__class__ is Method:
                _hand_over(machine, expr, value)
        elif isinstance(value, Table):
            keywords.update({str(key): item for key, item in value.items.items()})
        elif isinstance(value, Unknown):
            keywords[f"**{value.key}"] = value
    machine.handed = handed
    return args, keywords


def _given(machine: Machine, value: Module) -> Value:
    """An argument: what another file of the project says is a value there, unless it is known, or one of several."""
    if known_effect(value.name) is not None or is_member(value):
        return value
    return machine.setting(value)


def _hand_over(machine: Machine, part: Expr, value: Value) -> None:
    """`Epochs(n, sampler.set_epoch)`: whoever is given a sampler's method calls it."""
    if not isinstance(value, Method) or value.name != "set_epoch" or not isinstance(value.receiver, Thing):
        return
    span = machine.heads[-1] if machine.heads else machine.program.body.span
    machine.emit(Kind.SET_EPOCH, span, value.receiver.key, getattr(part, "text", ""))


def _window_of(machine: Machine, part: Expr, seen: int, handed: dict[int | str, int], place: int | str) -> None:
    """`step(loss, update=(i + 1) % 4 == 0)`, `step(loss, boundary)`: the window that an argument tells the end of."""
    sizes = machine.sizes[seen:]
    while isinstance(part, Not):
        part = part.value
    if sizes:
        handed[place] = max(sizes)
    elif isinstance(part, (Read, Attr)) and part.name in machine.moduli:
        handed[place] = machine.moduli[part.name]


def call_value(
    machine: Machine,
    frame: Frame,
    node: Call,
    callee: Value,
    args: list[Value],
    keywords: dict[str, Value],
) -> Value:
    """Call something that was computed."""
    if isinstance(callee, Routine):
        machine.written[callee.function] = node
        return invoke(machine, callee, args, keywords, node.span)
    if isinstance(callee, Constructor):
        made = machine.method(callee.cls, "__init__")
        if made is not None:
            machine.written[made[0]] = node
        return construct(machine, callee, args, keywords, node.span)
    if isinstance(callee, Partial):
        merged = {**callee.keywords, **keywords}
        return call_value(machine, frame, node, callee.target, [*callee.args, *args], merged)
    if isinstance(callee, Method):
        return _bound(machine, frame, node, callee, args, keywords)
    if isinstance(callee, Thing):
        return _call_thing(machine, frame, node, callee, args, keywords)
    network = _network_called(machine, callee)
    if network is not None:
        return _call_thing(machine, frame, node, network, args, keywords)
    if isinstance(callee, Context):
        return callee
    if isinstance(callee, Module):
        effect = known_effect(callee.name)
        if effect is not None:
            return apply(machine, frame, node, effect, None, args, keywords)
    if callee is None:
        return Unknown(node.text, True)
    return generic(machine, node, key_of(callee), callee, args, keywords)


def _network_called(machine: Machine, callee: Value) -> Thing | None:
    """One of several networks that are kept together, or the one that an object holds: `ranker()`, `ranker.model`."""
    if not isinstance(callee, Unknown) or callee.varying:
        return None
    if is_layer(callee) and callee.key.endswith("]"):
        return machine.thing(Role.MODEL, callee.key)
    found = [
        thing for (role, _), thing in machine.things.items() if role is Role.MODEL and _is_attribute(thing, callee)
    ]
    return found[0] if len(found) == 1 else None


def _is_attribute(thing: Thing, owner: Unknown) -> bool:
    base, _, name = thing.key.rpartition(".")
    return base == owner.key and name.isidentifier()


def known_effect(name: str) -> Effect | None:
    """The meaning of a library function that is called through a variable."""
    last = "*." + name.rsplit(".", 1)[-1]
    for table in (CONSTRUCTORS, FUNCTIONS):
        for key in (name, last):
            if key in table:
                return table[key]
    return None


def _bound(
    machine: Machine,
    frame: Frame,
    node: Call,
    callee: Method,
    args: list[Value],
    keywords: dict[str, Value],
) -> Value:
    receiver = callee.receiver
    if isinstance(receiver, Thing) and receiver.role is not None:
        effect = METHODS.get(receiver.role, {}).get(callee.name)
        if effect is not None:
            return apply(machine, frame, node, effect, receiver, args, keywords)
    return generic(machine, node, callee.name, receiver, args, keywords)


def _call_thing(
    machine: Machine,
    frame: Frame,
    node: Call,
    thing: Thing,
    args: list[Value],
    keywords: dict[str, Value],
) -> Value:
    if thing.cls is not None:
        for name in ("__call__", "forward"):
            found = machine.method(thing.cls, name)
            works = found is not None and found[0].gates & (Gate.BACKWARD | Gate.STEP)
            if found is not None and (works or (name == "__call__" and thing.role is not Role.MODEL)):
                return invoke(machine, Routine(found[0], machine.world, thing), args, keywords, node.span)
    if thing.role in (Role.MODEL, Role.ENGINE, Role.EMA):
        return forward(machine, node, thing, args, keywords)
    if thing.role is Role.FOREIGN:
        return foreign(machine, node)
    if thing.role is Role.SCALER_CALLABLE or (thing.role is Role.SCALER and len(args) >= 2):
        effect = METHODS[Role.SCALER_CALLABLE]["__call__"]
        return apply(machine, frame, node, effect, thing, args, keywords)
    if thing.role is Role.CRITERION:
        result = unknown_result(machine, node, thing.key, [*args, *keywords.values()])
        result.mean = thing.origin == "made" and thing.kind == "mean" and thing.cls is None
        if result.mean and not machine.gradients_off:
            result.smooth = smooth_of(_unknowns([*args, *keywords.values()]))
        result.summed = thing.kind == "sum" or (_summed_work(args) if result.mean else result.summed)
        if thing.origin == "made" and not thing.kind:
            result.factor = UNKNOWN_FACTOR
        return result
    return generic(machine, node, thing.key, thing, args, keywords)


# --------------------------------------------------------------------------------- methods


def method_call(machine: Machine, frame: Frame, node: Call, base: Value, name: str) -> Value:
    """`base.name(...)`."""
    base = _stepped(machine, node, base) if name == "step" else base
    if isinstance(base, Thing):
        return _thing_method(machine, frame, node, base, name)
    args, keywords = arguments(machine, frame, node)
    if isinstance(base, Unknown):
        return _unknown_method(machine, frame, node, base, name, args, keywords)
    if base is None:
        return _on_none(machine, frame, node, name)
    if is_number(base) and not hasattr(base, name) and not machine.preparing:
        machine.trail.faults.append(f"`{node.text[:60]}` is called on a number")
    if isinstance(base, Context) and base.kind == "super":
        return _super_call(machine, node, base, name, args, keywords)
    if isinstance(base, Parameters) and base.held is not None and name == "update":
        told = args[0].items if args and isinstance(args[0], Table) else keywords
        set_rate(machine, base.held, told.get("lr"))  # group.update(lr=base / accum)
    if isinstance(base, (Series, Table, Parameters)):
        return series_method(machine, frame, node, base, name, args, keywords)
    if isinstance(base, Context) and name in ("enter_context", "__enter__", "close", "__exit__"):
        return _stacked(machine, base, name, args[0] if args else base)
    if isinstance(base, Module):
        return generic(machine, node, f"{base.name}.{name}", base, args, keywords)
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
    """A method of `None`: a scaler that this world switched off, or something set where nobody looked."""
    base = node.func.base if isinstance(node.func, Attr) else None
    if not machine.preparing:
        machine.trail.faults.append(f"`{node.text[:60]}` is called on `None`")
    if not isinstance(base, (Read, Attr)) or name not in METHOD_NAMES:
        return Unknown(node.text, True)
    if base.hint in (Role.SCALER, Role.SCALER_CALLABLE):
        raise Infeasible
    if base.hint in (None, Role.SCHEDULER, Role.EMA, Role.SAMPLER):
        return Unknown(node.text, True)
    return _thing_method(machine, frame, node, machine.thing(base.hint, base.name), name)


def _stacked(machine: Machine, stack: Context, name: str, value: Value) -> Value:
    """Enter something that a stack of contexts leaves again when it is closed, or close it."""
    from gradlint.interpret.execute import enter

    if name in ("close", "__exit__"):
        machine.contexts[:] = [context for context in machine.contexts if context not in stack.entered]
        stack.entered.clear()
        return None
    before = len(machine.contexts)
    entered = enter(machine, value)
    stack.entered += machine.contexts[before:]
    return entered


def _thing_method(machine: Machine, frame: Frame, node: Call, base: Thing, name: str) -> Value:
    args, keywords = arguments(machine, frame, node)
    set_value = base.attrs.get(name)
    if set_value is not None and not isinstance(set_value, Unknown):
        return call_value(machine, frame, node, set_value, args, keywords)
    whole = machine.models.gathered.get(set_value) if isinstance(set_value, Unknown) else None
    if isinstance(whole, Thing) and base.role is not Role.MODEL:
        return forward(machine, node, whole, args, keywords)
    effect = METHODS.get(base.role, {}).get(name) if base.role is not None else None
    found = machine.method(base.cls, name) if base.cls is not None else None
    if found is not None and is_property(found[0]):
        return call_value(machine, frame, node, attribute(machine, base, name, None, None), args, keywords)
    if found is not None:
        works = bool(found[0].gates & (Gate.BACKWARD | Gate.STEP))
        torch = base.role is Role.MODEL and name in _TORCH_OVERRIDES and not _switches(found[0], effect)
        if effect is None or works or (not torch and base.role is not Role.OPTIMIZER):
            routine = Routine(found[0], machine.world, bound_to(found[0], base))
            machine.written[found[0]] = node
            return invoke(machine, routine, args, keywords, node.span)
    if effect is not None:
        result = apply(machine, frame, node, effect, base, args, keywords)
        if base.role is Role.OPTIMIZER and found is not None and name == "step" and _always_clears(found[0]):
            apply(machine, frame, node, METHODS[Role.OPTIMIZER]["zero_grad"], base, [], {})  # it clears by itself
        return result
    if base.role is Role.MODEL and base.inner is not None and name in ("module", "_orig_mod"):
        return _call_thing(machine, frame, node, base.inner, args, keywords)
    return _unlisted(machine, frame, node, base, name, args, keywords)


def _always_clears(function: Function) -> bool:
    """Whether a step of the file's own clears gradients, and asks nobody first."""
    return any(Gate.ZERO in getattr(node, "gates", Gate.NOTHING) and not isinstance(node, If) for node in function.body)


def _switches(function: Function, effect: Effect | None) -> bool:
    """Whether a model's own `generate` puts it into another mode."""
    return effect is not None and bool(effect.option("detached")) and Gate.MODE in function.gates


def _each(machine: Machine, whole: Thing) -> Thing:
    """One of several objects that nobody can list: made like the others."""
    one = machine.thing(whole.role, f"{whole.key}[*]", whole.origin)
    one.kind, one.library, one.extra = whole.kind, whole.library, whole.extra
    return one


def _unlisted(
    machine: Machine,
    frame: Frame,
    node: Call,
    base: Thing,
    name: str,
    args: list[Value],
    keywords: dict[str, Value],
) -> Value:
    """A method that the vocabulary of the role does not list."""
    if base.role is Role.FOREIGN:
        return unknown_result(machine, node, name, args) if CROSSES.search(name) else foreign(machine, node)
    if base.role is not None and base.cls is None and name in ("values", "items"):
        each = _each(machine, base)
        label = machine.unknown(f"{base.key}.keys()[*]", varying=True)
        return Series([each] if name == "values" else [Series([label, each], "tuple")])
    if base.cls is not None or base.role is None or (base.inner is not None and name in ("module", "_orig_mod")):
        value = attribute(machine, base, name, node.func.hint if isinstance(node.func, Attr) else None, None)
        if isinstance(value, (Routine, Constructor, Partial, Thing)):
            return call_value(machine, frame, node, value, args, keywords)
        if base.role is None and base.cls is None and name in UNKNOWN_RECEIVER:
            return apply(machine, frame, node, UNKNOWN_RECEIVER[name], base, args, keywords)
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
    thing = base.target
    owner = machine.functions[-1].owner if machine.functions else None
    if thing is None or thing.cls is None:
        return Unknown(node.text, True)
    classes = machine.classes_of(thing.cls)
    names = [cls.name for cls in classes]
    start = names.index(owner) + 1 if owner in names else 1
    for cls in classes[start:]:
        if name in cls.methods:
            return invoke(machine, Routine(cls.methods[name], machine.world, thing), args, keywords, node.span)
    if name == "__init__" or thing.role is None:
        return None
    effect = METHODS.get(thing.role, {}).get(name)
    frame = Frame(machine.program.body)
    return None if effect is None else apply(machine, frame, node, effect, thing, args, keywords)


def _unknown_method(
    machine: Machine,
    frame: Frame,
    node: Call,
    base: Unknown,
    name: str,
    args: list[Value],
    keywords: dict[str, Value],
) -> Value:
    effect = UNKNOWN_RECEIVER.get(name)
    if effect is not None and not (name == "backward" and args and not base.bases and _is_loss(args[0])):
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
        entries.logic = (name,)
        return entries
    if name in ("train", "eval"):
        _switch_part(machine, frame, node, base, args)
    held = machine.things.get((Role.SCALER, f"{base.key}.scaler")) if name == "update" and not args else None
    if held is not None:  # a wrapper that was asked for its scaler before
        machine.emit(Kind.UPDATE, node.span, held.key, node.text)
    if base.detached:
        return Unknown(node.text, True, detached=True, leaves=frozenset((node.text,)) | base.measured)
    network = _network(machine, node, base, name)
    if network is not None:
        return _call_thing(machine, frame, node, network, args, keywords)
    return generic(machine, node, f"{base.key}.{name}", base, args, keywords)


def _network(machine: Machine, node: Call, base: Unknown, name: str) -> Thing | None:
    """`agent.model(x)`, `args.model(x)`: a call of what an unknown object holds, and no method of it."""
    hint = node.func.hint if isinstance(node.func, Attr) else None
    if hint not in (Role.MODEL, Role.ENGINE) or name in METHOD_NAMES:
        return None
    found = attribute(machine, base, name, hint, None)
    return found if isinstance(found, Thing) else None


def _is_part(machine: Machine, value: Unknown) -> bool:
    """Whether something is a part of a model: `model.trunk`, one of `model.modules()`."""
    owner = value.key
    while owner:
        if owner in machine.models.parts or owner in machine.modes or (Role.MODEL, owner) in machine.things:
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
    if isinstance(held, Attr) and isinstance(owner, Thing) and owner.role is Role.MODEL:
        key = key or f"{owner.root}.{held.name}"
    if not key and node.func.name == "train" and not node.args and machine.turns and _holds_network(machine, part):
        key = part.key  # it may well hand it on
    if key:
        machine.emit(Kind.TRAIN if node.func.name == "train" else Kind.EVAL, node.span, key, node.text)


def _holds_network(machine: Machine, owner: Unknown) -> bool:
    """Whether a network is known as an attribute of something nobody can see: `trainer.model`, of `trainer`."""
    return any(role is Role.MODEL and key.startswith(f"{owner.key}.") for role, key in machine.things)


def _of_a_loss(node: Call) -> bool:
    """Whether a method is called on what is called like a loss."""
    return isinstance(node.func, Attr) and like_a_loss(node.func.base)


def _linear(machine: Machine, frame: Frame, node: Call, base: Unknown, name: str, args: list[Value]) -> Value:
    """A tensor method; `loss.div_(n)` changes the tensor itself, whatever it is called elsewhere."""
    from gradlint.interpret.evaluate import assign

    result = linear(machine, base, name, args, node.args[0] if node.args else None)
    if node is machine.doing and SCALING.get(name) == "/":
        machine.plan.chunked = True  # `loss.div(n)` alone divides nothing, but says what was meant
    if name.endswith("_"):
        result = base.become(result)
        if isinstance(node.func, Attr) and isinstance(node.func.base, (Attr, Item)):
            assign(machine, frame, node.func.base, result, node.span, fresh=False)
    return result


def _is_loss(value: Value) -> bool:
    return isinstance(value, Unknown) and bool(value.bases)


# ------------------------------------------------------------------------------- following


def invoke(machine: Machine, routine: Routine, args: list[Value], keywords: dict[str, Value], span: Span) -> Value:
    """Run a function of the file, or stand aside where that would teach nothing."""
    function = routine.function
    if function.generator and "contextmanager" in {name.split(".")[-1] for name in function.decorators}:
        return Context("generator", value=Partial(routine, tuple(args), keywords))
    if _is_left_open(function):
        anything = _some_result(machine, function, args, keywords)
        anything.factor = UNKNOWN_FACTOR  # it knows all that the class knows, the window among it
        return anything
    deep = len(machine.functions) >= MAX_DEPTH or machine.functions.count(function) >= 2
    dull = not function.gates & _FOLLOW and len(function.body) > SMALL and not _sets_up(machine, function)
    if deep or dull or function.generator:
        made = _some_result(machine, function, args, keywords)
        if function.generator and made.logic is None and not deep:
            made.logic = _counted(machine, routine, args, keywords)
        if function.generator and function.inside.within and not deep:
            machine.pace.within[made] = _left_open(machine, Partial(routine, tuple(args), keywords))
        return made
    frame = Frame(function, parent=routine.frame if routine.frame is not None else machine.world)
    _bind_parameters(machine, frame, function.parameters, routine.receiver, args, keywords)
    machine.calls.append(span)
    try:
        result = enter_function(machine, frame)
    finally:
        machine.calls.pop()
    if result is None and _falls_out(function):
        return _some_result(machine, function, args, keywords)
    return result


def _is_left_open(function: Function) -> bool:
    """An abstract method: what it does, a class says that is not here, unless it works on the gradients itself."""
    works = bool(function.gates & (Gate.BACKWARD | Gate.STEP | Gate.ZERO | Gate.CLIP))
    abstract = not works and any(name.split(".")[-1] == "abstractmethod" for name in function.decorators)
    return len(function.body) <= 1 and (abstract or any(isinstance(one, Raise) for one in function.body))


def _some_result(machine: Machine, function: Function, args: list[Value], keywords: dict[str, Value]) -> Unknown:
    """What a function makes of its arguments, whatever that is."""
    found = [value for value in (*args, *keywords.values()) if isinstance(value, Unknown)]
    result = merge(f"{function.qualname}({', '.join(key_of(arg) for arg in args)})", found)
    result.called = True
    result.bases = frozenset((machine.fresh(),))
    result.varying = result.varying or machine.looping
    if function.endless:
        result.logic = ("stream", None)
    elif function.generator and (size := group_size(function, args, keywords)) is not None:
        result.logic = ("groups", size)
    return result


def _counted(
    machine: Machine, routine: Routine, args: list[Value], keywords: dict[str, Value]
) -> tuple[str, Value] | None:
    """How often a generator yields, where it counts up to a number that is known here."""
    called = counted_by(routine.function)
    if called is None:
        return None
    frame = Frame(routine.function, parent=routine.frame if routine.frame is not None else machine.world)
    _bind_parameters(machine, frame, routine.function.parameters, routine.receiver, args, keywords)
    numbers = evaluate(machine, frame, called)
    return ("numbers", numbers) if isinstance(numbers, Series) else None


def _sets_up(machine: Machine, function: Function) -> bool:
    """Whether an object that works on gradients is being made: its `__init__` keeps what it is given, long as it is."""
    return machine.preparing > 0 and function.name == "__init__"


def _falls_out(function: Function) -> bool:
    """Whether a function that returned nothing ends in choices, each of which would have returned something.

    `if kind == "mse": return ...` and `elif kind == "huber": return ...`: one of the two is meant.
    """
    last = function.body[-1] if function.body else None
    choices = 0
    while isinstance(last, If):
        leaves = last.then[-1] if last.then else None
        if not isinstance(leaves, Return) or leaves.value in (None, Const(None)):
            return False
        choices += 1
        if not last.other:
            return choices > 1  # a single one may well be meant to return nothing
        last = last.other[0] if len(last.other) == 1 else None
    return False


def resume_generator(machine: Machine, made: Partial) -> None:
    """Run a generator again, silent up to its `yield`, for what it does afterwards."""
    routine = made.target
    if not isinstance(routine, Routine) or not routine.function.gates & EVENTS:
        return
    frame = Frame(routine.function, parent=routine.frame if routine.frame is not None else machine.world)
    _bind_parameters(
        machine,
        frame,
        routine.function.parameters,
        routine.receiver,
        list(made.args),
        made.keywords,
    )
    silent = machine.preparing
    machine.modes = machine.modes_before.get(id(made), machine.modes)
    machine.preparing += 1
    machine.resuming += 1
    try:
        enter_function(machine, frame)
    finally:
        machine.resuming = 0
        machine.preparing = silent


def _left_open(machine: Machine, made: Partial) -> list[Context]:
    """The contexts in which a generator stops, as long as its caller works on an item: autocast, no gradients.

    What stands there as a decorator is left and entered again by torch.
    """
    assert isinstance(made.target, Routine)
    if any(name.split(".")[-1] in _DECORATES for name in made.target.function.decorators):
        return []
    before = len(machine.contexts)
    machine.preparing += 1
    try:
        entered = enter_generator(machine, made)[before:]
    finally:
        machine.preparing -= 1
    return [context for context in entered if context.kind in _DECORATES]


_DECORATES = frozenset({"autocast", "no_grad", "set_grad", "inference_mode", "enable_grad"})


def enter_generator(machine: Machine, made: Partial) -> list[Context]:
    """The contexts that are entered when a generator reaches its `yield`."""
    routine = made.target
    assert isinstance(routine, Routine)
    frame = Frame(routine.function, parent=routine.frame if routine.frame is not None else machine.world)
    _bind_parameters(
        machine,
        frame,
        routine.function.parameters,
        routine.receiver,
        list(made.args),
        made.keywords,
    )
    machine.modes_before[id(made)] = dict(machine.modes)
    machine.capturing += 1
    machine.captured = list(machine.contexts)
    try:
        enter_function(machine, frame)
    except Yielded:
        pass
    finally:
        machine.capturing -= 1
    return machine.captured


def enter_function(machine: Machine, frame: Frame) -> Value:
    """Run the body of a frame whose parameters are bound."""
    from gradlint.interpret.execute import STOP, run

    function = frame.function
    before = list(machine.contexts)
    guards = len(machine.guards)
    machine.functions.append(function)
    if not machine.preparing:
        machine.covered.add(function.span)
    for name in function.decorators:
        last = name.split(".")[-1]
        if last in ("no_grad", "inference_mode"):
            machine.contexts.append(Context("no_grad"))
        elif last == "enable_grad":
            machine.contexts.append(Context("set_grad"))
        elif last == "autocast" and not function.inside.autocast:
            machine.contexts.append(Context("autocast", dtype="float16"))
    for decorator in function.inside.autocast:
        entered = evaluate(machine, machine.world, decorator)
        machine.contexts.append(entered if isinstance(entered, Context) else Context("autocast", dtype="?"))
    try:
        ended = run(machine, frame, function.body)
    finally:
        machine.functions.pop()
        machine.contexts[:] = [context for context in machine.contexts if context in before]
        del machine.guards[guards:]
    return Unknown(f"{function.qualname}()", True) if ended == STOP else frame.result


def _bind_parameters(
    machine: Machine,
    frame: Frame,
    parameters: Sequence[Parameter],
    receiver: Value,
    args: list[Value],
    keywords: dict[str, Value],
) -> None:
    queue = list(args)
    if receiver is not None:
        queue.insert(0, receiver)
    if machine.handed:
        _name_windows(machine, parameters[len(queue) - len(args) :])
    left = dict(keywords)
    for parameter in parameters:
        if parameter.star == "*":
            frame.values[parameter.name] = Series(queue, "tuple")
            queue = []
        elif parameter.star == "**":
            frame.values[parameter.name] = Table(dict[object, Value](left.items()))
        elif queue and not parameter.star:
            frame.values[parameter.name] = queue.pop(0)
        elif parameter.name in left:
            frame.values[parameter.name] = left.pop(parameter.name)
        elif parameter.default is not None and not (left and _is_spread(left)):
            frame.values[parameter.name] = _by_default(machine, frame, parameter, parameter.default)
        else:
            frame.values[parameter.name] = _handed(machine, parameter)
        frame.born[parameter.name] = ()
        value = frame.values[parameter.name]
        if isinstance(value, Unknown) and value.called and parameter.role is not None:
            from gradlint.interpret.anew import name_network
            from gradlint.interpret.evaluate import manufactured

            made = frame.values[parameter.name] = manufactured(machine, value, parameter.role, parameter.name)
            name_network(machine, made, value, parameter.name, local=False)


def _handed(machine: Machine, parameter: Parameter) -> Value:
    """What nobody in sight hands over; a model whose annotation names a class of this file is one of these."""
    value = machine.free(parameter.name, parameter.role, "parameter")
    cls = machine.program.classes.get(parameter.cls)
    if cls is not None and isinstance(value, Thing) and value.role is Role.MODEL is machine.role_of(cls):
        value.cls = cls
    return value


def _by_default(machine: Machine, frame: Frame, parameter: Parameter, default: Expr) -> Value:
    """What a parameter has that nobody gives; how many processes there are, a launcher elsewhere may say.

    @gin.configurable
    def train(accum=1): ...     a file of settings may give another window: so does `train()`
    """
    if any(name.rpartition(".")[2] in _CONFIGURED for name in frame.function.decorators):
        number = default.value if isinstance(default, Const) else None
        if isinstance(number, int) and not isinstance(number, bool) and WINDOW_NAME.search(parameter.name):
            machine.plan.note_default(parameter.name, default)
            return machine.free(parameter.name, parameter.role, "parameter")
    if isinstance(default, Const) and default.value in (None, 0, 1) and PROCESSES_NAME.search(parameter.name):
        return machine.unknown(parameter.name)
    return evaluate(machine, machine.world, default)


_CONFIGURED = frozenset({"configurable", "external_configurable", "command", "capture", "main", "automain"})
"""By these a file of settings or a command line gives what a call leaves out: gin, sacred, click, typer."""


def _is_spread(keywords: dict[str, Value]) -> bool:
    """Whether a dictionary that nobody can list is among the arguments: it may hold any of them."""
    return any(name.startswith("**") for name in keywords)


def _name_windows(machine: Machine, parameters: Sequence[Parameter]) -> None:
    """Windows whose ends the arguments tell, by the names of the parameters."""
    for place, size in machine.handed.items():
        if isinstance(place, str):
            machine.moduli[place] = size
        elif place < len(parameters):
            machine.moduli[parameters[place].name] = size
    machine.handed = {}


def bind_free(machine: Machine, frame: Frame, function: Function, receiver: Thing | None) -> None:
    """Bind the parameters of a function nobody calls: roles by evidence, everything else unknown."""
    for number, parameter in enumerate(function.parameters):
        own = "staticmethod" not in function.decorators or parameter.name == "self"
        if number == 0 and receiver is not None and own:
            frame.values[parameter.name] = bound_to(function, receiver) or receiver
        elif parameter.star:
            key = parameter.name
            frame.values[parameter.name] = Unknown(key, leaves=frozenset((key,)))
        else:
            frame.values[parameter.name] = _handed(machine, parameter)
            machine.plan.note_default(parameter.name, parameter.default)
        frame.born[parameter.name] = ()


def _new_key(machine: Machine, cls: Class, span: Span) -> str:
    """What a new object is called until a variable names it: made at another place it is another one."""
    key = f"new:{cls.name}"
    first = machine.counters.setdefault(("made", key), span.row)
    key = key if first == span.row else f"{key}@{span.row}:{span.column}"
    return machine.local_name(key, machine.stamp) if machine.role_of(cls) is Role.MODEL else key


def construct(machine: Machine, made: Constructor, args: list[Value], keywords: dict[str, Value], span: Span) -> Value:
    """An object of a class of this file; its `__init__` runs where the class can touch the books."""
    cls = made.cls
    role = machine.role_of(cls)
    thing = Thing(_new_key(machine, cls, span), role, cls, origin="made")
    if role is Role.OPTIMIZER:
        from gradlint.interpret.effects import roots_of

        thing.params = roots_of(args[0]) if args else None
        return thing
    gates = Gate.NOTHING
    for current in machine.classes_of(cls):
        for function in current.methods.values():
            gates |= function.gates
    found = machine.method(cls, "__init__")
    if found is not None and gates & (Gate.BACKWARD | Gate.STEP | Gate.ROLE | Gate.CLIP | Gate.WEIGHT | Gate.ZERO):
        machine.preparing += 1
        try:
            invoke_method(machine, found[0], thing, args, keywords, span)
        finally:
            machine.preparing -= 1
    elif found is not None:
        _plain_fields(machine, thing, found[0], args, keywords)
    elif cls.declares:
        given = dict(zip(cls.declares, args, strict=False)) | keywords
        thing.attrs |= {name: value for name, value in given.items() if not name.startswith("**")}
    return thing


def _plain_fields(
    machine: Machine, thing: Thing, init: Function, args: list[Value], keywords: dict[str, Value]
) -> None:
    """A dull class keeps what its `__init__` stores directly."""
    if len(init.body) <= SMALL:
        machine.preparing += 1
        try:
            invoke_method(machine, init, thing, args, keywords, init.span)
        finally:
            machine.preparing -= 1


def invoke_method(
    machine: Machine,
    function: Function,
    thing: Thing,
    args: list[Value],
    keywords: dict[str, Value],
    span: Span,
) -> Value:
    """Call a method on a thing."""
    return invoke(machine, Routine(function, machine.world, thing), args, keywords, span)


# --------------------------------------------------------------------------------- unknown


def generic(
    machine: Machine,
    node: Call,
    key: str,
    receiver: Value,
    args: list[Value],
    keywords: dict[str, Value],
) -> Value:
    """A call that cannot be followed: note what it might touch, and where its result came from."""
    values = [*args, *keywords.values()]
    things = handed_over(values)
    name = key.rsplit(".", 1)[-1]
    library = _root(receiver) in LIBRARIES
    if name == "exists" and len(values) == 1 and not library:
        return compare(machine, "is not", values[0], None)
    if library:
        _rewrites(machine, node, name, values)
    if not library and _by_its_name(machine, node, name, values):
        return Unknown(node.text, True, detached=True)
    if not library:
        touch(machine, node, name, receiver, values, things)
    reduces(machine, node, name, values)
    own: list[Value] = [receiver] if isinstance(receiver, Unknown) else []
    result = unknown_result(machine, node, key, own + values)
    if not result.varying and result.key in machine.plan.bindings:
        return machine.bound(result.key)
    _describe(result, name, key, receiver, args, keywords, library=library)
    result.smooth = _smooth(machine, receiver, name, key, own + values)
    if isinstance(receiver, Module) and key == receiver.name and name[:1].isupper():
        machine.models.classes[result] = name
    _gather(machine, name, result, values)
    if library and _root(receiver) in _GRAPHLESS:
        result.bases, result.forwards, result.models, result.detached = frozenset(), frozenset(), frozenset(), True
    models = [thing for thing in things if thing.role in (Role.MODEL, Role.ENGINE)]
    if models:
        machine.made_of[result.key] = frozenset(thing.root for thing in models)
    hold(machine, name, result, things)
    if models and not library and not HARMLESS.search(name) and not name[:1].isupper():
        for thing in models:
            called = forward(machine, node, thing, [], {}, assumed=True)
            if isinstance(called, Unknown):
                result.forwards |= called.forwards
                result.models |= called.models
                result.bases = result.bases or called.bases
    return result


def _smooth(machine: Machine, receiver: Value, name: str, key: str, values: list[Value]) -> frozenset[int]:
    """The origins of what a function of torch, or a method of a tensor that has a graph, hands gradients on to."""
    if isinstance(receiver, Unknown):
        known = name in SMOOTH and bool(receiver.smooth)
    else:
        known = isinstance(receiver, Module) and is_smooth(receiver.name if key == receiver.name else key)
    return smooth_of(_unknowns(values)) if known and not machine.gradients_off else frozenset()


def _gather(machine: Machine, name: str, result: Unknown, values: list[Value]) -> None:
    """`nn.ModuleList([self.rnn, self.head])`: who calls one of these layers calls a part of that."""
    if name in ("ModuleList", "ModuleDict") and is_layer(result):
        machine.models.gathered |= {part: result for part in _unknowns(values) if is_layer(part)}


_PLAIN_LOSS = frozenset(("input", "target", "reduction", "size_average", "reduce"))


def _summed_work(values: Sequence[Value]) -> bool:
    """Whether a mean is one of sums: sums of what a model gave, not those that stand in the target."""
    return any(part.summed and bool(part.forwards) for part in _unknowns(list(values)))


def _describe(
    result: Unknown,
    name: str,
    key: str,
    receiver: Value,
    args: list[Value],
    keywords: dict[str, Value],
    *,
    library: bool,
) -> None:
    """What a function says of its result by its name: how it reduces, how many there are."""
    is_loss = isinstance(receiver, Module) and is_mean_loss(receiver.name if key == receiver.name else key)
    how = reduction(name, args if is_loss else (), keywords)
    if how == "sum":
        result.summed = True
    if is_loss:
        result.mean = how in ("mean", "batchmean")
        if how == "mean" and len(args) <= 2 and keywords.keys() <= _PLAIN_LOSS:
            result.summed = _summed_work([*args, *keywords.values()])
    if library and (size := _size_of(name, args)):
        result.logic = ("sized", size)
    if isinstance(receiver, Module) and not result.varying and _LAYER[receiver.name if key == receiver.name else key]:
        result.logic = LAYER
    if name == "chunk":
        result.logic = ("pieces", keywords.get("chunks", (*args, None, None)[library]))
    elif name == "split":
        result.logic = _cut(receiver, args, library) or result.logic
    elif name in ("view", "reshape") and len(args) > 2 and args[0] == -1:
        result.logic = ("groups", args[1])  # order.view(-1, accum, batch)


def _cut(receiver: Value, args: list[Value], library: bool) -> tuple[object, ...] | None:
    """`data.split(8)`: so many pieces of so many samples, where it is known how many there are in all."""
    whole, size, *_ = (*args, None, None) if library else (receiver, *args, None)
    if not isinstance(size, int) or size < 1 or not isinstance(whole, Unknown) or whole.logic is None:
        return None
    return ("sized", -(-int(str(whole.logic[1])) // size), size) if whole.logic[0] == "sized" else None


_LAYER = Words(r"^torch\.nn\.(modules\.(\w+\.)?)?(?!(Parameter|Buffer|\w*Loss)$)[A-Z]\w*$")
"""What torch's own networks and their parts are made by: they have parameters, or stand among such that have."""


def _root(receiver: Value) -> str:
    """The package that something was imported from, if it was."""
    return receiver.name.partition(".")[0] if isinstance(receiver, Module) else ""


_GRAPHLESS = frozenset("numpy np math os sys time logging random json".split())
"""Packages whose functions return no tensor with a graph."""


def _size_of(name: str, args: list[Value]) -> int:
    """How many samples `torch.randn(64, 3)`, or a data set of such tensors, holds; 0 where that is not seen."""
    first = args[0] if args else None
    if name == "TensorDataset" and isinstance(first, Unknown) and first.logic is not None and first.logic[0] == "sized":
        return int(str(first.logic[1]))
    if name not in _MADE_UP:
        return 0
    if isinstance(first, Unknown) and first.measures is not None and (sized := first.measures.logic) is not None:
        return int(str(sized[1])) if sized[0] == "sized" else 0
    shape = first if name != "randint" else next((value for value in args if isinstance(value, Series)), None)
    size = shape.items[0] if isinstance(shape, Series) and shape.items else shape
    return size if isinstance(size, int) and not isinstance(size, bool) else 0


_MADE_UP = frozenset("randn rand randint randperm zeros ones empty".split())


def _rewrites(machine: Machine, node: Call, name: str, values: list[Value]) -> None:
    """Note a function of torch that writes into gradients, or reduces a flat copy of them.

    `torch._foreach_mul_(grads, coef)` clips where `coef` comes from their norm.
    """
    reduced = name.startswith("all_reduce") and machine.looked_in == machine.function and not _is_statistic(values)
    if not reduced and not (name.endswith("_") and any(map(_are_gradients, values))):
        return
    if len(values) > 1 and isinstance(values[0], Parameters) and clip_factor(values[1]):
        roots = values[0].roots
        machine.emit(Kind.CLIP, node.span, "/".join(sorted(roots)), "", Clipping(roots, False, False, BY_HAND, False))
    else:
        machine.emit(Kind.WRITE, node.span, node.text, node.text, Write(None, UNKNOWN_FACTOR))


def _is_statistic(values: list[Value]) -> bool:
    """A loss, a sum, a mean: what is reduced for a log, and no copy of the gradients."""
    first = values[0] if values else None
    if not isinstance(first, Unknown):
        return False
    cut_off = first.detached and not first.bases and not first.measured
    return first.summed or first.mean or bool(first.forwards) or cut_off


def _are_gradients(value: Value) -> bool:
    """`p.grad`, `[p.grad for p in params]`: what `torch._foreach_div_` writes into."""
    if isinstance(value, Parameters):
        return value.grads
    return isinstance(value, Method) and value.name == "grad"


def _by_its_name(machine: Machine, node: Call, name: str, values: list[Value]) -> bool:
    """A function of unknown origin that says what it does: `backward_func(loss)`, `zero_grads(params)`."""
    if _BACKWARD_NAME[name] and any(_is_loss(value) for value in values[:1]):
        apply(
            machine,
            Frame(machine.program.body),
            node,
            Effect("framework_backward", {"framework": "function"}),
            None,
            values[:1],
            {},
        )
        return True
    if _ZERO_NAME[name]:
        machine.emit(Kind.ZERO, node.span, node.text, node.text, Zero(None, None))
        return True
    return False


_BACKWARD_NAME = Words(r"(?i)(^|_)backward(_?(func|fn|function))?$")
_ZERO_NAME = Words(r"(?i)(zero|reset|clear)_?grads?(ients?)?$")


_HOLDING = frozenset({Series, Table})


def _unknowns(values: list[Value]) -> list[Unknown]:
    """The unknown values in some values."""
    flat: list[Unknown] = []
    for value in values:
        if value.__class__ is Unknown:
            flat.append(value)
        elif value.__class__ in _HOLDING:
            flat += unknowns_in(value)
    return flat


def unknown_result(machine: Machine, node: Call, key: str, values: list[Value]) -> Unknown:
    """What an unknown call returns: it varies in a loop, unless it only asks about constants."""
    flat = _unknowns(values)
    varying = working = divided = False
    for part in flat:
        if part.varying:
            varying = True
        if part.bases or part.forwards:
            working = True
        if part.factor is not ONE and (part.factor.divided or part.factor.weight is None):
            divided = True
    name = key.rsplit(".", 1)[-1]
    invariant = not varying and INVARIANT_CALL[name]
    full = f"{key}({', '.join(key_of(value) for value in values[:6])})" if invariant else node.text
    result = merge(full, flat)
    result.called = True
    result.leaves = frozenset((full, GRADIENT)) if _of_gradients(key, result, values) else frozenset((full,))
    built = not machine.looping and name[:1].isupper() and not name.endswith(("Tensor", "Variable"))
    if built or any(isinstance(value, (Thing, Parameters)) for value in values):
        result.detached = False  # an object, or what is made of a model, is no number, whatever it was made with
    if result.key in machine.plan.bindings:
        result.logic = None
    if invariant:
        result.bases = frozenset()
        return result
    result.varying = varying or machine.looping
    if working or (machine.working and name not in _MOVES):
        result.bases = _anew(machine, flat)
    if name in _PLACES:
        result.bases, result.detached = frozenset(), True
    if name in _SIZES:
        result.bases, result.detached = frozenset(), True
        counts = name in ("numel", "nelement") or (name == "size" and values[1:] in ([], [0]))
        result.measures = flat[0] if counts and flat and values[0] is flat[0] else None
    if (divided and not _LOSS_FUNCTION[key]) or _told_the_window(machine, values):
        result.factor = UNKNOWN_FACTOR
    return result


_MOVES = frozenset(
    "to cuda cpu long int bool float half double view reshape squeeze unsqueeze contiguous flatten".split()
)
"""Methods that make the same of a batch on another device, of another type or shape: what was no loss is none there."""


def _anew(machine: Machine, parts: list[Unknown]) -> frozenset[int]:
    """The loss that some values may make: none, if no share of a network in it has a graph (`count(table, preds)`)."""
    bases = frozenset((machine.fresh(),))
    shares = [part for part in parts if part.bases or part.forwards]
    if shares and all(part.detached or machine.is_spent(part) for part in shares):
        machine.spent.bases |= bases
    return bases


def _told_the_window(machine: Machine, values: list[Value]) -> bool:
    """Whether a function that nobody can look into is given the window, or its share: it may divide by it."""
    size = machine.plan.window
    if size < 2 or not (machine.plan.windows or machine.plan.seen):
        return False
    share = _one_of(size)
    return any(value in (size, share) for value in values if is_number(value))


@cache
def _one_of(size: int) -> Fraction:
    return Fraction(1, size)


def _of_gradients(key: str, result: Unknown, values: list[Value]) -> bool:
    """Whether something was measured of gradients: by hand, or by a function that says so."""
    if GRADIENT in result.leaves:
        return True
    held = [value for value in values if isinstance(value, Parameters)]
    return bool(held) and (bool(_NORM[key]) or any(value.grads for value in held))


_NORM = Words(r"(?i)grads?_?.*norm|norm.*grad|total_?norm")


def reads_name(node: Call) -> str:
    """The callee's last name."""
    if isinstance(node.func, Read):
        return node.func.name
    return node.func.name if isinstance(node.func, Attr) else ""


def known_true(value: Value) -> bool:
    """True when the value is certainly truthy."""
    return truth(value) is True
