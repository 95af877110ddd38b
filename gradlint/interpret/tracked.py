"""Attributes of things: set ones, methods, and what another method of the class would set."""

from __future__ import annotations

from collections.abc import Iterable

from gradlint.interpret.anew import manufactured
from gradlint.interpret.dispatch import evaluate
from gradlint.interpret.frame import Frame
from gradlint.interpret.functions import bind_free, bound_to, invoke
from gradlint.interpret.layers import is_layer, layer
from gradlint.interpret.limits import nodes
from gradlint.interpret.lineage import classes_of, method_of
from gradlint.interpret.losses import MEAN, UNREDUCED, Graph, Scale
from gradlint.interpret.machine import Machine
from gradlint.interpret.modules import filled, imported
from gradlint.interpret.none_or_not import is_told_none
from gradlint.interpret.opened import open_settings
from gradlint.interpret.plan import Plan
from gradlint.interpret.state.course import Course
from gradlint.interpret.state.objects import Objects
from gradlint.interpret.state.ranks import Ranks
from gradlint.interpret.traits import exact, key_of, on_class
from gradlint.interpret.values import (
    MISSING,
    Constructor,
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
    shortened,
)
from gradlint.libraries.conventions.numbers import WINDOW_NAME
from gradlint.libraries.conventions.switches import FLOAT16_NAME
from gradlint.libraries.tables import METHOD_NAMES
from gradlint.libraries.tensors import DESCRIBING, DETACHING
from gradlint.model.effects import Action
from gradlint.model.events import Backward, EventLog, Iteration
from gradlint.model.factor import Factor, common
from gradlint.model.program import Assign, Attr, Call, Class, Const, Display, Expr, Function, If, Read, Stmt
from gradlint.model.roles import Role

_SAME = {
    Role.MODEL: frozenset({"module", "_orig_mod"}),
    Role.ENGINE: frozenset({"module"}),
    Role.OPTIMIZER: frozenset({"optimizer", "base_optimizer", "_optimizer"}),
}
_EAGER = (Role.OPTIMIZER, Role.SCHEDULER, Role.MODEL, Role.LOADER, Role.ENGINE)


def attribute(machine: Machine, base: Value, name: str, hint: Role | None, qualified: str | None) -> Value:
    """`base.name`."""
    if name == "grad":
        machine.read_gradients()
    if base.__class__ is Unknown:
        value = _of_unknown(machine, base, name, hint)
        return _left_by_a_backward(machine.log, value, base.key) if name == "grad" else value
    if base.__class__ is Tracked:
        return _of_tracked(machine, base if base.inner is None else _holder(machine, base, name), name, hint)
    if isinstance(base, Imported):
        return named(machine, base.importer, qualified or f"{base.name}.{name}")
    if name in _NAMES and isinstance(base, (Constructor, Routine)):
        return base.cls.name if isinstance(base, Constructor) else base.function.name
    if isinstance(base, Constructor):
        return _of_constructor(machine, base, name)
    if isinstance(base, Table) and name in base.items and name not in _OF_TABLES:
        return base.items[name]
    if name == "grad" and isinstance(base, Parameters):
        return Parameters(base.roots, once=False, grads=True)
    if isinstance(base, (Series, Table, Parameters, Partial, Routine)) or base is None:
        return Method(base, name)
    return Method(base, name)


_NAMES = frozenset({"__name__", "__qualname__"})
"""Under what classes and functions are registered that nobody names otherwise: `self[cls.__name__] = cls`."""
_OF_TABLES = frozenset(dir(dict))


def named(machine: Machine, importer: int, name: str) -> Value:
    """What an import in a module means, by its qualified name, with what is asked of it."""
    value, rest = imported(machine, importer, name)
    filled(machine, name.rpartition(".")[2], value)
    for part in rest.split(".") if rest else ():
        value = attribute(machine, value, part, None, None)
    return machine.unknown(name) if isinstance(value, bool) else value  # a switch of another file may be thrown there


def starred(machine: Machine, module: Frame, name: str) -> Value | Missing:
    """What a star import has brought under a name, which then is the module's own."""
    number = module.function.span.module
    for way in machine.program.ways(machine.program.module(number), name):
        value = named(machine, number, way)
        if not isinstance(value, Imported):
            module.values[name] = value
            return value
    return MISSING


