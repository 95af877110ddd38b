"""The clip limit follows the median of the last norms, up to a cap."""
import statistics
from collections import deque

import torch
from torch import nn

CAP = 1.0


def length(params):
    return torch.stack([p.grad.norm() for p in params]).norm().item()


class Adaptive:
    def __init__(self, keep=8, slack=0.8):
        self.norms, self.slack = deque(maxlen=keep), slack

    def limit(self, norm):
        self.norms.append(norm)
        return min(CAP, self.slack * statistics.median(self.norms))


def train(record):
    torch.manual_seed(102)
    net = nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 1))
    params = list(net.parameters())
    opt = torch.optim.SGD(params, lr=0.2, momentum=0.9)
    scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
    adaptive = Adaptive()
    for _ in range(30):
        x = torch.randn(16, 8)
        y = x[:, :1] + 0.5 * x[:, 1:2] ** 2
        opt.zero_grad()
        with torch.autocast("cpu", dtype=torch.float16):
            out = net(x)
        loss = nn.functional.smooth_l1_loss(out.float(), y)
        scaler.scale(loss).backward()
        limit = adaptive.limit(length(params))
        nn.utils.clip_grad_norm_(params, limit)
        scaler.step(opt)
        record(params)
        scaler.update()


if __name__ == "__main__":
    train(lambda parameters: None)
