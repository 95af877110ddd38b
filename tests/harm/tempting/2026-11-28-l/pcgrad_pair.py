"""Two tasks on one trunk; where their gradients disagree, each loses what works against the other."""
import torch
from torch import nn
from torch.nn import functional as F


class Shared(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(6, 16), nn.Tanh())
        self.price = nn.Linear(16, 1)
        self.label = nn.Linear(16, 3)

    def forward(self, x):
        h = self.trunk(x)
        return self.price(h).squeeze(1), self.label(h)


def collect(parameters):
    return [torch.zeros_like(p) if p.grad is None else p.grad.clone() for p in parameters]


def project(mine, other):
    dot = sum((a * b).sum() for a, b in zip(mine, other))
    if dot >= 0:
        return mine
    length = sum((b * b).sum() for b in other)
    return [a - dot / length * b for a, b in zip(mine, other)]


def train(record):
    torch.manual_seed(3)
    net = Shared()
    params = list(net.parameters())
    opt = torch.optim.SGD(params, lr=0.1, momentum=0.8)
    x = torch.randn(256, 6)
    price, label = x[:, 0] - x[:, 1], (x[:, 1] + x[:, 2] > 0).long() + (x[:, 3] > 1).long()
    for chunk in torch.randperm(256).split(32):
        guess, logits = net(x[chunk])
        views = []
        for loss in (F.mse_loss(guess, price[chunk]), F.cross_entropy(logits, label[chunk])):
            loss.backward(retain_graph=True)
            views.append(collect(params))
            opt.zero_grad()
        first, second = views
        merged = zip(params, project(first, second), project(second, first))
        for p, a, b in merged:
            p.grad = a + b
        opt.step()
        record(params)
        opt.zero_grad()


if __name__ == "__main__":
    train(lambda parameters: None)