def _left_by_a_backward(log: EventLog, value: Value, owner: str) -> Value:
    """A gradient as the last backward has left it: scaled, if its loss was."""
    if not isinstance(value, Unknown) or value.scale is not None or value.key != f"{owner}.grad":
        return value  # it was put there by hand
    last = next((event.detail for event in reversed(log.events) if isinstance(event.detail, Backward)), None)
    if last is not None and last.scaled_by is not None:
        value = value.under(value.key)
        value.scale = Scale(last.scaled_by, left=True)
    return value


def _of_unknown(machine: Machine, base: Unknown, name: str, hint: Role | None) -> Value:
    if base.data.held and f".{name}" in base.data.held:
        return base.data.held[f".{name}"]
    key = shortened(f"{base.key}.{name}")
    if key in machine.objects.overrides:
        return machine.objects.overrides[key]
    if key in machine.plan.numbers.bindings:
        return machine.bound(key)
    if hint is not None and hint is not Role.CRITERION and not base.graph.forwards and not base.varying:
        return machine.objects.tracked(hint, key)
    if name in EPOCHS and (number := _epoch(machine.course)) is not None:
        return number
    if name == "requires_grad" and base.graph.known and (base.detached or machine.contexts.gradients_off):
        return False
    if name in DETACHING and (base.varying or base.detached or base.graph.known or base.graph.models):
        return Unknown(key, True, detached=True, leaves=frozenset((key,)) | base.measured)
    if name == "shape" or (name in DESCRIBING and base.graph.known):
        return _description(machine, base, key, sizes=name == "shape")
    if base.graph.known:
        bases = machine.names.part(base.graph.bases, name) or frozenset((machine.names.fresh(),))
        part = Unknown(key, base.varying, detached=base.detached, leaves=frozenset((key,)))
        part.graph = Graph(base.graph.forwards, base.graph.models, bases, smooth=base.graph.smooth_part(bases))
        # as the models of transformers return it
        foreign = name == "loss" and base.graph.models <= machine.objects.foreign
        part.reduced = MEAN if base.reduced.mean or foreign else UNREDUCED
        part.factor = weight_of(base)
        return part
    return machine.unknown(key, base.varying or base.key in machine.objects.moving)


def weight_of(whole: Unknown) -> Factor:
    """What a whole was multiplied by, and so each part of it: `losses = model(x) / n`, `losses.total`."""
    return common(term.factor for term in whole.terms) if whole.terms else whole.factor


def stepped(objects: Objects, value: Value) -> Value:
    """What is used as only an optimizer can be, whatever the name it was handed over by."""
    if not isinstance(value, Unknown) or value.varying or value.detached or value.graph.known:
        return value
    plain = value.key.replace(".", "").isidentifier()  # else it was computed, and may be one of several
    return objects.tracked(Role.OPTIMIZER, value.key) if plain else value


def _description(machine: Machine, base: Unknown, key: str, *, sizes: bool) -> Value:
    """The sizes of a tensor, its type, where it is: they carry no graph."""
    if not base.graph.known:
        said = machine.unknown(key, base.varying)
    else:
        said = Unknown(key, base.varying, detached=True, leaves=frozenset((key,)))
    if sizes and isinstance(said, Unknown):
        said.data = said.data.measuring(base)
    return said


EPOCHS = frozenset({"epoch", "current_epoch", "cur_epoch", "epoch_idx"})
"""Names of the number of the running epoch."""


def _epoch(course: Course) -> int | None:
    """What a record kept elsewhere says inside the epoch loop: which epoch it is."""
    return next((iteration.number for iteration in reversed(course.stamp) if iteration.kind == "epoch"), None)


def _of_tracked(machine: Machine, base: Tracked, name: str, hint: Role | None) -> Value:
    if base.role is Role.FOREIGN:
        return machine.objects.tracked(Role.FOREIGN, f"{base.key}.{name}")
    if name == "__dict__":
        open_settings(machine, base)
    if name in base.attrs:
        value = base.attrs[name]
        if value is None and base.cls is not None:
            return _set_later(machine, base, name, hint)
        return _part(base, name, value)
    if base.cls is not None:
        found = method_of(machine.program, base.cls, name)
        if found is not None:
            return _of_class(machine, base, found[0])
        later = _elsewhere(machine, base, name)
        if later is not None:
            return _part(base, name, later[0])
        value = _field(machine, base, name)
        if value is not None:
            return _kept(machine, base, name, value)
        dynamic = method_of(machine.program, base.cls, "__getattr__") if base.role is None else None
        if dynamic is not None and (value := _dynamic(machine, base, dynamic[0], name)) is not None:
            return value
    if name in METHOD_NAMES and base.role is not None:
        return Method(base, name)
    return _by_role(machine, base, name, hint)


