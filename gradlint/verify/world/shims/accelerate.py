"""What `accelerate.Accelerator` does to gradients, and nothing else of it.

    accumulate     counts; every N-th batch and the last of a prepared loader synchronise
    backward       divides by N, and scales under fp16
    clip           unscales first, whatever batch it is
    step, zero     of prepared optimizers act where gradients synchronise; so do prepared schedulers

`tests/verify/test_libraries.py` holds it against the library itself.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn


@dataclass(frozen=True)
class Settings:
    """What the constructor of an accelerator is told, as far as gradients and schedules care."""

    steps: int = 1
    precision: str = ""
    split_batches: bool = False
    follow: bool = True
    with_loader: bool = True
    each_batch: bool = False
    adjust: bool = False


class Accelerator:
    """See the module's text."""

    def __init__(self, settings: Settings, processes: int, rank: int, scaler: Any) -> None:
        self.settings = settings
        self.num_processes = processes
        self.process_index = rank
        self.is_main_process = self.is_local_main_process = rank == 0
        self.gradient_accumulation_steps = settings.steps
        self.scaler = scaler
        self.step = 0
        self.sync_gradients = True
        self.loaders: list[Batches] = []
        self.optimizers: list[Prepared] = []

    # -- what is prepared

    def prepare_model(self, model: nn.Module, device_placement: bool | None = None) -> nn.Module:
        """DDP where there are several processes."""
        if self.num_processes > 1 and any(p.requires_grad for p in model.parameters()):
            return nn.parallel.DistributedDataParallel(model)
        return model

    def prepare_optimizer(self, optimizer: Any) -> Prepared:
        """An optimizer that waits for the end of the window."""
        self.optimizers.append(Prepared(self, optimizer))
        return self.optimizers[-1]

    def prepare_scheduler(self, scheduler: Any) -> Schedule:
        """A scheduler that waits for its optimizer, else for all of them."""
        mine = [one for one in self.optimizers if one.optimizer is scheduler.optimizer]
        return Schedule(self, scheduler, mine[:1] or list(self.optimizers))

    def prepare_data_loader(self, loader: Iterable[Any]) -> Batches:
        """A loader whose last batch is known to be the last."""
        return Batches(self, loader)

    # -- what the loop calls

    def backward(self, loss: Tensor, **kwargs: Any) -> None:
        """Divide, scale, run."""
        loss = loss / self.gradient_accumulation_steps
        (loss if self.scaler is None else self.scaler.scale(loss)).backward(**kwargs)

    def unscale_gradients(self, optimizer: Any = None) -> None:
        """Of one optimizer, else of all that were prepared."""
        if self.scaler is None:
            return
        for one in self.optimizers if optimizer is None else [optimizer]:
            self.scaler.unscale_(one.optimizer if isinstance(one, Prepared) else one)

    def clip_grad_norm_(self, parameters: Iterable[Tensor], max_norm: float) -> Tensor:
        """Unscale and clip."""
        self.unscale_gradients()
        return torch.nn.utils.clip_grad_norm_(parameters, max_norm)

    def clip_grad_value_(self, parameters: Iterable[Tensor], clip_value: float) -> None:
        """Unscale and clip."""
        self.unscale_gradients()
        torch.nn.utils.clip_grad_value_(parameters, clip_value)

    @contextlib.contextmanager
    def no_sync(self, model: Any) -> Iterator[None]:
        """DDP's own, where there are several processes."""
        context = (
            getattr(model, "no_sync", contextlib.nullcontext) if self.num_processes > 1 else contextlib.nullcontext
        )
        with context():
            yield

    @contextlib.contextmanager
    def accumulate(self, *models: Any) -> Iterator[None]:
        """One micro-batch."""
        if self.settings.with_loader and self.loaders and self.loaders[-1].end:
            self.step, self.sync_gradients = 0, True
        else:
            self.step += 1
            self.sync_gradients = self.step % self.gradient_accumulation_steps == 0
        reduces = self.sync_gradients or (self.num_processes > 1 and self.settings.each_batch)
        with contextlib.ExitStack() as stack:
            for one in () if reduces else models:
                stack.enter_context(self.no_sync(one))
            yield

    @property
    def optimizer_step_was_skipped(self) -> bool:
        """Whether an overflow kept an optimizer from its last step."""
        return any(one.step_was_skipped for one in self.optimizers)


class Prepared:
    """`AcceleratedOptimizer`."""

    def __init__(self, accelerator: Accelerator, optimizer: Any) -> None:
        self.accelerator = accelerator
        self.optimizer = optimizer
        self.step_was_skipped = False
        self.steps = 0
        optimizer.register_step_pre_hook(self._stepped)

    def _stepped(self, *_: object) -> None:
        self.steps += 1

    @property
    def param_groups(self) -> list[dict[str, Any]]:
        """Those of the optimizer inside."""
        groups: list[dict[str, Any]] = self.optimizer.param_groups
        return groups

    def zero_grad(self) -> None:
        """At the end of a window."""
        if self.accelerator.sync_gradients:
            self.optimizer.zero_grad()

    def step(self) -> None:
        """At the end of a window, through the scaler if there is one."""
        if not self.accelerator.sync_gradients:
            return
        scaler, before = self.accelerator.scaler, self.steps
        if scaler is None:
            self.optimizer.step()
            return
        scaler.step(self.optimizer)
        scaler.update()
        self.step_was_skipped = self.steps == before


class Schedule:
    """`AcceleratedScheduler`."""

    def __init__(self, accelerator: Accelerator, scheduler: Any, optimizers: list[Prepared]) -> None:
        self.accelerator = accelerator
        self.scheduler = scheduler
        self.optimizers = optimizers

    def step(self) -> None:
        """Once for each process, where its optimizers have stepped."""
        settings = self.accelerator.settings
        if not settings.follow:
            self.scheduler.step()
        elif not self.accelerator.sync_gradients:
            self.scheduler._step_count += settings.adjust  # noqa: SLF001 - as the library does
        elif not any(one.step_was_skipped for one in self.optimizers):
            for _ in range(1 if settings.split_batches else self.accelerator.num_processes):
                self.scheduler.step()


class Batches:
    """`DataLoaderShard`: it looks one batch ahead."""

    def __init__(self, accelerator: Accelerator, loader: Iterable[Any]) -> None:
        self.accelerator = accelerator
        self.loader = loader
        self.end = False

    def __iter__(self) -> Iterator[Any]:
        """The batches of this process; while they are taken, the loader is the accelerator's."""
        self.end = False
        self.accelerator.loaders.append(self)
        processes, rank = self.accelerator.num_processes, self.accelerator.process_index
        batches = list(self.loader)
        mine = batches if self.accelerator.settings.split_batches else batches[rank::processes]
        for number, batch in enumerate(mine, 1):
            self.end = number == len(mine)
            yield batch
        self.accelerator.loaders = [one for one in self.accelerator.loaders if one is not self]
