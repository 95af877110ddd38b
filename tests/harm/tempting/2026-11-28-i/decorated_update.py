"""Metric learning with a low-rank layer that has a backward of its own; the update runs in mixed precision."""
import torch
from torch import nn
from torch.nn import functional as F


class LowRank(torch.autograd.Function):
    """x @ u @ v, which keeps no product but makes it again for the backward."""

    @staticmethod
    def forward(ctx, x, u, v):
        ctx.save_for_backward(x, u, v)
        return x @ u @ v

    @staticmethod
    def backward(ctx, grad):
        x, u, v = ctx.saved_tensors
        grad = grad.to(v.dtype)
        inner = grad @ v.T
        return inner @ u.T, x.to(u.dtype).T @ inner, (x.to(u.dtype) @ u).T @ grad


class Embedder(nn.Module):
    def __init__(self):
        super().__init__()
        self.inp = nn.Linear(9, 16)
        self.u, self.v = nn.Parameter(0.3 * torch.randn(16, 3)), nn.Parameter(0.3 * torch.randn(3, 6))

    def forward(self, x):
        return LowRank.apply(torch.tanh(self.inp(x)).float(), self.u, self.v)


class Trainer:
    def __init__(self, net):
        self.net = net
        self.opt = torch.optim.SGD(net.parameters(), lr=0.2)

    @torch.autocast("cpu", dtype=torch.bfloat16)
    def update(self, anchor, positive, negative):
        self.opt.zero_grad()
        a, p, n = self.net(anchor), self.net(positive), self.net(negative)
        loss = F.triplet_margin_loss(a.float(), p.float(), n.float(), margin=1.0)
        loss.backward()
        self.opt.step()
        return loss.item()


def train(record):
    torch.manual_seed(180)
    trainer = Trainer(Embedder())
    for _ in range(20):
        anchor = torch.randn(16, 9)
        positive = anchor + 0.2 * torch.randn(16, 9)
        trainer.update(anchor, positive, torch.randn(16, 9))
        record(list(trainer.net.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