def _holder(machine: Machine, wrapper: Tracked, name: str) -> Tracked:
    """Who has an attribute: the network inside, for its methods are run with the wrapper as `self`."""
    inner = wrapper.innermost
    own = name in METHOD_NAMES or name in _SAME[Role.MODEL] or name == "training" or name in wrapper.attrs
    if own or wrapper.role is not Role.MODEL or wrapper.cls is None or wrapper.cls is not inner.cls:
        return wrapper
    return wrapper if method_of(machine.program, wrapper.cls, name) is not None else inner


def _part(base: Tracked, name: str, value: Value) -> Value:
    """What a network holds: a part of it where torch's own classes made it, whatever the network is wrapped in."""
    return layer(value, f"{base.root}.{name}") if base.role is Role.MODEL and is_layer(value) else value


def _dynamic(machine: Machine, base: Tracked, function: Function, name: str) -> Value:
    """What `__getattr__` returns for a name that the class does not have, where that is a function of the file."""
    made = invoke(machine, Routine(function, machine.frame_of(function), base), [name], {}, function.span)
    return made if isinstance(made, Routine) else None


def _of_constructor(machine: Machine, made: Constructor, name: str) -> Value:
    """`CFG.accum`, the attribute of a class: what was set from outside, what it says itself, else unknown."""
    key = on_class(made.cls, name)
    if key in machine.objects.overrides:
        return machine.objects.overrides[key]
    found = method_of(machine.program, made.cls, name)
    if found is not None:
        return Routine(found[0], machine.frame_of(found[0]), bound_to(found[0], made))
    value = _declared(machine, made.cls, name)
    enumerated = any(base.rsplit(".", 1)[-1].endswith(("Enum", "Flag")) for base in made.cls.bases)
    text = f"{made.cls.name}.{name}"
    if enumerated and value is not None:
        return Imported(text, made.cls.span.module)  # like a member of an enumeration that is out of sight
    return machine.unknown(text) if value is None or isinstance(value[0], Unknown) else value[0]


def _of_class(machine: Machine, base: Tracked, function: Function) -> Value:
    routine = Routine(function, machine.frame_of(function), bound_to(function, base))
    if is_property(function):
        return invoke(machine, routine, [], {}, function.span)
    return routine


def is_property(function: Function) -> bool:
    """Whether a method is read like an attribute: what it returns is what is called in `self.plain(x)`."""
    return any(item.split(".")[-1] in ("property", "cached_property") for item in function.decorators)


def _by_role(machine: Machine, base: Tracked, name: str, hint: Role | None) -> Value:
    key = f"{base.key}.{name}"
    wrapped = base.cls is None or base.inner is not None or bool(base.wrapper)
    if base.role is not None and name in _SAME.get(base.role, ()) and wrapped:
        return _inside(base, name)
    if base.role is Role.ACCELERATOR:
        return _of_accelerator(machine, base, name)
    if name == "training":
        modes = machine.training.flags if base.key in machine.training.flags else machine.training.modes
        known = modes.get(base.key if modes is machine.training.flags else base.root)
        if known is not None:
            return known
    if name == "param_groups":
        held = base if base.role is Role.OPTIMIZER else None
        return Parameters(base.params or frozenset((base.key,)), once=False, held=held)
    if name == "sampler" and base.role is Role.LOADER:
        given = base.make.extra.get("sampler", base) is not None or base.make.extra.get("batch_sampler") is not None
        own = base.origin == "made" and not given
        return base.make.extra.get("sampler") or machine.objects.tracked(
            Role.SAMPLER, key, "default" if own else "name"
        )
    if name == "batch_sampler" and base.role is Role.LOADER and base.make.extra.get(name) is not None:
        return base.make.extra[name]
    if base.role is Role.MODEL and hint is Role.MODEL:
        return machine.objects.tracked(hint, key)
    if hint is not None and hint is not Role.CRITERION:
        return machine.objects.tracked(hint, key, "free" if base.cls is not None else "name")
    if name.endswith("_") and name[:-1] in METHOD_NAMES:
        return Method(base, name)
    if base.role is Role.MODEL:
        machine.objects.parts.add(key)
    return machine.unknown(key)


