"""A variational coder with two dials: the rate falls over all updates, the weight of the KL rises over all batches."""
import torch
from torch import nn
from torch.nn import functional as F

EPOCHS, BATCHES, GATHER = 3, 12, 4
UPDATES = EPOCHS * BATCHES // GATHER


class Rising:
    def __init__(self, total):
        self.total, self.count = total, 0

    def step(self):
        self.count += 1

    @property
    def value(self):
        return min(1.0, self.count / self.total)


class Coder(nn.Module):
    def __init__(self):
        super().__init__()
        self.down, self.up = nn.Linear(8, 6), nn.Linear(3, 8)

    def forward(self, x):
        mean, spread = self.down(x).chunk(2, 1)
        z = mean + spread.exp() * torch.randn_like(mean)
        kl = (mean.square() + (2 * spread).exp() - 2 * spread - 1).sum(1).mean() / 2
        return F.mse_loss(self.up(z), x), kl


def train(record):
    torch.manual_seed(64)
    coder = Coder()
    optimizer = torch.optim.SGD(coder.parameters(), lr=0.03)
    falling = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.02, total_iters=UPDATES)
    rising = Rising(EPOCHS * BATCHES)
    mixing = 0.4 * torch.randn(3, 8)
    for epoch in range(EPOCHS):
        for n in range(1, BATCHES + 1):
            rebuilt, kl = coder(torch.randn(10, 3) @ mixing)
            ((rebuilt + rising.value * kl) / GATHER).backward()
            if n % GATHER == 0:
                optimizer.step()
                record(list(coder.parameters()))
                optimizer.zero_grad()
                falling.step()
            rising.step()


if __name__ == "__main__":
    train(lambda parameters: None)
