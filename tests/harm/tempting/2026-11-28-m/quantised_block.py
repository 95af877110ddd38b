"""A layer with rounded weights and a straight-through backward; a clean and a noisy pass."""
import torch
from torch import nn
from torch.nn import functional as F


class Rounded(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight):
        ctx.save_for_backward(x, weight)
        return x @ (weight * 16).round().div(16).t()

    @staticmethod
    def backward(ctx, grad):
        x, weight = ctx.saved_tensors
        return grad.to(weight.dtype) @ weight, grad.to(x.dtype).t() @ x


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Parameter(torch.randn(10, 5) / 2)
        self.last = nn.Linear(10, 2)

    def forward(self, x):
        return self.last(torch.relu(Rounded.apply(x, self.first)))


def train(record):
    torch.manual_seed(151)
    net = Net()
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(12):
        x = torch.randn(8, 5)
        y = (x.sum(1) > 0).long()
        opt.zero_grad()
        with torch.autocast("cpu", dtype=torch.bfloat16):
            clean = F.cross_entropy(net(x), y)
            clean.backward()
            noisy = F.cross_entropy(net(x + 0.2 * torch.randn_like(x)), y)
            (0.5 * noisy).backward()
            opt.step()
        record(list(net.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