def _inside(wrapper: Tracked, name: str) -> Tracked:
    """`ddp.module`, `compiled._orig_mod`: what is wrapped; a compiled network passes on what its own wrapper has."""
    while name == "module" and not wrapper.wrapper and wrapper.inner is not None and wrapper.inner.inner is not None:
        wrapper = wrapper.inner
    return wrapper.inner if wrapper.inner is not None and name in ("module", "_orig_mod") else wrapper


def note_plugin(machine: Machine, base: Value) -> None:
    """Who writes to the settings of DeepSpeed's plugin, which Accelerate has only under DeepSpeed, makes no DDP."""
    accelerator = machine.ranks.accelerator
    if accelerator is not None and machine.scenario.sure and _OF_DEEPSPEED in key_of(base):
        accelerator.make.extra |= {"ddp": False, "several": False}


_OF_DEEPSPEED = ".state.deepspeed_plugin."
"""What stands in an Accelerator's state where it runs DeepSpeed, and is `None` anywhere else."""


def _of_accelerator(machine: Machine, base: Tracked, name: str) -> Value:
    if name == "sync_gradients":
        return machine.ranks.syncing
    if name in ("is_main_process", "is_local_main_process"):
        return True
    if name == "gradient_accumulation_steps":
        return accumulation(machine.plan, base)
    return machine.unknown(f"{base.key}.{name}")


def accumulation(plan: Plan, accelerator: Tracked) -> int:
    """How many micro-batches the accelerator makes a window of."""
    value = accelerator.make.extra.get("steps")
    number = exact(value)
    if number is not None:
        plan.widen(int(number))
        return max(1, int(number))
    if isinstance(value, Unknown) and value.key not in plan.numbers.bindings:
        plan.bind_window(value.key)
    bound = plan.numbers.bindings.get(value.key) if isinstance(value, Unknown) else None
    return bound or (1 if accelerator.origin == "made" and value is None else plan.usual)


def counts_windows(ranks: Ranks, accelerator: Tracked) -> bool:
    """Whether its window can be seen: it was made here, or the loop runs under its `accumulate`."""
    return accelerator.origin == "made" or ranks.accumulated > 0 or accelerator.make.extra.get("steps") is not None


def boundary(machine: Machine, accelerator: Tracked) -> bool:
    """True when the micro-batch that now begins is the last of the accelerator's window or loader."""
    steps = accumulation(machine.plan, accelerator)
    return steps == 1 or machine.course.is_last() or _phase(machine.course, machine.ranks) % steps == 0


def _phase(course: Course, ranks: Ranks) -> int:
    """How many micro-batches were begun since the epoch did; the count starts anew with each epoch."""
    iteration: Iteration | None = course.innermost
    return iteration.number + 1 if iteration is not None else ranks.accumulated


def _set_later(machine: Machine, base: Tracked, name: str, hint: Role | None) -> Value:
    """An attribute that `__init__` leaves `None` and another method sets."""
    if name in base.attrs and base.cls is not None and is_told_none(classes_of(machine.program, base.cls), name):
        return None
    later = _elsewhere(machine, base, name)
    if later is not None:
        return later[0]
    if hint in _EAGER and hint is not Role.SCHEDULER:
        tracked = machine.objects.tracked(hint, f"{base.key}.{name}")
        base.attrs[name] = tracked
        return tracked
    return None


def _elsewhere(machine: Machine, base: Tracked, name: str) -> tuple[Value] | None:
    """What the first other assignment to `self.name` in the class evaluates to."""
    assert base.cls is not None
    guard = ("elsewhere", base.key, name)
    if machine.names.counters.get(guard):
        return None
    machine.names.counters[guard] = 1
    given = base.origin == "made" and name in base.attrs
    for cls in classes_of(machine.program, base.cls):
        for function in cls.methods.values():
            for node in function.sets(name):
                if given and function.name == "__init__" and isinstance(node.value, Read):
                    continue  # it was given nothing when it was made
                value = _evaluated(machine, base, function, node)
                if value is not None:
                    base.attrs[name] = value
                    if isinstance(value, Tracked) and value.role is Role.SCALER and _for_float16(function.body, node):
                        value.make.extra["float16"] = True
                    return (value,)
    return None


