from contextlib import contextmanager

import torch

from .train_loop import HookBase


class LRScheduler(HookBase):
    def __init__(self, scheduler):
        self.scheduler = scheduler

    def after_step(self):
        self.scheduler.step()
        self.trainer.storage["lr"] = self.scheduler.get_last_lr()[0]


class GradientClipping(HookBase):
    def __init__(self, max_norm):
        self.max_norm = max_norm

    def after_backward(self):
        norm = torch.nn.utils.clip_grad_norm_(self.trainer.model.parameters(), self.max_norm)
        self.trainer.storage["grad_norm"] = norm.item()


class EvalHook(HookBase):
    def __init__(self, period, loader):
        self.period = period
        self.loader = loader

    def after_step(self):
        if (self.trainer.iter + 1) % self.period == 0:
            model = self.trainer.model
            hit = total = 0
            with inference_context(model), torch.no_grad():
                for batch in self.loader:
                    scores, _ = model(batch)
                    hit += (scores.argmax(1) == batch[1]).sum().item()
                    total += len(batch[1])
            self.trainer.storage["acc"] = hit / total


class PeriodicWriter(HookBase):
    def __init__(self, period=10):
        self.period = period

    def after_step(self):
        if (self.trainer.iter + 1) % self.period == 0:
            text = "  ".join(f"{k}: {v:.4g}" for k, v in self.trainer.storage.items())
            print(f"iter: {self.trainer.iter + 1}  {text}")


@contextmanager
def inference_context(model):
    mode = model.training
    model.eval()
    yield
    model.train(mode)
