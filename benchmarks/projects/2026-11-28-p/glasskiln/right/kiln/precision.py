import torch
from torch.nn import functional as F


class HalfMixin:
    """Loss scaling for float16; switched off by torch itself where there is no CUDA."""

    def set_up_precision(self):
        self.scaler = torch.amp.GradScaler("cuda")

    def compute_loss(self, curve, cracked):
        with torch.autocast("cuda", dtype=torch.float16):
            return F.cross_entropy(self.net(curve), cracked)

    def backpropagate(self, loss):
        self.scaler.scale(loss).backward()
