import torch.nn.functional as F

from .core import CoreTrainer


class DenseTrainer(CoreTrainer):
    """Anything with a label per pixel."""

    @staticmethod
    def whiten(image):
        return (image - 0.5) / 0.25

    def begin_batch(self, batch):
        super().begin_batch(batch)
        self.opt.zero_grad()
        batch["image"] = self.whiten(batch["image"])

    def compute_loss(self, batch):
        return F.cross_entropy(self.net(batch["image"]), batch["mask"])
