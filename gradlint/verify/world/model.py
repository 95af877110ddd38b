"""Models and their parameters."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from gradlint.verify.machine.values import Ratio, Stream, Thing, Unknown, Value, is_number
from gradlint.verify.slice.words import by_spelling
from gradlint.verify.world.live import Live
from gradlint.verify.world.net import Net

if TYPE_CHECKING:
    from gradlint.verify.world.world import World
from gradlint.verify.world.parameters import Gradient, Parameter

SAME = frozenset(
    """to cuda cpu half float double bfloat16 requires_grad_ compile share_memory xpu type apply to_empty
    gradient_checkpointing_enable enable_input_require_grads""".split()
)


QUIET = frozenset(
    """state_dict load_state_dict save_pretrained children named_children buffers named_buffers register_buffer
    register_forward_hook register_forward_pre_hook register_full_backward_hook push_to_hub summary save load
    save_checkpoint load_checkpoint update update_parameters
    num_parameters get_num_params extra_repr add_module register_module reset
    reset_parameters init_weights set_input watch log update_ema print_networks freeze unfreeze generate
    resize_token_embeddings register_comm_hook on_epoch_end on_epoch_start set_epoch update_learning_rate""".split()
)


@dataclass(eq=False)
class Submodules(Thing):
    """What `model.modules()` gives: one part of the model at a time, without a mode of its own."""

    path: str = "module"


class Model(Thing):
    """A model: a small net, or several (`nn.Sequential(encoder, decoder)`), plain or behind DDP."""

    def __init__(self, world: World, path: str, parts: list[Model] | None = None, *, quiet: bool = False) -> None:
        self.world = world
        self.path = path
        self.parts = parts or []
        self.whole = bool(parts)
        self.training = True
        self.sub: dict[str, Model] = {}
        self.stepped: dict[str, Value] = {}
        self.parallel: Any = None
        self.net: Any = None
        if not self.whole:
            generator = world.shared
            self.net = Net(generator, world.device, world.dtype)
            if quiet:
                self.net.requires_grad_(requires_grad=False)
        world.models.append(self)

    # -- parameters

    def own(self) -> list[Tensor]:
        """Parameters of this model, its parts and its submodules."""
        own = [] if self.net is None else list(self.net.parameters())
        return own + [p for part in [*self.parts, *self.sub.values()] for p in part.own()]

    def run(self, inputs: Tensor) -> list[Tensor]:
        """The outputs of a forward."""
        if self.parallel is not None:
            return list(self.parallel(inputs))
        outputs = [output for part in self.parts for output in part.run(inputs)]
        if self.net is not None:
            outputs.append(self.net(inputs))
        return outputs + [output for part in self.sub.values() for output in part.run(inputs)]

    def nets(self) -> list[Any]:
        """The real modules inside."""
        own = [] if self.net is None else [self.net]
        return own + [net for part in [*self.parts, *self.sub.values()] for net in part.nets()]

    def child(self, name: str) -> Model:
        """A submodule with parameters of its own, made when an optimizer asks for them."""
        if name not in self.sub:
            self.sub[name] = Model(self.world, f"{self.path}.{name}")
            self.sub[name].training = self.training
        return self.sub[name]

    def optimizer(self, name: str) -> Value:
        """`model.configure_optimizers(...)`, `policy.optimizer`: one that owns this model's parameters."""
        if name not in self.stepped:
            self.stepped[name] = self.world.optimizer_of(f"{self.path}.{name}", self.own())
        return self.stepped[name]

    # -- the loop's view

    def call(self, name: str, args: list[Value], kwargs: dict[str, Value]) -> Value:
        """Modes, parameters and forwards."""
        handler = _CALLS.get(name)
        if handler is not None:
            return handler(self, args, kwargs)
        if name in SAME:
            return self
        if "optim" in name:
            return self.optimizer(name)
        if "adapter" in name:
            return _frozen(self, [True], {})  # a small part that trains is added to what is frozen
        if name in QUIET or name.startswith(("set_", "is_", "log_", "save", "load", "register_", "on_", "print")):
            return Unknown(f"{self.path}.{name}()", data=True)
        if name not in ("", "forward") and not args and not kwargs:
            return Unknown(f"{self.path}.{name}()", data=True)
        lives = [one for one in flatten([*args, *kwargs.values()]) if isinstance(one, Live)]
        return self.world.forward([self], lives)

    def stream(self, *, named: bool = False) -> Stream:
        """A fresh iterator over the parameters, as torch gives one."""

        def items() -> Iterator[Value]:
            for number, tensor in enumerate(self.own()):
                one = Parameter(self.world, tensor)
                yield (f"layer{number}.weight", one) if named else one

        return Stream(items(), whole=True)

    def zero(self) -> None:
        """`model.zero_grad()`."""
        self.world.clearing(self.own())
        for tensor in self.own():
            tensor.grad = None

    def switch(self, *, training: bool) -> None:
        """Training or evaluation mode, for the parts too."""
        self.training = training
        for part in [*self.parts, *self.sub.values()]:
            part.switch(training=training)

    def no_sync(self) -> contextlib.AbstractContextManager[object]:
        """DDP's context, counted; nothing for a plain model."""
        return _NoSync(self)

    def get(self, name: str) -> Value:
        """The inner module, the mode, DDP's flag; anything else may be a submodule."""
        if name == "module":
            if self.parallel is None:
                return self
            return Inner(self)
        if name == "training":
            return self.training
        if name == "require_backward_grad_sync" and self.parallel is not None:
            return bool(self.parallel.require_backward_grad_sync)
        if name == "device":
            return Unknown("device")
        if by_spelling(name) == "optimizer":
            return self.optimizer(name)
        if name in _METHODS or name in SAME or name in QUIET:
            return super().get(name)
        return Part(self, name)

    def put(self, name: str, value: Value) -> None:
        """`model.require_backward_grad_sync = flag` is real."""
        if name == "require_backward_grad_sync" and self.parallel is not None:
            self.parallel.require_backward_grad_sync = value if isinstance(value, bool) else True
            self.world.no_sync = 0 if value else 1
        if name == "training" and isinstance(value, bool):
            self.training = value
        if isinstance(value, Model):
            self.sub[name] = value


