"""Optimizers, schedulers, scalers and samplers: real ones of torch, each with a hook into the books."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor
from torch.amp.grad_scaler import OptState

from gradlint.verify.machine.values import Closure, Object, Scale, Thing, Unknown, Value, argument, is_number
from gradlint.verify.world.live import Live
from gradlint.verify.world.model import Model, tensors
from gradlint.verify.world.parameters import Parameter, held

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from gradlint.verify.world.world import World

RATE = 0.01
SCALE = 1024.0


class Still(torch.optim.SGD):
    """SGD whose step runs all hooks and moves nothing: what is measured is what it was given.

    Weights that stand still leave graphs valid that a stand-in kept longer than the real loop does. Two ranks do
    move, so that they can be compared.
    """

    def step(self, closure: Any = None) -> Any:
        """Nothing but the hooks around it."""
        return None


class Optimizer(Thing):
    """Plain SGD over real parameters. `gate` is a shim's say whether calls act; `outer` what a library made of it."""

    def __init__(self, world: World, path: str, parameters: list[Tensor], run: Callable[[Value], Value]) -> None:
        self.world = world
        self.path = path
        self.run = run
        self.assumed = not parameters
        self.parameters = parameters or self._borrowed()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            kind = torch.optim.SGD if world.plan.ranks > 1 else Still
            self.real = kind(self.parameters, lr=RATE)
        self.real.register_step_pre_hook(lambda *_: world.consumed(self))
        self.gate: Callable[[str], bool] | None = None
        self.outer: Any = None
        world.opened(self)

    def _borrowed(self) -> list[Tensor]:
        """Parameters of a model nobody owns yet, when the constructor's argument says nothing."""
        owned = {id(p) for one in self.world.optimizers for p in one.parameters}
        for model in self.world.models:
            mine = [p for p in model.own() if id(p) not in owned]
            if mine and not model.whole:
                return mine
        return Model(self.world, f"model of {self.path}").own()

    def owns(self, model: Model) -> bool:
        """Whether any parameter of the model is this optimizer's."""
        mine = {id(p) for p in self.parameters}
        return any(id(p) in mine for p in model.own())

    def call(self, name: str, args: list[Value], kwargs: dict[str, Value]) -> Value:
        """`step` and `zero_grad` are real."""
        if name == "zero_grad":
            if self.gate is None or self.gate("zero_grad"):
                self.zero()
            return None
        if name == "step":
            closure = argument(args, kwargs, 0, "closure")
            result = self.run(closure) if isinstance(closure, Closure) else None
            if self.gate is None or self.gate("step"):
                self.step()
            return result
        if name == "":
            return self._made(args, kwargs)
        if name == "add_param_group":
            more = [p for p in tensors(list(args)) if all(p is not q for q in self.parameters)]
            if more:
                self.real.param_groups[0]["params"] += more  # one group: schedulers count them
                self.parameters += more  # one list with what a library made of this
            return None
        if name in ("train", "eval"):
            return self
        if name == "backward":
            for one in args:
                if isinstance(one, Live):
                    self.world.backward(one)
            return None
        return Unknown(f"{self.path}.{name}()", data=True)

    def _made(self, args: list[Value], kwargs: dict[str, Value]) -> Value:
        """`optimizer(model.parameters(), lr=...)`: the name holds a class; what comes out is the optimizer."""
        chosen = tensors([argument(args, kwargs, 0, "params")])
        if not chosen or self.updated:
            return self
        self.world.forget(self)
        return Optimizer(self.world, "new optimizer", chosen, self.run)

    @property
    def updated(self) -> bool:
        """Whether it has stepped already."""
        return self.world.book(self).updates > 0

    def zero(self) -> None:
        """Clear the gradients."""
        full = held(self.parameters)
        self.world.zeroed[id(self.real)] = self.world.zeroed.get(id(self.real), 0) + 1
        if self.outer is not None:
            self.outer.zero_grad()
        else:
            for p in self.parameters:
                p.grad = None
        self.world.cleared([p for p in full if p.grad is None or not bool(p.grad.any())])

    @property
    def face(self) -> Any:
        """What a scaler is given: what a library made of the optimizer, else the optimizer."""
        return self.real if self.outer is None else self.outer

    def step(self) -> None:
        """Step for real. A library's step that finds an overflow skips."""
        before = len(self.world.record.updates)
        self.face.step()
        skipped = getattr(self.outer, "step_was_skipped", len(self.world.scalers) > 0)
        if self.outer is not None and len(self.world.record.updates) == before:
            self.world.record.skipped_steps += bool(skipped)

    def get(self, name: str) -> Value:
        """Groups hold the real parameters."""
        if name == "param_groups":
            return [{"params": [Parameter(self.world, p) for p in self.parameters], "lr": RATE, "weight_decay": 0.0}]
        if name in ("state", "defaults"):
            return Unknown(f"{self.path}.{name}", data=True)
        if name in ("optimizer", "optim", "base_optimizer", "_optimizer"):
            return self
        return super().get(name)


