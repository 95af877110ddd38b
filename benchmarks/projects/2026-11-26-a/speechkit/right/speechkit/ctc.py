import torch
from torch import nn

from .base import BaseTrainer
from .mixins import BestLossMixin, GradientClipMixin


class CTCTrainer(GradientClipMixin, BestLossMixin, BaseTrainer):
    """Frames in, log-probabilities out; index 0 is the blank."""

    def __init__(self, *args, blank=0, **kwargs):
        super().__init__(*args, **kwargs)
        self.criterion = nn.CTCLoss(blank=blank, zero_infinity=True)
        self.skipped = 0

    def compute_loss(self, batch):
        frames, labels = batch
        log_probs = self.model(frames).log_softmax(-1).transpose(0, 1)
        steps = torch.full((frames.size(0),), frames.size(1), dtype=torch.long)
        lengths = torch.full((labels.size(0),), labels.size(1), dtype=torch.long)
        return self.criterion(log_probs, labels, steps, lengths)

    def backward(self, loss):
        if not torch.isfinite(loss):
            self.skipped += 1
            loss = loss.nan_to_num(0.0, 0.0, 0.0)
        super().backward(loss)
