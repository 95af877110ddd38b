"""Calls: of functions in the file, of things, of what the library table knows; anything else is opaque."""

from __future__ import annotations

import ast
import contextlib
import re
from typing import TYPE_CHECKING, Any

from gradlint.verify.machine import attributes, library, plain
from gradlint.verify.machine.frame import Frame
from gradlint.verify.machine.values import (
    Closure,
    Method,
    Native,
    Object,
    Ref,
    Stream,
    Thing,
    Unknown,
    Value,
    is_number,
    label,
)
from gradlint.verify.reasons import InconclusiveError, Reason
from gradlint.verify.slice.index import Class, Function, dotted, terminal
from gradlint.verify.slice.words import ABNORMAL, LOSS_FUNCTION
from gradlint.verify.world.live import Live
from gradlint.verify.world.model import Model, flatten, tensors
from gradlint.verify.world.optim import Loader
from gradlint.verify.world.parameters import Gradient, Parameter

if TYPE_CHECKING:
    from gradlint.verify.machine.machine import Machine

DEEPEST = 14
WRAPPER = re.compile(r"compile|wrap|graph|jit|script|trace|decorat|record|partial|retry|profile", re.IGNORECASE)
AVERAGE = re.compile(r"ema|averaged?model|teacher", re.IGNORECASE)
"""What makes a second model of one, which no optimizer owns."""
ENDLESS = re.compile(r"infinit|endless|forever|repeat|cycle")
"""What begins a loader again and again, by its name."""
LINEAR = frozenset("mean sum reshape squeeze nan_to_num clone nansum nanmean gather reduce all_reduce to_local".split())
METRIC = ("accura", "metric", "_log", "log_", "print", "argmax", "topk", "softmax_pred", "detach", "item", "plot")


def evaluate(machine: Machine, node: ast.Call, frame: Frame) -> Value:
    """A call expression."""
    from gradlint.verify.machine.targets import spine

    machine.world.calls.add((node.lineno, node.col_offset))
    name = terminal(node.func)
    if name == "super" and not node.args:
        return Unknown("super()")
    if name in ("backward", "scale", "manual_backward", "update_params"):
        if isinstance(node.func, ast.Attribute):
            machine.wanted |= spine(node.func.value) if name == "backward" else set()
        for one in node.args[:1]:
            machine.wanted |= spine(one)
    if isinstance(node.func, ast.Attribute) and _is_super(node.func.value):
        return _super(machine, node, frame)
    target = machine.value(node.func, frame)
    args, kwargs = arguments(machine, node, frame)
    machine.world.row = node.lineno
    found = apply(machine, target, args, kwargs, node)
    machine.world.row = node.lineno
    return found


def arguments(machine: Machine, node: ast.Call, frame: Frame) -> tuple[list[Value], dict[str, Value]]:
    """The values of a call's arguments."""
    from gradlint.verify.machine import iterate

    args: list[Value] = []
    for one in node.args:
        if isinstance(one, ast.Starred):
            inner = machine.value(one.value, frame)
            if isinstance(inner, (list, tuple, Stream)):
                args += list(iterate.items(machine, inner))
            else:
                args.append(inner)
        else:
            args.append(machine.value(one, frame))
    kwargs: dict[str, Value] = {}
    for keyword in node.keywords:
        found = machine.value(keyword.value, frame)
        if keyword.arg is not None:
            kwargs[keyword.arg] = found
        elif isinstance(found, dict):
            kwargs |= {str(key): one for key, one in found.items()}
    return args, kwargs


