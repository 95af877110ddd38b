"""DeepSpeed, Opacus and Lightning's automatic optimization: shims that keep the books as the libraries do.

| library | divides | step acts | zeroes |
|---|---|---|---|
| DeepSpeed engine | in `backward`, by the window | on the last micro-batch of the window | after the step |
| Opacus, BatchMemoryManager | by the logical batch | on the last physical batch | unless the step was skipped |
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from gradlint.verify.machine.values import Thing, Unknown, Value, argument, is_number
from gradlint.verify.world.live import Live, divided
from gradlint.verify.world.model import Model
from gradlint.verify.world.optim import Loader, Optimizer, Scheduler, inner_optimizer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gradlint.verify.world.world import World


class Engine(Thing):
    """What `deepspeed.initialize` returns: model, optimizer and scheduler behind one object."""

    def __init__(self, world: World, model: Model, optimizer: Optimizer, window: int, limit: float) -> None:
        self.world = world
        self.path = "engine"
        self.model = model
        self.optimizer = optimizer
        self.scheduler: Scheduler | None = None
        self.window = window
        self.limit = limit
        self.micro = 0
        optimizer.gate = lambda _: False  # the engine steps and zeroes; the wrapped optimizer is handed out for show
        world.record.wrapper = "a shim of DeepSpeed"

    def call(self, name: str, args: list[Value], kwargs: dict[str, Value]) -> Value:
        """Forward, backward and step; the rest is the model's."""
        if name == "backward":
            loss = argument(args, kwargs, 0, "loss")
            if isinstance(loss, Live):
                self.world.backward(divided(loss, float(self.window), knob=True))
            return loss
        if name == "step":
            self._step()
            return None
        if name == "is_gradient_accumulation_boundary":
            return self._last()
        if name == "gradient_accumulation_steps":
            return self.window
        if name == "zero_grad":
            return None
        return self.model.call(name, args, kwargs)

    def _last(self) -> bool:
        return (self.micro + 1) % self.window == 0

    def _step(self) -> None:
        if self._last():
            if self.limit:
                self.world.clipped(self.optimizer.parameters, self.limit)
            self.optimizer.step()
            self.optimizer.zero()
            if self.scheduler is not None:
                self.scheduler.call("step", [], {})
        self.micro += 1

    def get(self, name: str) -> Value:
        """The wrapped objects."""
        known: dict[str, Value] = {
            "module": self.model,
            "optimizer": self.optimizer,
            "lr_scheduler": self.scheduler,
            "micro_steps": self.micro,
        }
        if name in known:
            return known[name]
        return Unknown(f"engine.{name}") if name in ("device", "local_rank", "global_rank") else super().get(name)


def config_number(config: Value, name: str) -> float:
    """A number of a configuration that the source spells out, else 0."""
    value = config.get(name) if isinstance(config, dict) else None
    return float(value) if is_number(value) else 0.0


class Privacy(Thing):
    """`opacus.PrivacyEngine`: hands back what it is given. Clipping per sample and noise are left out."""

    path = "privacy_engine"

    def __init__(self, world: World) -> None:
        self.world = world

    def call(self, name: str, args: list[Value], kwargs: dict[str, Value]) -> Value:
        """`make_private` and its sisters."""
        if name.startswith("make_private"):
            self.world.record.wrapper = "a shim of Opacus without noise"
            names = ("module", "optimizer", "data_loader")
            return tuple(argument(args, kwargs, place, word) for place, word in enumerate(names))
        return Unknown(f"{self.path}.{name}()", data=True)


def memory_manager(
    world: World, loader: Value, optimizer: Value, window: int
) -> contextlib.AbstractContextManager[Value]:
    """`BatchMemoryManager`: steps and zeroes are skipped until the logical batch is whole."""
    inner = inner_optimizer(optimizer)
    count = {"turn": 0, "skipped": 0}

    def gate(what: str) -> bool:
        if what == "zero_grad":
            return not count["skipped"]
        count["skipped"] = int(count["turn"] % window != 0)
        return not count["skipped"]

    def turned(_: bool) -> None:
        count["turn"] += 1

    @contextlib.contextmanager
    def manage() -> Iterator[Value]:
        if inner is not None:
            inner.gate = gate
        batches = Loader(world, "memory_safe_loader")
        batches.on_batch = turned
        world.share = float(window)
        try:
            yield batches
        finally:
            world.share = 0.0

    return manage()
