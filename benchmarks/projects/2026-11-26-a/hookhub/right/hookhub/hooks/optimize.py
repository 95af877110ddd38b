import torch

from ..registry import hook


@hook("optimize", priority=40)
class OptimizeHook:
    """Steps through the scaler, once in `interval` iterations."""

    def __init__(self, interval=1, max_norm=None):
        self.interval = interval
        self.max_norm = max_norm

    def after_iter(self, loop):
        loop.scaler.scale(loop.loss / self.interval).backward()
        if not loop.every(self.interval):
            return
        loop.emit("before_update")
        if self.max_norm is not None:
            loop.scaler.unscale_(loop.optimizer)
            torch.nn.utils.clip_grad_norm_(loop.model.parameters(), self.max_norm)
        loop.scaler.step(loop.optimizer)
        loop.scaler.update()
        loop.optimizer.zero_grad(set_to_none=True)
