import torch
from torch.nn.utils import clip_grad_norm_


class GradientLedger:
    """Writes down the largest entry of the gradient of each update."""

    def __init__(self, optimizer, scaler):
        self.optimizer, self.scaler = optimizer, scaler
        self.peaks = []

    def _grads(self):
        return [p.grad for group in self.optimizer.param_groups for p in group["params"] if p.grad is not None]

    def note(self):
        self.scaler.unscale_(self.optimizer)
        peak = max(g.abs().max() for g in self._grads())
        self.peaks.append(peak.item())


def bounded(model, limit):
    return clip_grad_norm_(model.parameters(), limit)
