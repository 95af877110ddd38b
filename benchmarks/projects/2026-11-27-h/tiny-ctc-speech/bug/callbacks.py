import torch
from torch.nn.utils import clip_grad_norm_


class Callback:
    def before_step(self, trainer):
        """Gradients of a window are complete."""

    def after_step(self, trainer):
        """The weights have been moved."""

    def after_batch(self, trainer):
        """A batch has been seen."""

    def after_epoch(self, trainer):
        """The loader is exhausted."""


class ClipGradients(Callback):
    def __init__(self, limit):
        self.limit = limit

    def after_step(self, trainer):
        clip_grad_norm_(trainer.model.parameters(), self.limit)


class MoveSchedule(Callback):
    def __init__(self, schedule):
        self.schedule = schedule

    def after_batch(self, trainer):
        self.schedule.step()


class Validate(Callback):
    def __init__(self, loader):
        self.loader = loader

    def after_epoch(self, trainer):
        trainer.model.eval()
        right = seen = 0
        for audio, text in self.loader:
            best = trainer.model(audio).argmax(-1)
            guess = best[:, 3::4]
            right += (guess == text).sum().item()
            seen += text.numel()
        rate = trainer.optimizer.param_groups[0]["lr"]
        print(f"epoch {trainer.epoch} loss {trainer.loss.item():.3f} frames {right / seen:.2f} lr {rate:.5f}")
