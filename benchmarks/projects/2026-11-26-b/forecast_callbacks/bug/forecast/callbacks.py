import torch
from torch.nn import functional as F

from .data import windows


class Callback:
    def before_update(self, trainer):
        pass

    def after_update(self, trainer):
        pass

    def after_batch(self, trainer):
        pass

    def after_epoch(self, trainer):
        pass


class GradientClipping(Callback):
    def __init__(self, max_norm):
        self.max_norm = max_norm

    def after_update(self, trainer):
        torch.nn.utils.clip_grad_norm_(trainer.model.parameters(), self.max_norm)


class Evaluation(Callback):
    def __init__(self, values, settings, every):
        self.batches = list(windows(values, settings, 4))
        self.every = every

    def after_batch(self, trainer):
        if (trainer.index + 1) % self.every == 0:
            trainer.metrics["val"] = self.error(trainer.model)

    @torch.no_grad()
    def error(self, model):
        model.eval()
        return sum(F.l1_loss(model(past), future).item() for past, future in self.batches) / len(self.batches)


class Printer(Callback):
    def after_epoch(self, trainer):
        text = " ".join(f"{name} {value:.4f}" for name, value in trainer.metrics.items())
        print(f"epoch {trainer.epoch}: {text}")