def _is_super(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and terminal(node.func) == "super"


def _super(machine: Machine, node: ast.Call, frame: Frame) -> Value:
    """`super().method(...)`: a base in the file, or the library object the class derives from."""
    assert isinstance(node.func, ast.Attribute)
    owner, home = _around(frame)
    args, kwargs = arguments(machine, node, frame)
    if owner is None or home is None:
        return Unknown("super()")
    order = attributes.machine_mro(machine, owner.cls)
    after = order[order.index(home) + 1 :] if home in order else []
    for one in after:
        if node.func.attr in one.methods:
            return closure(machine, Closure(one.methods[node.func.attr], None, owner, one), args, kwargs)
    if node.func.attr == "__init__":
        owner.base = owner.base or library.base(machine, owner.cls, args, kwargs)
        return None
    if owner.base is not None:
        return owner.base.call(node.func.attr, args, kwargs)
    return opaque(machine, f"super().{node.func.attr}", args, kwargs)


def _around(frame: Frame | None) -> tuple[Object | None, Class | None]:
    while frame is not None:
        if frame.owner is not None:
            return frame.owner, frame.home
        frame = frame.around
    return None, None


def apply(machine: Machine, target: Value, args: list[Value], kwargs: dict[str, Value], node: ast.Call | None) -> Value:
    """Call anything."""
    if isinstance(target, (Closure, Class, Object)):
        return _of_the_file(machine, target, args, kwargs)
    if isinstance(target, Method):
        return target.owner.call(target.name, args, kwargs)
    if isinstance(target, attributes.PlainMethod):
        return plain.method(machine, target.owner, target.name, args, kwargs)
    if isinstance(target, Native):
        return target.run(args, kwargs)
    if isinstance(target, Live):
        return machine.world.loss_of([target])
    if isinstance(target, Model) and node is not None and _makes(machine, node):
        return target
    if isinstance(target, Thing):
        return target.call("", args, kwargs)
    if isinstance(target, Ref) and chunks(target, args) is None:
        return library.call(machine, target.name, args, kwargs, node)
    return _unknown(machine, target, args, kwargs)


def _makes(machine: Machine, node: ast.Call) -> bool:
    """`net = Net()` before the loop, of a class nobody has seen: what is called with no input runs no forward."""
    given = [*node.args, *(one.value for one in node.keywords)]
    return not machine.loops and id(node) not in machine.wanted and all(isinstance(one, ast.Constant) for one in given)


def _unknown(machine: Machine, target: Value, args: list[Value], kwargs: dict[str, Value]) -> Value:
    """A call of something nobody knows."""
    if isinstance(target, Unknown) and target.path.endswith(".manual_backward"):
        for one in args:
            if isinstance(one, Live):
                machine.world.backward(one)
        return None
    if is_number(target):
        loaders = [one for one in args if isinstance(one, Loader)]
        if loaders:
            return loaders[0]  # `logger.log_every(loader, 10)` hands the batches on
        return target  # `self.accumulation_steps()`: the number was bound by its name
    pieces = chunks(target, args)
    if pieces is not None:
        return pieces
    return opaque(machine, label(target), args, kwargs, data=isinstance(target, Unknown) and target.data)


def _of_the_file(
    machine: Machine, target: Closure | Class | Object, args: list[Value], kwargs: dict[str, Value]
) -> Value:
    if isinstance(target, Closure):
        return closure(machine, target, args, kwargs)
    if isinstance(target, Class):
        return instantiate(machine, target, args, kwargs)
    return _object(machine, target, args, kwargs)


def chunks(target: Value, args: list[Value]) -> Value:
    """`x.chunk(4)`, `x.split(3)`, `torch.chunk(x, 4)`: pieces of a batch whose length is known; else None."""
    source: Value = None
    if isinstance(target, Unknown) and target.size is not None:
        source, rest = target, args
    elif isinstance(target, Ref) and target.name.startswith("torch.") and args:
        source, rest = args[0], args[1:]
    tail = label(target).rpartition(".")[2] if not isinstance(target, Ref) else target.name.rpartition(".")[2]
    if not isinstance(source, Unknown) or source.size is None or tail not in ("chunk", "tensor_split", "split"):
        return None
    number = rest[0] if rest and isinstance(rest[0], int) and not isinstance(rest[0], bool) else 3
    count = min(number, 64) if tail != "split" else -(-source.size // max(1, number))
    return [Unknown("piece", data=True, size=max(1, source.size // max(1, count))) for _ in range(max(1, count))]


def _object(machine: Machine, target: Object, args: list[Value], kwargs: dict[str, Value]) -> Value:
    found = method_of(machine, target.cls, "__call__")
    if found is not None:
        return closure(machine, bound(found, target), args, kwargs)
    forward = method_of(machine, target.cls, "forward")
    if forward is not None and any(isinstance(one, Live) for one in flatten([*args, *kwargs.values()])):
        return opaque(machine, target.cls.name, args, kwargs)
    if forward is not None:
        return closure(machine, bound(forward, target), args, kwargs)
    if target.base is not None:
        return target.base.call("", args, kwargs)
    return opaque(machine, target.cls.name, args, kwargs)


def method_of(machine: Machine, cls: Class, name: str) -> tuple[Function, Class] | None:
    """A method and the class of the file it stands in."""
    for one in attributes.machine_mro(machine, cls):
        if name in one.methods:
            return one.methods[name], one
    return None


def bound(found: tuple[Function, Class], owner: Object) -> Closure:
    """The method of an object."""
    return Closure(found[0], None, owner, found[1])


def closure(machine: Machine, target: Closure, args: list[Value], kwargs: dict[str, Value]) -> Value:
    """Walk a function of the file with these arguments."""
    from gradlint.verify.machine.statements import ReturnError

    node = target.node
    if _abstract(node):
        return opaque(machine, getattr(node, "name", ""), args, kwargs)
    if machine.depth >= DEEPEST:
        raise InconclusiveError(Reason.LIMIT, f"calls are nested more than {DEEPEST} deep")
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and _is_generator(node):
        return _generator(machine, target, node, args, kwargs)
    frame = Frame(target.around)
    _bind(machine, target, frame, args, kwargs)
    if isinstance(node, ast.Lambda):
        return machine.value(node.body, frame)
    machine.world.functions.add(node.lineno)
    machine.depth += 1
    machine.world.stack.append(machine.world.row)
    result: Value = None
    try:
        with _decorated(machine, node):
            machine.run(node.body, frame)
    except ReturnError as found:
        result = found.value
    finally:
        machine.depth -= 1
        row = machine.world.stack.pop()
    machine.world.row = row  # where something fails, the row stays
    return result


def _abstract(node: Function | ast.Lambda) -> bool:
    """A method that only says that a subclass has it."""
    if isinstance(node, ast.Lambda):
        return False
    body = [one for one in node.body if not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))]
    return not body or (len(body) == 1 and isinstance(body[0], (ast.Raise, ast.Pass)))


def _decorated(machine: Machine, node: Function) -> contextlib.AbstractContextManager[object]:
    import torch

    names = [dotted(one.func if isinstance(one, ast.Call) else one) for one in node.decorator_list]
    if any(name.endswith(("no_grad", "inference_mode")) for name in names):
        return torch.no_grad()
    casts = [one for one in node.decorator_list if isinstance(one, ast.Call) and terminal(one).endswith("autocast")]
    entered = machine.value(casts[0], machine.module) if casts else None
    return entered if isinstance(entered, contextlib.AbstractContextManager) else contextlib.nullcontext()


def _is_generator(node: Function) -> bool:
    todo: list[ast.AST] = list(node.body)
    while todo:
        one = todo.pop()
        if isinstance(one, (ast.Yield, ast.YieldFrom)):
            return True
        if not isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            todo += ast.iter_child_nodes(one)
    return False


def _generator(machine: Machine, target: Closure, node: Function, args: list[Value], kwargs: dict[str, Value]) -> Value:
    """A generator of the file gives data; one that manages a context gives nothing that matters."""
    if any("contextmanager" in dotted(one) for one in node.decorator_list):
        if machine.index.gates(node):
            raise InconclusiveError(Reason.BRANCH, f"line {node.lineno}: a context manager works on gradients")
        inner = [one for one in [*args, *kwargs.values()] if isinstance(one, contextlib.AbstractContextManager)]
        return inner[0] if inner else contextlib.nullcontext()
    if _of_parameters(machine, node):
        return _collected(machine, target, args, kwargs)
    loaders = [one for one in [*args, *kwargs.values()] if isinstance(one, Loader)]
    made = loaders[0] if loaders else Loader(machine.world, node.name)
    made.endless |= any(isinstance(one, ast.While) for one in ast.walk(node))
    machine.world.record.yielded |= regroups(node)
    return made


def regroups(node: ast.AST) -> bool:
    """Whether an iterator of the file may hold batches back, or says more than the data: it decides for itself."""
    return any(isinstance(one, (ast.If, ast.IfExp, ast.Try, ast.While)) for one in ast.walk(node))


PARAMETERS = frozenset("parameters named_parameters param_groups".split())


def _of_parameters(machine: Machine, node: Function) -> bool:
    """Whether a generator speaks of parameters and works on no gradients: it can be run to its end at once."""
    named = {one.attr for one in ast.walk(node) if isinstance(one, ast.Attribute)}
    whiles = any(isinstance(one, ast.While) for one in ast.walk(node))
    return bool(named & PARAMETERS) and not whiles and not machine.index.gates(node)


def _collected(machine: Machine, target: Closure, args: list[Value], kwargs: dict[str, Value]) -> Stream:
    """All that a generator yields."""
    from gradlint.verify.machine import iterate
    from gradlint.verify.machine.statements import ReturnError

    assert not isinstance(target.node, ast.Lambda)
    frame = Frame(target.around)
    _bind(machine, target, frame, args, kwargs)
    machine.world.functions.add(target.node.lineno)
    machine.yields.append([])
    machine.depth += 1
    try:
        machine.run(target.node.body, frame)
    except ReturnError:
        pass
    finally:
        machine.depth -= 1
        made = machine.yields.pop()
    return Stream(iter(made), whole=iterate.all_parameters(made))


def _bind(machine: Machine, target: Closure, frame: Frame, args: list[Value], kwargs: dict[str, Value]) -> None:
    """Parameters to arguments; what is left over takes its default, or a value by its name."""
    from gradlint.verify.machine import binder

    node = target.node
    names = [one.arg for one in [*node.args.posonlyargs, *node.args.args]]
    static = [] if isinstance(node, ast.Lambda) else [dotted(one) for one in node.decorator_list]
    if target.owner is not None and "staticmethod" not in static and names:
        owner = target.owner.cls if "classmethod" in static and isinstance(target.owner, Object) else target.owner
        frame.names[names.pop(0)] = owner
    if isinstance(target.owner, Object):
        frame.owner, frame.home = target.owner, target.home
    elif target.home is not None and args and isinstance(args[0], Object):
        frame.owner, frame.home = args[0], target.home
    frame.names |= dict(zip(names, args, strict=False))
    if node.args.vararg is not None:
        frame.names[node.args.vararg.arg] = tuple(args[len(names) :])
    every = [*names, *(one.arg for one in node.args.kwonlyargs)]
    frame.names |= {name: found for name, found in kwargs.items() if name in every}
    if node.args.kwarg is not None:
        frame.names[node.args.kwarg.arg] = {name: found for name, found in kwargs.items() if name not in every}
    defaults = binder._defaults(node.args)  # noqa: SLF001
    for name in every:
        if name not in frame.names:
            if name in defaults:
                frame.names[name] = machine.value(defaults[name], target.around or machine.module)
            else:
                frame.names[name] = binder.named(machine, name, name)
        frame.names[name] = _turned(machine, name, frame.names[name])


def _turned(machine: Machine, name: str, found: Value) -> Value:
    from gradlint.verify.machine.targets import turned

    return turned(machine, name, found)


def instantiate(machine: Machine, cls: Class, args: list[Value], kwargs: dict[str, Value]) -> Value:
    """An object of a class of the file; a plain module is a model, and its insides are nobody's business."""
    init = method_of(machine, cls, "__init__")
    if library.is_module(machine, cls):
        if library.is_loss(cls):
            return Unknown(cls.name)
        return Model(machine.world, f"new {cls.name}")
    made = Object(cls, path=cls.name)
    if library.owns_base(machine, cls):
        made.base = library.base(machine, cls, args, kwargs)
    if init is not None:
        closure(machine, bound(init, made), args, kwargs)
    else:
        fields = [name for name in cls.node.body if isinstance(name, ast.AnnAssign)]
        for field, value in zip(fields, args, strict=False):
            made.attributes[terminal(field.target)] = value
        made.attributes |= kwargs
    return made


def opaque(machine: Machine, name: str, args: list[Value], kwargs: dict[str, Value], *, data: bool = False) -> Value:
    """A call nobody follows. What comes out depends on what went in."""
    values = list(flatten_shallow([*args, *kwargs.values()]))
    lives = [one for one in values if isinstance(one, Live)]
    tail = name.rpartition(".")[2].lower()
    if tail == "enter_context" and any(isinstance(one, contextlib.AbstractContextManager) for one in values):
        raise InconclusiveError(Reason.BRANCH, f"line {machine.world.row}: contexts on a stack are not followed")
    _doubt(machine, tail, values if tail.endswith("_") else flatten_shallow([kwargs.get("out")]))
    if "zero_grad" in tail:
        _zero(machine, values)
        return None
    own = name.rpartition(".")[2][:1].isupper() or "loss" in tail
    if "clip" in tail and not own and ("grad" in tail or tensors_inside(values)):
        return _clip(machine, args, kwargs, tail)
    if lives:
        if any(word in tail.replace("logits", "") for word in METRIC):
            return Unknown(f"{name}()", data=True)
        if tail in LINEAR and len(lives) == 1:
            return lives[0]
        made = machine.world.loss_of(lives)
        if LOSS_FUNCTION.search(name) or "functional" in name or name.startswith("torch."):
            fresh = made.parts[0].raw
            made.parts = (type(made.parts[0])(fresh),)
        return made
    loaders = [one for one in values if isinstance(one, Loader)]
    if loaders and not any(isinstance(one, (Model, Parameter)) for one in values):
        loaders[0].endless |= bool(ENDLESS.search(tail))
        return loaders[0]
    if any(isinstance(one, (Gradient,)) for one in values) and not ABNORMAL.search(name):
        return Unknown(f"{name}()", data=True)
    through = _through(machine, name, tail, values)
    if through is not None:
        return through
    sizes = [one.size for one in values if isinstance(one, Unknown) and one.size is not None]
    varying = (
        data
        or any(isinstance(one, Model) for one in values)
        or any(isinstance(one, Unknown) and one.data for one in values)
    )
    return Unknown(f"{name}()", data=varying, size=sizes[0] if sizes else None, made=True)


def _doubt(machine: Machine, tail: str, written: list[Value]) -> None:
    """What a call out of sight may do to gradients by its name: reduce them by hand, or freeze whose they are.

    Those among what it writes to it changes.
    """
    for one in written:
        if isinstance(one, Gradient):
            machine.world.rewritten(one.owner.tensor)
    machine.world.record.loose |= "reduce" in tail
    machine.world.record.frozen |= any(word in tail for word in ("requires_grad", "freez", "toggle"))


def _through(machine: Machine, name: str, tail: str, values: list[Value]) -> Value:
    """What a call out of sight hands back wrapped: a step function, a context, the one model; else None."""
    wrapped = [one for one in values if isinstance(one, Closure) and machine.index.gates(one.node)]
    if len(wrapped) == 1 and WRAPPER.search(name):
        return wrapped[0]
    contexts = [one for one in values if isinstance(one, contextlib.AbstractContextManager)]
    if contexts:
        return contexts[0]
    models = [one for one in values if isinstance(one, Model)]
    if len(models) == 1 and AVERAGE.search(tail):
        return Model(machine.world, f"new {name}", quiet=True)
    if len(models) == 1 and ("peft" in tail or "adapter" in tail):
        return models[0].call("add_adapter", [], {})
    if len(models) == 1 and ("model" in tail or tail.startswith(("wrap", "compile", "replace", "convert", "to_"))):
        return models[0]
    return None


def _zero(machine: Machine, values: list[Value]) -> None:
    """A helper out of sight that clears gradients: those it is given, else all."""
    chosen = tensors(values) or [p for one in machine.world.optimizers for p in one.parameters]
    for tensor in chosen:
        tensor.grad = None


def flatten_shallow(values: list[Value]) -> list[Value]:
    """Values and what stands in lists and dictionaries; iterators are left alone."""
    found: list[Value] = []
    for one in values:
        if isinstance(one, (list, tuple)):
            found += flatten_shallow(list(one))
        elif isinstance(one, dict):
            found += flatten_shallow(list(one.values()))
        else:
            found.append(one)
    return found


def tensors_inside(values: list[Value]) -> bool:
    """Whether parameters are among the values."""
    return any(isinstance(one, (Parameter, Stream, Model)) for one in values)


def _clip(machine: Machine, args: list[Value], kwargs: dict[str, Value], name: str) -> Value:
    values: list[Any] = [*args, *kwargs.values()]
    chosen = tensors(values)
    numbers = [float(one) for one in values if isinstance(one, (int, float)) and not isinstance(one, bool) and one > 0]
    machine.world.notes(f"{name} is taken for a clip of the norm")
    return machine.world.clipped(chosen, numbers[0] if numbers else 1.0, known=bool(chosen))
