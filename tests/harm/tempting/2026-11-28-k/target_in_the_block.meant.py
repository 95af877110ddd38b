"""BYOL in bfloat16: a projection with a backward of its own, and a target that follows."""
import copy

import torch
import torch.nn.functional as F
from torch import nn


class Whiten(torch.autograd.Function):
    """Identity, whose gradient is freed of what all samples of the batch have in common."""

    @staticmethod
    def forward(ctx, z):
        ctx.save_for_backward(z)
        return z.clone()

    @staticmethod
    def backward(ctx, grad):
        (z,) = ctx.saved_tensors
        z, grad = F.normalize(z.float(), dim=0), grad.float()
        return grad - 0.3 * z @ (z.t() @ grad)


class Online(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(10, 24), nn.ReLU(), nn.Linear(24, 8))
        self.predict = nn.Linear(8, 8)

    def forward(self, x):
        return self.predict(Whiten.apply(self.encoder(x)))


def distance(a, b):
    return 2 - 2 * F.cosine_similarity(a.float(), b.float(), dim=1).mean()


def train(record, decay=0.95):
    torch.manual_seed(26)
    online = Online()
    target = copy.deepcopy(online.encoder).requires_grad_(False)
    optimizer = torch.optim.SGD(online.parameters(), lr=0.5)
    x = torch.randn(64, 10)
    goal = target(x)
    for n in range(12):
        rows = torch.randperm(64)[:32]
        optimizer.zero_grad()
        with torch.autocast("cpu", dtype=torch.bfloat16):
            loss = distance(online(x[rows] + 0.1 * torch.randn(32, 10)), goal[rows])
        loss.backward()
        optimizer.step()
        record(list(online.parameters()))
        for slow, fast in zip(target.parameters(), online.encoder.parameters()):
            slow.data.lerp_(fast.data, 1 - decay)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            goal = target(x)
        print(n, f"{loss.item():.4f}", goal.dtype)


if __name__ == "__main__":
    train(lambda parameters: None)
