import math

import torch


class CosineNoise:
    def __init__(self, steps):
        t = torch.arange(1, steps + 1) / steps
        self.keep = torch.cos(t * math.pi / 2).clamp(0.02, 0.999)
        self.steps = steps

    def corrupt(self, clean):
        t = torch.randint(0, self.steps, (len(clean),))
        k = self.keep[t].unsqueeze(1)
        eps = torch.randn_like(clean)
        return k * clean + (1 - k**2).sqrt() * eps, t, eps
