"""The head learns from every batch, the trunk from four at once."""
import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_

SLOW = 4


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(9, 18), nn.ReLU(), nn.Linear(18, 6))
        self.head = nn.Linear(6, 3)

    def forward(self, x):
        return self.head(self.trunk(x).relu())


def make_batches(n, generator):
    centres = 2 * torch.randn(3, 9, generator=generator)
    for _ in range(n):
        y = torch.randint(0, 3, (8,), generator=generator)
        yield centres[y] + torch.randn(8, 9, generator=generator), y


def train(record):
    torch.manual_seed(41)
    model = Model()
    slow = torch.optim.SGD(model.trunk.parameters(), lr=0.4)
    fast = torch.optim.SGD(model.head.parameters(), lr=0.1)
    everything = list(model.parameters())
    for n, (x, y) in enumerate(make_batches(32, torch.Generator().manual_seed(3)), start=1):
        fast.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        clip_grad_norm_(model.head.parameters(), 0.5)
        fast.step()
        record(everything)
        if n % SLOW == 0:
            for p in model.trunk.parameters():
                p.grad /= SLOW
            clip_grad_norm_(model.trunk.parameters(), 0.5)
            slow.step()
            record(everything)
            slow.zero_grad()


if __name__ == "__main__":
    train(lambda parameters: None)
