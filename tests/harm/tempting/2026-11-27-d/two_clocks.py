import torch
import torch.nn.functional as F
from torch import nn

SLOW = 3


class Shrink(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor):
        ctx.factor = factor
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad):
        return grad * ctx.factor, None


def train(record):
    torch.manual_seed(20)
    x = torch.randn(96, 5)
    y = (x[:, :3].square().sum(1) > 2.5).long()
    trunk = nn.Sequential(nn.Linear(5, 20), nn.Tanh())
    head = nn.Linear(20, 2)
    everything = [*trunk.parameters(), *head.parameters()]
    trunk_opt = torch.optim.SGD(trunk.parameters(), lr=0.3)
    head_opt = torch.optim.SGD(head.parameters(), lr=0.3)
    trunk_opt.zero_grad()
    for epoch in range(3):
        for n, (xb, yb) in enumerate(zip(x.split(8), y.split(8)), start=1):
            head_opt.zero_grad()
            features = Shrink.apply(trunk(xb), 1 / SLOW)
            loss = F.cross_entropy(head(features), yb)
            loss.backward()
            head_opt.step()
            record(everything)
            if n % SLOW == 0:
                trunk_opt.step()
                record(everything)
                trunk_opt.zero_grad()


if __name__ == "__main__":
    train(lambda parameters: None)
