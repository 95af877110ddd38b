import math

import torch
from torch import nn


class Pacemaker:
    """Warm-up, then half a cosine."""

    def __init__(self, optimizer, peak, warm, total):
        self.optimizer, self.peak, self.warm, self.total = optimizer, peak, warm, total
        self.n = 0

    def rate(self):
        if self.n <= self.warm:
            return self.peak * self.n / self.warm
        done = (self.n - self.warm) / (self.total - self.warm)
        return self.peak * 0.5 * (1 + math.cos(math.pi * min(done, 1.0)))

    def step(self):
        self.n += 1
        for group in self.optimizer.param_groups:
            group["lr"] = self.rate() * group.get("factor", 1.0)


def groups(net):
    yield {"params": net[0].parameters(), "factor": 0.5}
    yield {"params": net[2].parameters()}


def train(record):
    torch.manual_seed(17)
    net = nn.Sequential(nn.Linear(3, 20), nn.GELU(), nn.Linear(20, 1))
    optimizer = torch.optim.AdamW(groups(net), lr=0.0, weight_decay=0.01)
    x = torch.rand(50, 3)
    y = (6 * x).sin().mean(1, keepdim=True)
    loader = list(zip(x.split(10), y.split(10)))
    pace = Pacemaker(optimizer, peak=0.02, warm=3, total=3 * len(loader))
    for epoch in range(3):
        for xb, yb in loader:
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(net(xb), yb)
            loss.backward()
            pace.step()
            optimizer.step()
            record(list(net.parameters()))
        print(epoch, loss.item(), pace.rate())


if __name__ == "__main__":
    train(lambda parameters: None)