class Scheduler(Thing):
    """A LambdaLR; what counts is how often it moves."""

    def __init__(self, world: World, path: str, optimizer: Optimizer | None) -> None:
        self.world = world
        self.path = path
        self.optimizer = optimizer or (world.optimizers[0] if world.optimizers else None)
        self.gate: Callable[[str], bool] | None = None
        self.outer: Any = None
        self.real: Any = None
        if self.optimizer is not None:
            self.real = torch.optim.lr_scheduler.LambdaLR(self.optimizer.real, lambda moves: 1 / (1 + 0.01 * moves))

    def call(self, name: str, args: list[Value], kwargs: dict[str, Value]) -> Value:
        """`step` and timm's `step_update` move."""
        if name == "step_update" or (name == "step" and (args or kwargs)):
            return None  # told where to be: asking twice moves nothing
        if name == "step":
            if self.gate is None or self.gate("step"):
                self._move()
            return None
        if name in {"get_last_lr", "get_lr"}:
            return [RATE]
        return Unknown(f"{self.path}.{name}()", data=True)

    def _move(self) -> None:
        """Once, however often a library steps the schedule for one step (Accelerate: for each process)."""
        if self.real is not None:
            before = self.real.last_epoch
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                (self.real if self.outer is None else self.outer).step()
            if self.real.last_epoch == before:
                return
        self.world.moved(self.optimizer, self.path)


class Scaler(Thing):
    """A real GradScaler with a small fixed scale, on the device at hand."""

    def __init__(self, world: World, path: str, *, enabled: bool = True) -> None:
        self.world = world
        self.path = path
        self.enabled = enabled
        kind = "cuda" if world.device.startswith("cuda") else "cpu"
        self.real = torch.amp.GradScaler(kind, init_scale=SCALE, growth_interval=10**9, enabled=enabled)
        self.stepped_since_unscale = True
        world.scalers.append(self)

    def scale_now(self) -> float:
        """The scale in force."""
        return float(self.real.get_scale()) if self.enabled else 1.0

    def unscaled(self, key: int) -> bool:
        """Whether it has unscaled the gradients of the optimizer of this identity since its last update."""
        states: Any = self.real._per_optimizer_states  # noqa: SLF001 - torch has no other way to ask
        return key in states and states[key]["stage"] is not OptState.READY

    def call(self, name: str, args: list[Value], kwargs: dict[str, Value]) -> Value:
        """The scaler's life, and timm's call that does everything at once."""
        if name == "scale":
            return self.scale(args[0] if args else None)
        if name in ("unscale_", "step"):
            act = self.unscale if name == "unscale_" else self.step
            for one in map(inner_optimizer, args):
                if one is not None:
                    act(one)
                elif len(self.world.optimizers) == 1:
                    act(self.world.optimizers[0])  # out of sight, and there is no other
            return None
        if name == "update":
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                self.real.update()
            return None
        if name == "get_scale":
            return Scale(self.scale_now())
        if name == "is_enabled":
            return self.enabled
        if name == "" and args and isinstance(args[0], Live):
            return self.everything(args, kwargs)
        return Unknown(f"{self.path}.{name}()", data=True)

    def scale(self, value: Value) -> Value:
        """Multiply a loss by the scale."""
        if isinstance(value, (list, tuple)):
            return [self.scale(one) for one in value]
        if not isinstance(value, Live):
            return value
        from dataclasses import replace

        if not self.enabled:
            return value
        return replace(value, value=self.real.scale(value.value), scaled=True)

    def unscale(self, optimizer: Optimizer) -> None:
        """Divide the gradients by the scale."""
        self.real.unscale_(optimizer.face)

    def step(self, optimizer: Optimizer) -> None:
        """Step unless something is not finite."""
        before = len(self.world.record.updates)
        self.real.step(optimizer.face)
        self.world.record.skipped_steps += len(self.world.record.updates) == before

    def everything(self, args: list[Value], kwargs: dict[str, Value]) -> Value:
        """Timm's `loss_scaler(loss, optimizer, clip_grad=, parameters=, need_update=)`."""
        loss, optimizer = args[0], inner_optimizer(argument(args, kwargs, 1, "optimizer"))
        assert isinstance(loss, Live)
        scaled = self.scale(loss)
        assert isinstance(scaled, Live)
        self.world.backward(scaled)
        if kwargs.get("need_update", kwargs.get("update_grad", True)) is False or optimizer is None:
            return None
        limit = argument(args, kwargs, 2, "clip_grad", "clip", "max_norm")
        self.unscale(optimizer)
        if limit is not None:
            chosen = tensors([kwargs.get("parameters")]) or optimizer.parameters
            self.world.clipped(chosen, float(limit) if is_number(limit) else 1.0)
        self.step(optimizer)
        self.call("update", [], {})
        return Unknown("norm", data=True)


