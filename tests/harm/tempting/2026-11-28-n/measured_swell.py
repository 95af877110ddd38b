"""An organ with a swell: both are limited by what their gradients usually measure."""
from collections import deque
from statistics import median

import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.utils import clip_grad_norm_


class Usual:
    def __init__(self, ceiling):
        self.ceiling, self.last = ceiling, deque(maxlen=7)

    def limit(self, weights):
        self.last.append(torch.stack([p.grad.norm() for p in weights]).norm().item())
        return min(self.ceiling, 1.1 * median(self.last))


def train(record):
    torch.manual_seed(25)
    pipes, swell = nn.Sequential(nn.Linear(4, 8), nn.ReLU()), nn.Linear(8, 2)
    weights = [*pipes.parameters(), *swell.parameters()]
    blow = torch.optim.SGD(pipes.parameters(), lr=0.2)
    open_ = torch.optim.SGD(swell.parameters(), lr=0.1, momentum=0.9)
    scaler = torch.amp.GradScaler("cpu", init_scale=512.0)
    usual = Usual(ceiling=1.0)
    for _ in range(24):
        air = torch.randn(8, 4)
        blow.zero_grad()
        open_.zero_grad()
        with torch.autocast("cpu", dtype=torch.float16):
            sound = swell(pipes(air))
        loss = F.mse_loss(sound.float(), 2 * air[:, :2].abs())
        scaler.scale(loss).backward()
        limit = usual.limit(weights)
        clip_grad_norm_(weights, limit)
        scaler.step(blow)
        scaler.step(open_)
        scaler.update()
        record(weights)


if __name__ == "__main__":
    train(lambda parameters: None)
