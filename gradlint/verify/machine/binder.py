"""Values for names nobody binds: objects by their role, and numbers that make the loop do what it can do.

A loop under `accumulation_steps=1`, `max_norm=None` and `use_amp=False` shows nothing. So knobs are turned: a window
is the source's number from 2 to 64, else 4; a limit is the source's, else 1; a switch is on, and flipped later.
"""

from __future__ import annotations

import ast

from gradlint.verify.machine.frame import Frame
from gradlint.verify.machine.values import Closure, Object, Thing, Unknown, Value
from gradlint.verify.reasons import InconclusiveError, Reason
from gradlint.verify.slice.index import Class, called, dotted
from gradlint.verify.slice.words import (
    COUNTER,
    EPOCH_COUNTER,
    EPOCHS,
    FREQUENCY,
    LAST,
    LENGTH,
    LOSS_NAME,
    NORM,
    PER_EPOCH,
    family,
    is_accumulation,
)
from gradlint.verify.world.accelerator import Accelerator
from gradlint.verify.world.fabric import Fabric
from gradlint.verify.world.model import Model, parallel
from gradlint.verify.world.optim import Loader, Optimizer, Sampler, Scaler, Scheduler
from gradlint.verify.world.plan import BATCH
from gradlint.verify.world.shims import accelerate, fabric

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from torch import Tensor

    from gradlint.verify.machine.machine import Machine

GENERIC = frozenset(
    "self model net network optimizer optim opt optimiser module the my main train trainer ddp scheduler".split()
)
FROZEN = ("target", "ema", "teacher", "frozen", "ref_", "reference", "pretrained", "momentum", "perceptual", "vgg")
WRAPS = frozenset("DistributedDataParallel .DistributedDataParallel DDP".split())
OFTEN = 2
"""Within an epoch of any length, and not only at its end."""
OPTIONAL = ("scaler", "scheduler", "sampler")


def words(path: str) -> set[str]:
    """The telling words of a name: `optimizer_D` and `netD` share `d`."""
    import re

    tail = path.rpartition(".")[2]
    pieces = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", tail)
    return {piece.lower() for piece in pieces} - GENERIC


def made_elsewhere(machine: Machine, name: str) -> Value:
    """What a factory out of sight makes, by the name it is given."""
    if machine.index.role(name) == "ddp" and called(machine.index.tree) & WRAPS:
        return build(machine, "model", name)  # the file wraps it itself, where it does
    found = thing(machine, name, name)
    return found[0] if found is not None else Unknown(name, made=True)


def named(machine: Machine, name: str, path: str) -> Value:
    """The value of a name or attribute that nothing binds."""
    if path in machine.stored:
        return machine.stored[path]
    if path in machine.bound:
        return machine.bound[path]
    if FREQUENCY.search(name):
        machine.origin(path, OFTEN, "how often something else happens, turned to activate it")
        return OFTEN
    value = _made(machine, name, path)
    if isinstance(value, (Thing, Object)) or value is None:
        machine.bound[path] = value  # numbers are asked again: counters go on
    return value


def _made(machine: Machine, name: str, path: str) -> Value:
    if is_accumulation(name) and name not in machine.index.counted:
        return knob(machine, path, machine.index.defaults.get(name))
    if EPOCH_COUNTER.search(name):
        return _counter(machine, name, path)
    if EPOCHS.search(name):
        machine.origin(path, machine.plan.epochs, "an epoch count")
        return machine.plan.epochs
    if LENGTH.search(name) and machine.index.role(name) != "model":
        return machine.plan.batches
    if PER_EPOCH.search(name):
        return machine.plan.batches // (machine.world.record.window or 1)
    if name == "world_size" or LAST.search(name):
        return machine.last if name != "world_size" else machine.plan.ranks
    if COUNTER.search(name) or EPOCH_COUNTER.search(name):
        return _counter(machine, name, path)
    made = thing(machine, name, path)
    if made is not None:
        return made[0]
    default = machine.index.defaults.get(name)
    if isinstance(default, (int, float)) and not isinstance(default, bool) and default:
        machine.origin(path, default, "the default of the command line")
        return default
    return Unknown(path)


def _counter(machine: Machine, name: str, path: str) -> Value:
    """A counter: what the file itself counts begins at 0; what somebody else counts is where the loop is."""
    if EPOCH_COUNTER.search(name):
        return machine.epoch
    if "." not in path:
        return machine.tick
    if path in machine.index.paths or path.startswith("self."):
        machine.stored[path] = machine.tick if machine.supplying else 0
        return machine.stored[path]
    return machine.serial if ".state." in path else machine.tick  # ignite counts all batches, from 1


