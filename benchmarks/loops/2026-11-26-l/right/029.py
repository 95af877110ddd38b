import torch
from torch import nn


class AverageMeter:
    def __init__(self):
        self.reset()

    def reset(self):
        self.total, self.n = torch.zeros(()), 0

    def update(self, value, n=1):
        if torch.is_tensor(value):
            value = value.detach()
        self.total += value * n
        self.n += n


torch.manual_seed(0)
wide, deep = nn.Linear(12, 1), nn.Sequential(nn.Linear(12, 24), nn.ReLU(), nn.Linear(24, 1))
opt = torch.optim.Adagrad([*wide.parameters(), *deep.parameters()], lr=0.05)
meter = AverageMeter()
for epoch in range(3):
    meter.reset()
    for _ in range(10):
        x = torch.randn(20, 12)
        y = (x[:, 0] + x[:, 1] * x[:, 2] > 0).float()
        loss = nn.functional.binary_cross_entropy_with_logits((wide(x) + deep(x)).squeeze(1), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        meter.update(loss, len(x))
    print(epoch, (meter.total / meter.n).item())