def _for_float16(body: Iterable[Stmt], node: Assign) -> bool:
    """Whether a scaler is made only where a test asks for a type: `if param_dtype == torch.float16: ...`."""
    for statement in body:
        if isinstance(statement, If) and node in (*statement.then, *statement.other):
            return bool(FLOAT16_NAME.search(statement.text))
        if isinstance(statement, If) and _for_float16((*statement.then, *statement.other), node):
            return True
    return False


def _evaluated(machine: Machine, base: Tracked, function: Function, node: Assign) -> Value:
    frame = Frame(function, parent=machine.frame_of(function))
    bind_free(machine, frame, function, base)
    with machine.stack.silently():
        value = evaluate(machine, frame, node.value)
    assert isinstance(node.target, Attr)
    name = f"{base.key}.{node.target.name}"
    made = isinstance(value, Tracked) and value.origin == "made" and value.key.startswith("new:")
    if made and isinstance(value, Tracked) and value.role is base.role is Role.MODEL:
        value.key = name  # its parameters are a part of those of the network that holds it
    return manufactured(machine, value, node.target.hint, name)


def _field(machine: Machine, base: Tracked, name: str) -> Value:
    """A class attribute."""
    assert base.cls is not None
    found = _declared(machine, base.cls, name)
    return None if found is None else found[0]


def _kept(machine: Machine, base: Tracked, name: str, value: Value) -> Value:
    """What a factory has made for a new record, as old as that is: `meters: dict = field(default_factory=...)`."""
    holds = isinstance(value, (Series, Table)) or (isinstance(value, Tracked) and value.role is None)
    if not holds or name not in base.born or base.cls is None:
        return value
    own = [one for cls in classes_of(machine.program, base.cls) for one in cls.fields if isinstance(one, Assign)]
    given = next((one for node in own if (one := _given(node, name)) is not None), None)
    if given is None or not _is_factory(given):
        return value
    before = machine.course.stamp
    machine.course.stand(base.born[name])
    base.attrs[name] = _field(machine, base, name)
    machine.course.stand(before)
    return base.attrs[name]


def _is_factory(value: Expr) -> bool:
    makes = isinstance(value, Call) and value.effect is not None and value.effect.action is Action.FIELD
    return makes and isinstance(value, Call) and any(name == "default_factory" for name, _ in value.keywords)


def _declared(machine: Machine, cls: Class, name: str) -> tuple[Value] | None:
    """What the body of a class or of a base in this file, assigns to a name."""
    for current in classes_of(machine.program, cls):
        if (key := on_class(current, name)) in machine.objects.overrides:
            return (machine.objects.overrides[key],)
        for place, node in enumerate(current.fields):
            given = _given(node, name) if isinstance(node, Assign) else None
            if given is not None:
                if isinstance(given, Const) and given.value == 1 and WINDOW_NAME.search(name):
                    return (machine.unknown(f"{current.name}.{name}"),)  # what a window is that is not used, as shipped
                value = evaluate(machine, _scope(machine, current, given, place), given)
                if filled(machine, name, value) or filled(machine, current.name, value):
                    return _declared(machine, cls, name)
                elsewhere = isinstance(value, bool) and current.span.module != machine.module.number
                return (machine.unknown(f"{current.name}.{name}") if elsewhere else value,)
    return None


def _given(node: Assign, name: str) -> Expr | None:
    """What an assignment gives a name, by itself or as one of several: `BATCH, EPOCH = "batch", "epoch"`."""
    target, value = node.target, node.value
    if isinstance(target, Read):
        return value if target.name == name else None
    if isinstance(target, Display) and isinstance(value, Display) and len(target.items) == len(value.items):
        pairs = zip(target.items, value.items, strict=True)
        return next((given for one, given in pairs if isinstance(one, Read) and one.name == name), None)
    return None


def _scope(machine: Machine, cls: Class, node: Expr, place: int) -> Frame:
    """The names that an expression in the body of a class sees: those that stand before it, then the module's."""
    frame = machine.frame_of(cls)
    plain = not place or isinstance(node, Const)
    names = () if plain else {part.name for part in nodes(node) if isinstance(part, Read)}
    found: dict[str, Value] = {}
    for number, one in enumerate(cls.fields[:place] if names else ()):
        if isinstance(one, Assign) and isinstance(one.target, Read) and one.target.name in names:
            found[one.target.name] = evaluate(machine, _scope(machine, cls, one.value, number), one.value)
    return Frame(frame.function, found, parent=frame) if found else frame
