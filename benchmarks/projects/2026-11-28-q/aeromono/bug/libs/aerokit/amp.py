import torch
from torch.nn.utils import clip_grad_norm_


class Amp:
    """What all our apps do about half precision."""

    def __init__(self):
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        self.scaler = torch.amp.GradScaler("cuda")

    def cast(self):
        return torch.autocast(self.device, dtype=torch.float16, enabled=self.scaler.is_enabled())

    def backward(self, loss):
        self.scaler.scale(loss).backward()

    def limit(self, optimizer, weights, norm):
        """True gradients, no longer than `norm`."""
        self.scaler.unscale_(optimizer)
        return clip_grad_norm_(weights, norm)

    def apply(self, optimizer):
        self.scaler.step(optimizer)
        self.scaler.update()
        optimizer.zero_grad()
