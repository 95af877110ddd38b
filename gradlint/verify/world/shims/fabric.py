"""What `lightning.fabric.Fabric` does to gradients, and nothing else of it.

backward           scales under `16-mixed`, divides by nothing
clip_gradients     unscales first; clips what the optimizer owns
step               of optimizers that were set up goes through the scaler, and nothing gates it
no_backward_sync   DDP's `no_sync`, where the strategy is DDP
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn


@dataclass(frozen=True)
class Settings:
    """What the constructor is told, as far as gradients care; `ranks`: the loop speaks of several processes."""

    precision: str = ""
    ranks: bool = False


class Module:
    """What `setup` hands back for a model."""

    def __init__(self, module: nn.Module) -> None:
        self._forward_module = module


class Fabric:
    """See the module's text."""

    def __init__(self, settings: Settings, processes: int, rank: int, scaler: Any, device: str) -> None:
        self.settings = settings
        self.world_size = processes
        self.is_global_zero = rank == 0
        self.scaler = scaler
        self.device = device

    def setup_module(self, module: nn.Module, move_to_device: bool = True) -> Module:
        """DDP where the strategy is."""
        if self.settings.ranks and any(p.requires_grad for p in module.parameters()):
            return Module(nn.parallel.DistributedDataParallel(module))
        return Module(module)

    def setup_optimizers(self, optimizer: Any) -> Prepared:
        """An optimizer that steps through the scaler."""
        return Prepared(self, optimizer)

    def backward(self, tensor: Tensor, **kwargs: Any) -> None:
        """Scale and run."""
        (tensor if self.scaler is None else self.scaler.scale(tensor)).backward(**kwargs)

    def clip_gradients(
        self,
        module: Any,
        optimizer: Prepared,
        clip_val: float | None = None,
        max_norm: float | None = None,
        error_if_nonfinite: bool = True,
    ) -> Tensor | None:
        """Unscale and clip."""
        if self.scaler is not None:
            self.scaler.unscale_(optimizer.optimizer)
        owned = [p for group in optimizer.param_groups for p in group["params"]]
        if clip_val is not None:
            torch.nn.utils.clip_grad_value_(owned, clip_val)
            return None
        assert max_norm is not None
        return torch.nn.utils.clip_grad_norm_(owned, max_norm, error_if_nonfinite=error_if_nonfinite)

    def no_backward_sync(self, module: Any, enabled: bool = True) -> contextlib.AbstractContextManager[object]:
        """DDP's own."""
        inner = module._forward_module  # noqa: SLF001 - the library's name
        quiet = enabled and isinstance(inner, nn.parallel.DistributedDataParallel)
        context: contextlib.AbstractContextManager[object] = inner.no_sync() if quiet else contextlib.nullcontext()
        return context

    def autocast(self) -> contextlib.AbstractContextManager[object]:
        """The chosen precision."""
        kinds = {"16-mixed": torch.float16, "bf16-mixed": torch.bfloat16}
        kind = kinds.get(self.settings.precision)
        return torch.autocast(self.device, dtype=kind) if kind is not None else contextlib.nullcontext()


class Prepared:
    """`_FabricOptimizer`."""

    def __init__(self, fabric: Fabric, optimizer: Any) -> None:
        self.fabric = fabric
        self.optimizer = optimizer

    @property
    def param_groups(self) -> list[dict[str, Any]]:
        """Those of the optimizer inside."""
        groups: list[dict[str, Any]] = self.optimizer.param_groups
        return groups

    def zero_grad(self) -> None:
        """Always."""
        self.optimizer.zero_grad()

    def step(self) -> None:
        """Through the scaler if there is one."""
        if self.fabric.scaler is None:
            self.optimizer.step()
            return
        self.fabric.scaler.step(self.optimizer)
        self.fabric.scaler.update()