def inner_optimizer(value: Value) -> Optimizer | None:
    """The optimizer behind a value: itself, or the base of an object of the file."""
    if isinstance(value, Optimizer):
        return value
    if isinstance(value, Object):
        if isinstance(value.base, Optimizer):
            return value.base
        return next((one for one in value.attributes.values() if isinstance(one, Optimizer)), None)
    return None


class Sampler(Thing):
    """A real DistributedSampler over a few numbers; `known` when its constructor was seen."""

    def __init__(self, world: World, path: str, *, shuffle: bool = True, known: bool = False, seed: int = 0) -> None:
        self.world = world
        self.path = path
        self.known = known
        self.shuffle = shuffle
        numbers: Any = range(24)
        self.real: Any = torch.utils.data.DistributedSampler(
            numbers, num_replicas=1, rank=0, shuffle=shuffle, seed=seed
        )
        world.samplers.append(self)
        self.row, self.told = world.row, False

    def call(self, name: str, args: list[Value], kwargs: dict[str, Value]) -> Value:
        """`set_epoch` is real."""
        if name == "set_epoch":
            self._tell(argument(args, kwargs, 0, "epoch"))
            return None
        return Unknown(f"{self.path}.{name}()", data=True)

    def put(self, name: str, value: Value) -> None:
        """`sampler.epoch = epoch` is what `set_epoch` does."""
        if name == "epoch":
            self._tell(value)

    def _tell(self, epoch: Value) -> None:
        self.told = True
        self.real.set_epoch(epoch if isinstance(epoch, int) else self.world.epoch + 1)


class Loader(Thing):
    """The training data: as many batches as the plan says, all unknown; the sampler's order is real.

    `endless`: what it is handed on by begins it again and again, out of sight.
    """

    def __init__(self, world: World, path: str, sampler: Sampler | None = None) -> None:
        self.world = world
        self.path = path
        self.sampler = sampler
        self.on_batch: Callable[[bool], None] | None = None
        self.feed: Any = None
        self.tells_epoch = False
        self.endless = False
        self.passes = 0

    def turns(self) -> Iterator[Any]:
        """One pass: a library hands the batches out where it has prepared the loader."""
        return iter(range(self.world.plan.batches) if self.feed is None else self.feed)

    def begin(self) -> None:
        """A pass over the data begins."""
        if self.tells_epoch and self.sampler is not None:
            self.sampler.real.set_epoch(self.passes)
        self.passes += 1
        if self.sampler is not None and self.sampler.known and not self.endless:
            self.world.record.orders.append(tuple(self.sampler.real))
            self.world.record.shuffled = self.sampler.shuffle

    def get(self, name: str) -> Value:
        """The sampler; anything else is unknown."""
        if name in ("sampler", "batch_sampler"):
            if self.sampler is None:
                self.sampler = Sampler(self.world, f"{self.path}.sampler")
            return self.sampler
        if name == "batch_size":
            return Unknown(f"{self.path}.batch_size")
        if name == "dataset":
            return Unknown(f"{self.path}.dataset", data=True)
        return super().get(name)
