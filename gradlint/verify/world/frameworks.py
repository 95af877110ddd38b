"""Accelerate and Fabric: shims that do what the libraries' source says they do.

The report says which one was in use. What they decide (when a step acts, who divides, who unscales) is in
the pages of the two libraries' API; the arithmetic below them is real torch.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import torch

from gradlint.verify.machine.values import Thing, Unknown, Value, argument, is_number
from gradlint.verify.world.live import Live, divided
from gradlint.verify.world.model import Inner, Model, parallel, tensors
from gradlint.verify.world.optim import Loader, Optimizer, Scheduler, inner_optimizer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gradlint.verify.world.world import World

PASS = frozenset("unwrap_model gather gather_for_metrics reduce pad_across_processes setup_module to_device".split())


def limit_of(value: Value) -> float:
    """A limit as a number; one nobody knows is 1."""
    return float(value) if is_number(value) else 1.0


def passed(args: list[Value]) -> Value:
    """What `prepare` and `setup` give back."""
    return args[0] if len(args) == 1 else tuple(args)


class Accelerator(Thing):
    """`accelerate.Accelerator`: divides in `backward`; prepared objects act at window ends only."""

    path = "accelerator"

    def __init__(self, world: World, steps: int, precision: str = "") -> None:
        self.world = world
        self.steps = steps
        self.precision = precision
        self.step = 0
        self.sync = True
        self.end = False
        world.record.wrapper = "Accelerate (shim)"

    def adopt(self, values: list[Value]) -> None:
        """Prepare optimizers, schedulers and loaders."""
        for one in values:
            if isinstance(one, (Optimizer, Scheduler)):
                one.gate = lambda _: self.sync
            elif isinstance(one, Loader):
                one.on_batch = self._batch

    def _batch(self, last: bool) -> None:
        self.end = last

    def call(self, name: str, args: list[Value], kwargs: dict[str, Value]) -> Value:
        """The calls that matter to gradients."""
        if name in ("prepare", "prepare_optimizer", "prepare_scheduler", "prepare_data_loader", "prepare_model"):
            self.adopt([inner_optimizer(one) or one for one in args])
            return passed(args)
        if name == "backward":
            for one in args:
                if isinstance(one, Live):
                    self.world.backward(divided(one, float(self.steps), knob=True))
            return None
        if name in ("clip_grad_norm_", "clip_grad_value_"):
            limit = argument(args, kwargs, 1, "max_norm", "clip_value")
            chosen = tensors([args[0] if args else kwargs.get("parameters")])
            return self.world.clipped(chosen, limit_of(limit), by_value=name == "clip_grad_value_")
        if name == "accumulate":
            return self._accumulate([one for one in args if isinstance(one, Model)])
        if name == "no_sync":
            return args[0].no_sync() if args and isinstance(args[0], Model) else contextlib.nullcontext()
        if name == "autocast" and self.precision:
            return self._autocast()
        if name in ("autocast", "join_uneven_inputs", "main_process_first", "local_main_process_first", "profile"):
            return contextlib.nullcontext()
        if name in PASS:
            return args[0] if args else None
        return Unknown(f"accelerator.{name}()", data=True)

    def _autocast(self) -> contextlib.AbstractContextManager[object]:
        kind = "cuda" if self.world.device.startswith("cuda") else "cpu"
        return torch.autocast(kind, dtype=torch.bfloat16 if self.precision == "bf16" else torch.float16)

    @contextlib.contextmanager
    def _accumulate(self, models: list[Model]) -> Iterator[None]:
        if self.end:
            self.step, self.sync = 0, True
        else:
            self.step += 1
            self.sync = self.step % self.steps == 0
        with contextlib.ExitStack() as stack:
            for one in [] if self.sync else models:
                stack.enter_context(one.no_sync())
            yield

    def get(self, name: str) -> Value:
        """`sync_gradients` is real."""
        if name == "sync_gradients":
            return self.sync
        if name == "gradient_accumulation_steps":
            return self.steps
        if name == "num_processes":
            return 1
        if name == "optimizer_step_was_skipped":
            return False
        if name in ("is_main_process", "is_local_main_process", "is_last_process"):
            return True
        if name in ("device", "state", "mixed_precision", "distributed_type", "process_index", "scaler"):
            return None if name == "scaler" else Unknown(f"accelerator.{name}")
        return super().get(name)


class Fabric(Thing):
    """`lightning.fabric.Fabric`: neither divides nor gates; `clip_gradients` unscales."""

    path = "fabric"

    def __init__(self, world: World) -> None:
        self.world = world
        world.record.wrapper = "Fabric (shim)"

    def call(self, name: str, args: list[Value], kwargs: dict[str, Value]) -> Value:
        """The calls that matter to gradients."""
        if name in ("setup", "setup_module", "setup_optimizers", "setup_dataloaders", "_setup_dataloader"):
            return passed(args)
        if name == "backward":
            for one in args:
                if isinstance(one, Live):
                    self.world.backward(one)
            return None
        if name == "clip_gradients":
            limit = argument(args, kwargs, 3, "max_norm")
            value = argument(args, kwargs, 2, "clip_val")
            optimizer = inner_optimizer(argument(args, kwargs, 1, "optimizer"))
            chosen = optimizer.parameters if optimizer else tensors([args[0] if args else None])
            number = limit if limit is not None else value
            return self.world.clipped(chosen, limit_of(number), by_value=limit is None and value is not None)
        if name == "no_backward_sync":
            model = argument(args, kwargs, 0, "module")
            enabled = argument(args, kwargs, 1, "enabled")
            if isinstance(model, (Model, Inner)):
                return self._no_sync(model if isinstance(model, Model) else model.outer, enabled)
            return contextlib.nullcontext()
        if name in ("autocast", "init_module", "rank_zero_first", "launch", "sharded_model"):
            return contextlib.nullcontext()
        if name in PASS or name in ("all_reduce", "all_gather", "broadcast"):
            return args[0] if args else None
        return Unknown(f"fabric.{name}()", data=True)

    def _no_sync(self, model: Model, enabled: Value) -> contextlib.AbstractContextManager[object]:
        """Who speaks of synchronising has ranks: DDP stands in, and what it reduces is counted."""
        parallel(model)
        self.world.record.sync_guessed |= not isinstance(enabled, (bool, type(None)))
        return contextlib.nullcontext() if enabled is False else model.no_sync()

    def get(self, name: str) -> Value:
        """Facts of a single process."""
        if name == "world_size":
            return 1
        if name == "is_global_zero":
            return True
        if name in ("device", "global_rank", "local_rank", "logger", "strategy"):
            return Unknown(f"fabric.{name}")
        return super().get(name)
