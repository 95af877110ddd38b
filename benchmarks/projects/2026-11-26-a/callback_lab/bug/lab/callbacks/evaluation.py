import torch

from .base import Callback


class Evaluation(Callback):
    def __init__(self, loader, every_batches=5):
        self.loader = loader
        self.every = every_batches
        self.batches = 0

    def on_batch_end(self, trainer):
        self.batches += 1
        if self.batches % self.every == 0:
            print(f"  {self.batches} batches: validation {self.measure(trainer):.4f}")

    def measure(self, trainer):
        model = trainer.model
        model.eval()
        with torch.no_grad():
            losses = [trainer.criterion(model(x), y).item() for x, y in self.loader]
        return sum(losses) / len(losses)