def knob(machine: Machine, path: str, static: Value) -> int:
    """The number of micro-batches in a window."""
    window = static if isinstance(static, int) and not isinstance(static, bool) and 2 <= static <= 64 else None
    number = window or machine.plan.knob
    machine.origin(path, number, "the source's number" if window else "a window of unknown size, turned to activate it")
    machine.knobs.add(path.rpartition(".")[2])
    machine.learn(number)
    return number


def thing(machine: Machine, name: str, path: str) -> tuple[Value] | None:
    """An object for a role; a 1-tuple, since the object may be `None` on purpose. None when the name has no role."""
    role = machine.index.role(name)
    if role is None:
        return None
    plural = (
        name.endswith("s")
        and role in ("optimizer", "scheduler", "model", "scaler", "loader")
        and not (machine.index.used.get(name, set()) & {"step", "zero_grad", "parameters", "train"})
    )
    if plural and role != "loader" and not name.endswith("ss"):
        return None
    if role in OPTIONAL and machine.plan.answers.get(family(path)) is False:
        return (None,)
    return (build(machine, role, path),)


def build(machine: Machine, role: str, path: str) -> Value:
    """Make the object of a role."""
    world = machine.world
    made: Value = None
    if role in ("model", "ddp"):
        made = _model(machine, path, ddp=role == "ddp")
    elif role == "optimizer":
        made = Optimizer(world, path, _parameters_for(machine, path), runner(machine))
        made.assumed = True
        _prepare(machine, made)
    elif role == "scheduler":
        made = Scheduler(world, path, _optimizer_for(machine, path))
        _prepare(machine, made)
    elif role == "scaler":
        made = _own_scaler(machine) or Scaler(world, path)
    elif role == "loader":
        made = Loader(world, path)
        _prepare(machine, made)
    elif role == "sampler":
        made = Sampler(world, path)
    elif role == "accelerator":
        made = Accelerator(world, accelerate.Settings(machine.plan.window or 4))
        machine.learn(machine.plan.window or 4)
        machine.origin(f"{path}.gradient_accumulation_steps", machine.plan.window or 4, "turned to activate it")
        machine.bound[path] = made
        made.adopt(list(machine.bound.values()))
    elif role == "fabric":
        made = Fabric(world, fabric.Settings(ranks=speaks_of_ranks(machine)))
    if isinstance(made, Thing) and role in OPTIONAL:
        made.optional = path
    return made


def speaks_of_ranks(machine: Machine) -> bool:
    """Who speaks of synchronising has several processes; DDP stands in, and what it reduces is counted."""
    spoken = {name for names in machine.index.used.values() for name in names}
    return machine.plan.ranks > 1 or "no_backward_sync" in spoken


def _own_scaler(machine: Machine) -> Value:
    """The file's own class of loss scalers that are called (timm's way), if it has one."""
    from gradlint.verify.machine import calls

    for one in machine.index.classes.values():
        if "scaler" in one.name.lower() and "__call__" in one.methods and machine.index.gates(one.methods["__call__"]):
            return calls.instantiate(machine, one, [], {})
    return None


def _prepare(machine: Machine, made: Thing) -> None:
    """Objects made after an accelerator nobody saw prepare them are taken as prepared."""
    for one in machine.bound.values():
        if isinstance(one, Accelerator):
            one.adopt([made])


def runner(machine: Machine) -> Callable[[Value], Value]:
    """What runs a closure given to `optimizer.step`."""
    return lambda closure: machine.apply(closure, [], {})


def _model(machine: Machine, path: str, *, ddp: bool) -> Model:
    world = machine.world
    quiet = any(word in path.rpartition(".")[2].lower() for word in FROZEN)
    made = None if quiet else _claimed(machine, path)
    if made is None:
        made = Model(world, path, quiet=quiet)
        borrowing = [one for one in world.optimizers if one.path in machine.bound]
        if not quiet and len(world.optimizers) == 1 and borrowing:
            made.world.optimizers[0].call("add_param_group", [made], {})
    return parallel(made) if ddp else made


def _claimed(machine: Machine, path: str) -> Model | None:
    """The stand-in model of an optimizer that came first."""
    waiting = [one for one in machine.world.models if one.path.startswith("model of ")]
    for one in waiting:
        theirs, ours = words(one.path.removeprefix("model of ")), words(path)
        if theirs == ours or (theirs & ours) or (len(waiting) == 1 and (not theirs or not ours)):
            one.path = path
            return one
    return None


