"""`accelerator` as the loop sees it. What it does to gradients is done by the library, or its shim."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

import torch

from gradlint.verify.machine.values import Thing, Unknown, Value, argument, is_number
from gradlint.verify.world import libraries, prepared
from gradlint.verify.world.live import Live
from gradlint.verify.world.model import Inner, Model, tensors
from gradlint.verify.world.optim import Loader, Optimizer, Scheduler, inner_optimizer
from gradlint.verify.world.shims.accelerate import Settings
from gradlint.verify.world.world import Through

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gradlint.verify.world.world import World

PREPARES = frozenset("prepare prepare_optimizer prepare_scheduler prepare_data_loader prepare_model".split())
PASS = frozenset("gather gather_for_metrics reduce pad_across_processes to_device skip_first_batches".split())
QUIET = frozenset(
    """autocast join_uneven_inputs main_process_first local_main_process_first profile trigger_sync_in_backward
    split_between_processes""".split()
)
FACTS = frozenset(
    """sync_gradients gradient_accumulation_steps num_processes optimizer_step_was_skipped is_main_process
    is_local_main_process""".split()
)
OPAQUE = frozenset("device state mixed_precision distributed_type process_index local_process_index".split())


class Plugin(Thing):
    """`GradientAccumulationPlugin(num_steps=4)` and its sisters: settings that travel."""

    path = "plugin"

    def __init__(self, given: dict[str, Value]) -> None:
        self.given = given


class Accelerator(Thing):
    """`accelerate.Accelerator`: divides in `backward`; prepared objects act at window ends only."""

    path = "accelerator"

    def __init__(self, world: World, settings: Settings) -> None:
        self.world = world
        self.settings = settings
        self.core: Any = libraries.accelerator(world, settings)
        libraries.threads()

    def adopt(self, values: list[Value]) -> None:
        """Prepare things in place: those that are only known as prepared."""
        for one in values:
            if isinstance(one, (Optimizer, Scheduler, Loader)):
                self._prepared(one, one)

    def call(self, name: str, args: list[Value], kwargs: dict[str, Value]) -> Value:
        """The calls that matter to gradients."""
        if name in PREPARES:
            return self._prepare(args)
        if name == "backward":
            self._backward(args)
            return None
        if name in ("clip_grad_norm_", "clip_grad_value_"):
            return self._clip(name, args, kwargs)
        if name == "unscale_gradients":
            self.core.unscale_gradients()
            return None
        context = self._context(name, [one for one in args if isinstance(one, Model)])
        if context is not None:
            return context
        if name == "unwrap_model" and args:
            one = args[0]
            return Inner(one) if isinstance(one, Model) and one.parallel is not None else one
        if name in PASS:
            return args[0] if args else None
        return Unknown(f"accelerator.{name}()", data=True)

    # -- prepare

    def _prepare(self, args: list[Value]) -> Value:
        """Schedulers last, as in the library: they look for their optimizers."""
        values = [inner_optimizer(one) or one for one in args]
        made: dict[int, Value] = {}
        for late in (False, True):
            for place, one in enumerate(values):
                if isinstance(one, Scheduler) is late:
                    made[place] = self._prepared(one, None)
        every = [made[place] for place in range(len(values))]
        return every[0] if len(every) == 1 else tuple(every)

    def _prepared(self, one: Value, into: Value) -> Value:
        if isinstance(one, Model):
            prepared.wrap(self.world, one, lambda module: self.core.prepare_model(module, device_placement=False))
        elif isinstance(one, Optimizer):
            return prepared.optimizer(one, self.core.prepare_optimizer, into)
        elif isinstance(one, Scheduler):
            return prepared.scheduler(one, self.core.prepare_scheduler, into)
        elif isinstance(one, Loader):
            return prepared.loader(one, self.core.prepare_data_loader, into, split=self.settings.split_batches)
        return one

    # -- gradients

    def _backward(self, args: list[Value]) -> None:
        divisor = float(self.core.gradient_accumulation_steps)
        scaled = self.core.scaler is not None
        through = Through(lambda loss: self.core.backward(loss, retain_graph=True), divisor, scaled)
        for one in args:
            if isinstance(one, Live):
                self.world.backward(one, through)

    def _clip(self, name: str, args: list[Value], kwargs: dict[str, Value]) -> Value:
        limit = argument(args, kwargs, 1, "max_norm", "clip_value")
        number = float(limit) if is_number(limit) else 1.0
        chosen = tensors([args[0] if args else kwargs.get("parameters")])
        by_value = name == "clip_grad_value_"
        clip = self.core.clip_grad_value_ if by_value else self.core.clip_grad_norm_
        return self.world.clipped(chosen, number, by_value=by_value, run=lambda: clip(chosen, number))

    def _context(self, name: str, models: list[Model]) -> contextlib.AbstractContextManager[object] | None:
        """Its context managers, else None."""
        if name == "accumulate":
            return self._quiet(self.core.accumulate, models)
        if name == "no_sync":
            return self._quiet(self.core.no_sync, models) if models else contextlib.nullcontext()
        if name == "autocast" and self.settings.precision:
            return self._autocast()
        return contextlib.nullcontext() if name in QUIET else None

    @contextlib.contextmanager
    def _quiet(self, context: Any, models: list[Model]) -> Iterator[None]:
        """The library's context around the models' real modules, and in the books whether DDP is quiet inside."""
        modules = [one.parallel if one.parallel is not None else one.nets()[0] for one in models]
        with context(*modules), prepared.counted(self.world, models):
            yield

    def _autocast(self) -> contextlib.AbstractContextManager[object]:
        kind = "cuda" if self.world.device.startswith("cuda") else "cpu"
        return torch.autocast(kind, dtype=torch.bfloat16 if self.settings.precision == "bf16" else torch.float16)

    # -- attributes

    def get(self, name: str) -> Value:
        """`sync_gradients` is real."""
        if name in FACTS:
            fact: Value = getattr(self.core, name)
            return fact
        if name == "is_last_process":
            return True
        if name == "scaler":
            return next((one for one in self.world.scalers if one.real is self.core.scaler), None)
        if name in OPAQUE:
            return Unknown(f"accelerator.{name}")
        return super().get(name)

    def put(self, name: str, value: Value) -> None:
        """`accelerator.gradient_accumulation_steps = 8`."""
        if name == "gradient_accumulation_steps" and isinstance(value, int):
            self.core.gradient_accumulation_steps = value