SYNC_FLAG = "require_backward_grad_sync"


Call = Callable[["Model", list[Value], dict[str, Value]], Value]


def _switched(training: bool) -> Call:
    """`train(mode)` and `eval()`."""

    def run(model: Model, args: list[Value], kwargs: dict[str, Value]) -> Value:
        mode = args[0] if args else kwargs.get("mode", True)
        model.switch(training=training and mode is not False)
        return model

    return run


def _frozen(model: Model, args: list[Value], kwargs: dict[str, Value]) -> Value:
    flag = args[0] if args else kwargs.get("requires_grad", True)
    for p in model.own():
        p.requires_grad_(flag is not False)
    return model


def _limited(model: Model, args: list[Value], kwargs: dict[str, Value]) -> Value:
    """FSDP's own clip."""
    limit = args[0] if args else kwargs.get("max_norm", 1.0)
    return model.world.clipped(model.own(), float(limit) if is_number(limit) else 1.0)


def _synced(model: Model, args: list[Value], kwargs: dict[str, Value]) -> Value:
    """FSDP2's flag."""
    parallel(model)
    model.world.record.sharded = True
    flag = args[0] if args else next(iter(kwargs.values()), True)
    model.world.record.sync_guessed |= not isinstance(flag, bool)
    model.put(SYNC_FLAG, flag is not False)
    return None


def _backward(model: Model, args: list[Value], kwargs: dict[str, Value]) -> Value:
    """An engine's backward: the loss is the argument."""
    for one in args:
        if isinstance(one, Live):
            model.world.backward(one)
    return None


_CALLS: dict[str, Call] = {
    "train": _switched(training=True),
    "eval": _switched(training=False),
    "parameters": lambda model, args, kwargs: model.stream(),
    "named_parameters": lambda model, args, kwargs: model.stream(named=True),
    "modules": lambda model, args, kwargs: [Submodules()],
    "named_modules": lambda model, args, kwargs: [("module", Submodules())],
    "zero_grad": lambda model, args, kwargs: model.zero(),
    "no_sync": lambda model, args, kwargs: model.no_sync(),
    "requires_grad_": _frozen,
    "clip_grad_norm_": _limited,
    "set_requires_gradient_sync": _synced,
    "backward": _backward,
}


_METHODS = frozenset(
    """train eval parameters named_parameters modules named_modules zero_grad no_sync clip_grad_norm_ forward backward
    step""".split()
)


