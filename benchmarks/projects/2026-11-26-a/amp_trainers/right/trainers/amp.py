import torch

from .core import Trainer


class HalfTrainer(Trainer):
    """float16 forward, scaled loss."""

    def __init__(self, *args, init_scale=2.0**12, **kwargs):
        super().__init__(*args, **kwargs)
        self.scaler = torch.amp.GradScaler(self.device.type, init_scale=init_scale)

    def autocast(self):
        return torch.autocast(self.device.type, dtype=torch.float16)

    def before_step(self):
        self.scaler.unscale_(self.optimizer)
        super().before_step()

    def optimize(self, loss):
        self.before_backward()
        self.scaler.scale(loss).backward()
        self.before_step()
        self.scaler.step(self.optimizer)
        self.scaler.update()
