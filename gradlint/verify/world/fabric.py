"""`fabric` as the loop sees it. What it does to gradients is done by the library, or its shim."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

from gradlint.verify.machine.values import Closure, Native, Thing, Unknown, Value, argument, is_number
from gradlint.verify.record import INF
from gradlint.verify.world import libraries, prepared
from gradlint.verify.world.live import Live
from gradlint.verify.world.model import Inner, Model
from gradlint.verify.world.optim import Loader, Optimizer, inner_optimizer
from gradlint.verify.world.shims.fabric import Settings
from gradlint.verify.world.world import Through

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gradlint.verify.world.world import World

SETUP = frozenset("setup setup_module setup_optimizers setup_dataloaders _setup_dataloader".split())
PASS = frozenset("all_reduce all_gather broadcast to_device".split())
QUIET = frozenset("init_module rank_zero_first sharded_model init_tensor".split())
OPAQUE = frozenset("device global_rank local_rank node_rank logger loggers strategy".split())


class Fabric(Thing):
    """`lightning.fabric.Fabric`: neither divides nor gates; `clip_gradients` unscales."""

    path = "fabric"

    def __init__(self, world: World, settings: Settings) -> None:
        self.world = world
        self.core: Any = libraries.fabric(world, settings)
        self.modules: dict[int, Any] = {}
        libraries.threads()

    def call(self, name: str, args: list[Value], kwargs: dict[str, Value]) -> Value:
        """The calls that matter to gradients."""
        if name in SETUP:
            more = [kwargs["scheduler"]] if "scheduler" in kwargs else []
            return self._setup([*args, *more])
        if name == "backward":
            self._backward(args)
            return None
        if name == "clip_gradients":
            return self._clip(args, kwargs)
        if name == "no_backward_sync":
            return self._no_sync(argument(args, kwargs, 0, "module"), argument(args, kwargs, 1, "enabled"))
        if name == "autocast":
            context: Value = self.core.autocast()
            return context
        if name == "launch":
            runs = args and isinstance(args[0], (Closure, Native))
            return self.world.apply(args[0], [self, *args[1:]]) if runs else None
        if name in QUIET:
            return contextlib.nullcontext()
        if name in PASS:
            return args[0] if args else None
        return Unknown(f"fabric.{name}()", data=True)

    # -- setup

    def _setup(self, values: list[Value]) -> Value:
        every = [self._prepared(inner_optimizer(one) or one) for one in values]
        return every[0] if len(every) == 1 else tuple(every)

    def _prepared(self, one: Value) -> Value:
        if isinstance(one, Model):
            self._module(one)
        elif isinstance(one, Optimizer):
            return prepared.optimizer(one, self.core.setup_optimizers, None)
        elif isinstance(one, Loader):
            return prepared.epochs(one)
        return one

    def _module(self, model: Model) -> Any:
        """What the library made of a model."""
        if id(model) not in self.modules:

            def setup(module: Any) -> Any:
                self.modules[id(model)] = made = self.core.setup_module(module, move_to_device=False)
                return made._forward_module  # noqa: SLF001 - what runs the forward, and reduces

            prepared.wrap(self.world, model, setup)
        return self.modules.get(id(model))

    # -- gradients

    def _backward(self, args: list[Value]) -> None:
        scaled = any(one.enabled for one in self.world.scalers if one.path == libraries.SCALER)
        through = Through(lambda loss: self.core.backward(loss, retain_graph=True), 1.0, scaled)
        for one in args:
            if isinstance(one, Live):
                self.world.backward(one, through)

    def _clip(self, args: list[Value], kwargs: dict[str, Value]) -> Value:
        """An infinite norm raises unless it is told not to; in the run that asks for one, it is told."""
        limit, value = argument(args, kwargs, 3, "max_norm"), argument(args, kwargs, 2, "clip_val")
        model, optimizer = (args[0] if args else None), inner_optimizer(argument(args, kwargs, 1, "optimizer"))
        if optimizer is None:
            optimizer = self.world.optimizers[0] if len(self.world.optimizers) == 1 else None
        if optimizer is None:
            return Unknown("norm", data=True)
        by_value = limit is None and value is not None
        number = float(one) if is_number(one := value if by_value else limit) else 1.0
        module = self._module(model) if isinstance(model, Model) else None
        face = optimizer.outer or self.core.setup_optimizers(optimizer.real)
        how: dict[str, Any] = {"clip_val": number} if by_value else {"max_norm": number}
        if self.world.plan.regime == INF:
            how["error_if_nonfinite"] = False
        return self.world.clipped(
            optimizer.parameters,
            number,
            by_value=by_value,
            run=lambda: self.core.clip_gradients(module, face, **how),
        )

    def _no_sync(self, model: Value, enabled: Value) -> contextlib.AbstractContextManager[object]:
        model = model.outer if isinstance(model, Inner) else model
        if not isinstance(model, Model):
            return contextlib.nullcontext()
        self.world.record.sync_guessed |= not isinstance(enabled, (bool, type(None)))
        return self._quiet(model, enabled is not False)

    @contextlib.contextmanager
    def _quiet(self, model: Model, enabled: bool) -> Iterator[None]:
        module = self._module(model)
        with self.core.no_backward_sync(module, enabled), prepared.counted(self.world, [model]):
            yield

    # -- attributes

    def get(self, name: str) -> Value:
        """Facts of the processes."""
        if name in ("world_size", "is_global_zero"):
            fact: Value = getattr(self.core, name)
            return fact
        if name in OPAQUE:
            return Unknown(f"fabric.{name}")
        return super().get(name)