class _NoSync(contextlib.AbstractContextManager[object]):
    def __init__(self, model: Model) -> None:
        self.model = model
        self.inner: Any = None

    def __enter__(self) -> object:
        self.model.world.no_sync += 1
        if self.model.parallel is not None:
            self.inner = self.model.parallel.no_sync()
            self.inner.__enter__()
        return None

    def __exit__(self, *_: object) -> None:
        self.model.world.no_sync -= 1
        if self.inner is not None:
            self.inner.__exit__(None, None, None)


class Inner(Thing):
    """`ddp.module`: the same parameters, without DDP's hooks around the forward."""

    def __init__(self, outer: Model) -> None:
        self.outer = outer
        self.path = f"{outer.path}.module"

    def call(self, name: str, args: list[Value], kwargs: dict[str, Value]) -> Value:
        """As the wrapped model; a forward passes DDP by."""
        if name in ("", "forward") or name not in _METHODS | SAME | QUIET:
            parallel, self.outer.parallel = self.outer.parallel, None
            try:
                return self.outer.call(name, args, kwargs)
            finally:
                self.outer.parallel = parallel
        return self.outer.call(name, args, kwargs)

    def get(self, name: str) -> Value:
        """As the wrapped model."""
        return self if name == "module" else super().get(name)


class Part(Thing):
    """`model.name`, which may be a submodule, a method or a plain attribute: its use decides."""

    def __init__(self, model: Model, name: str) -> None:
        self.model = model
        self.name = name
        self.path = f"{model.path}.{name}"

    def resolved(self) -> Model | None:
        """The submodule, if there is one already."""
        return self.model.sub.get(self.name)

    def call(self, name: str, args: list[Value], kwargs: dict[str, Value]) -> Value:
        """A call of a submodule is a forward of the model; its parameters are its own if it has some."""
        inner = self.resolved()
        if inner is not None:
            return inner.call(name, args, kwargs)
        if name == "":
            return self.model.call(self.name, args, kwargs)
        if name in ("parameters", "named_parameters"):
            target = self.model if self._taken() else self.model.child(self.name)
            return target.stream(named=name.startswith("named"))
        if name in ("train", "eval", "requires_grad_"):
            return self
        if name in ("zero_grad", "step", "backward", "update"):
            return None
        return self.model.call(name, args, kwargs)

    def _taken(self) -> bool:
        """Whether an optimizer owns the model as a whole, and not only other parts of it."""
        root = self.model.own() if self.model.net is None else list(self.model.net.parameters())
        mine = {id(p) for p in root}
        return any(id(p) in mine for one in self.model.world.optimizers for p in one.parameters)

    def get(self, name: str) -> Value:
        """Deeper parts are parts of the same model."""
        if name in ("data", "grad", "shape", "dtype", "device", "weight", "bias"):
            return Unknown(f"{self.path}.{name}", data=True)
        if name in _METHODS or name in SAME or name in QUIET:
            return super().get(name)
        return Part(self.model, f"{self.name}.{name}")


def flatten(values: list[Value], depth: int = 4) -> Iterator[Value]:
    """Everything inside lists, tuples, dictionaries and iterators; taking from an iterator uses it up."""
    for value in values:
        if isinstance(value, (list, tuple, set)) and depth:
            yield from flatten(list(value), depth - 1)
        elif isinstance(value, dict) and depth:
            yield from flatten(list(value.values()), depth - 1)
        elif isinstance(value, Stream) and depth:
            yield from flatten(list(value), depth - 1)
        else:
            yield value


def tensors(values: list[Value]) -> list[Tensor]:
    """The real parameters among the values, each once."""
    found: list[Tensor] = []
    for value in flatten(values):
        if isinstance(value, Parameter):
            found.append(value.tensor)
        elif isinstance(value, Gradient):
            found.append(value.owner.tensor)
        elif isinstance(value, Model):
            found += value.own()
        elif isinstance(value, (Inner,)):
            found += value.outer.own()
        elif isinstance(value, Part):
            found += (value.resolved() or value.model).own()
    return list({id(p): p for p in found}.values())


def parallel(model: Model) -> Model:
    """Wrap in DDP, with a hook that counts all-reduces."""
    from gradlint.verify.world.distributed import wrap

    if model.parallel is None and any(p.requires_grad for p in model.own()):
        model.parallel = wrap(model.world, model.nets())
        model.world.record.distributed = True
    return model


def ratio(left: int, right: int) -> Value:
    """A quotient of whole numbers, told apart from other fractions."""
    return Ratio(left / right)


def no_grad() -> contextlib.AbstractContextManager[object]:
    """`torch.no_grad()`."""
    return torch.no_grad()
