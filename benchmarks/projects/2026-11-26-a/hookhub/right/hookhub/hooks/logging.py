import torch

from ..registry import hook


@hook("grad_norm", priority=30)
class GradNormHook:
    """Remembers the largest norm of an update, before it is clipped."""

    def __init__(self):
        self.largest = 0.0

    def before_update(self, loop):
        scale = loop.scaler.get_scale()
        grads = [p.grad.norm() for p in loop.model.parameters() if p.grad is not None]
        self.largest = max(self.largest, torch.stack(grads).norm().item() / scale)

    def after_epoch(self, loop):
        print(f"  largest gradient {self.largest:.3f}")
        self.largest = 0.0


@hook("text_log", priority=90)
class TextLogHook:
    def before_epoch(self, loop):
        self.losses = []

    def after_iter(self, loop):
        self.losses.append(loop.loss.item())

    def after_epoch(self, loop):
        print(f"epoch {loop.epoch} ({loop.iter} iterations): loss {sum(self.losses) / len(self.losses):.4f}")
