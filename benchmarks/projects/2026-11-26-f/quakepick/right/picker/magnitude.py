import torch
from torch.nn.functional import smooth_l1_loss

from .base import Trainer


class MagnitudeTrainer(Trainer):
    """Magnitude from the trace; an average of the weights is kept for inference."""

    def __init__(self, net, opt, keep=0.9):
        super().__init__(net, opt)
        self.keep = keep
        self.mean = [p.detach().clone() for p in net.parameters()]

    def loss(self, batch):
        traces, _, magnitude = batch
        return smooth_l1_loss(self.net(traces).float().squeeze(1), magnitude)

    def apply(self):
        self.scaler.step(self.opt)
        with torch.no_grad():
            for mean, p in zip(self.mean, self.net.parameters()):
                mean.lerp_(p, 1 - self.keep)