def _parameters_for(machine: Machine, path: str) -> list[Tensor]:
    """Parameters for an optimizer whose constructor nobody saw."""
    world = machine.world
    owned = {id(p) for one in world.optimizers for p in one.parameters}
    free = [m for m in world.models if not m.whole and m.own() and m.own()[0].requires_grad]
    free = [m for m in free if not any(id(p) in owned for p in m.own())]
    telling = words(path)
    chosen = [m for m in free if words(m.path) & telling] if telling else free
    if not chosen and len(free) == 1 and not telling:
        chosen = free
    if not chosen and not telling:
        shared = [m for m in world.models if not m.whole and m.own() and m.own()[0].requires_grad]
        chosen = shared
    if chosen:
        return [p for m in chosen for p in m.own()]
    return Model(world, f"model of {path}").own()


def _optimizer_for(machine: Machine, path: str) -> Optimizer | None:
    found = [one for one in machine.world.optimizers if words(one.path) & words(path)]
    return found[0] if found else None


# ---------------------------------------------------------------------- entries


def instance(machine: Machine, cls: Class) -> Object:
    """An object of a class, made by its own `__init__` as far as that goes."""
    from gradlint.verify.machine import calls

    made = Object(cls)
    init = calls.method_of(machine, cls, "__init__")
    if init is not None:
        try:
            enter(machine, Closure(init[0], None, made, init[1]), epoch=0)
        except (InconclusiveError, RecursionError):
            machine.world.notes("the constructor could not be followed to its end")
    for name in [name for name, value in made.attributes.items() if value is None]:
        if name in machine.index.assigned:
            del made.attributes[name]  # `self.optimizer = None`, until some other method makes one
    return made


def enter(machine: Machine, closure: Closure, epoch: int) -> Value:
    """Call a function with values for all its parameters."""
    from gradlint.verify.machine import calls, iterate

    assert not isinstance(closure.node, ast.Lambda)
    machine.epoch = epoch
    arguments = closure.node.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    static = closure.owner is None or any(dotted(one) == "staticmethod" for one in closure.node.decorator_list)
    if not static:
        every = every[1:]
    defaults = _defaults(closure.node.args)
    kwargs: dict[str, Value] = {}
    order = {"accelerator": 0, "fabric": 0, "ddp": 1, "model": 1, "optimizer": 2}
    for one in sorted(every, key=lambda arg: order.get(machine.index.role(arg.arg) or "", 3)):
        kwargs[one.arg] = made = parameter(machine, one.arg, defaults.get(one.arg), epoch)
        if isinstance(made, Unknown) and machine.index.role(one.arg) == "optimizer":
            iterate.member(machine, made, 0, "optimizer")  # there before the first forward
    return calls.closure(machine, closure, [], kwargs)


def _defaults(arguments: ast.arguments) -> dict[str, ast.expr]:
    positional = [*arguments.posonlyargs, *arguments.args]
    pairs = dict(zip([one.arg for one in positional][::-1], arguments.defaults[::-1], strict=False))
    pairs |= {
        one.arg: value
        for one, value in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
        if value is not None
    }
    return pairs


def parameter(machine: Machine, name: str, default: ast.expr | None, epoch: int) -> Value:
    """The value of an entry's parameter."""
    path = name
    static = default.value if isinstance(default, ast.Constant) else None
    if default is not None and not isinstance(default, ast.Constant):
        known = machine.value(default, machine.module)
        static = known if isinstance(known, (int, float, str)) else None
    if is_accumulation(name) and not isinstance(static, bool):
        return knob(machine, path, static)
    if name == "batch":
        return Unknown(path, data=True, size=BATCH)
    if EPOCH_COUNTER.search(name):
        return epoch
    if COUNTER.search(name):
        return machine.tick
    if LOSS_NAME.search(name) and name in machine.index.losses:
        machine.world.record.handed = True
        return machine.world.forward(machine.world.everything() or [_model(machine, "model", ddp=False)])
    if isinstance(static, bool):
        if LAST.search(name):
            return machine.last
        machine.origin(path, static, "a switch: both ways are run")
        return Unknown(path)
    if static == 0 and NORM.search(name):
        static = None  # a limit that is switched off by default
    if static is not None and not EPOCHS.search(name):
        machine.origin(path, static, "the default of the parameter")
        return static
    if EPOCHS.search(name) and isinstance(static, int):
        return max(2, min(static, machine.plan.epochs))
    return named(machine, name, path)


def reject_none(owner: Value, name: str, row: int) -> None:
    """A method of `None`: the configuration contradicts itself.

    Raises:
        InconclusiveError: always, when `owner` is None.
    """
    if owner is None:
        raise InconclusiveError(Reason.CONTRADICTION, f"line {row}: .{name} of something that is None here")


def frame_of(machine: Machine) -> Frame:
    """The module's frame."""
    return machine.module
