import torch
from torch import nn


class Accumulator:
    def __init__(self, module, lr, window):
        self.module = module
        self.opt = torch.optim.SGD(module.parameters(), lr=lr)
        self.window = window
        self.pending = 0
        self.updates = 0

    def feed(self, loss):
        (loss / self.window).backward()
        self.pending += 1
        if self.pending > self.window:
            self.flush()

    def flush(self):
        if self.pending:
            self.opt.step()
            self.opt.zero_grad(set_to_none=True)
            self.pending = 0
            self.updates += 1


torch.manual_seed(42)
siamese = nn.Sequential(nn.Linear(16, 16), nn.ReLU(), nn.Linear(16, 8))
acc = Accumulator(siamese, lr=0.05, window=4)
for epoch in range(2):
    for _ in range(20):
        a, b = torch.randn(6, 16), torch.randn(6, 16)
        same = torch.randint(0, 2, (6,)).float()
        b = torch.where(same.bool()[:, None], a + 0.1 * b, b)
        dist = (siamese(a) - siamese(b)).norm(dim=1)
        acc.feed((same * dist.pow(2) + (1 - same) * torch.relu(1 - dist).pow(2)).mean())
    acc.flush()
    print("epoch", epoch, "updates so far", acc.updates)
