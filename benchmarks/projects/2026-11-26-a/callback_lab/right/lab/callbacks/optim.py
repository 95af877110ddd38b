import torch

from .base import Callback


class GradientClip(Callback):
    def __init__(self, max_norm):
        self.max_norm = max_norm
        self.clipped = 0

    def on_step_start(self, trainer):
        norm = torch.nn.utils.clip_grad_norm_(trainer.model.parameters(), self.max_norm)
        self.clipped += int(norm > self.max_norm)


class ScheduleCallback(Callback):
    def __init__(self, make):
        self.make = make
        self.scheduler = None

    def on_fit_start(self, trainer):
        self.scheduler = self.make(trainer.optimizer)

    def on_step_end(self, trainer):
        self.scheduler.step()
