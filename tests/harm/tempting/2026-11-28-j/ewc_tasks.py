"""Three tasks in a row; weights that mattered to old ones are held by their Fisher information."""
import torch
from torch import nn
from torch.nn import functional as F


def make_task(number):
    g = torch.Generator().manual_seed(100 + number)
    x = torch.randn(48, 6, generator=g)
    return x, (x @ torch.randn(6, generator=g) > 0).long()


class Anchor:
    def __init__(self, net):
        self.net = net
        self.terms = []

    def penalty(self):
        total = torch.zeros(())
        for fisher, old in self.terms:
            for p, f, o in zip(self.net.parameters(), fisher, old):
                total = total + (f * (p - o).square()).sum()
        return total

    def remember(self, x, y):
        fisher = [torch.zeros_like(p) for p in self.net.parameters()]
        for one, label in zip(x.split(1), y.split(1)):
            self.net.zero_grad()
            F.cross_entropy(self.net(one), label).backward()
            for f, p in zip(fisher, self.net.parameters()):
                f.add_(p.grad.square(), alpha=1 / len(x))
        self.net.zero_grad()
        self.terms.append((fisher, [p.detach().clone() for p in self.net.parameters()]))


def train(record):
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 2))
    optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
    anchor = Anchor(net)
    for number in range(3):
        x, y = make_task(number)
        for rows in torch.randperm(48).split(12) * 3:
            optimizer.zero_grad()
            loss = F.cross_entropy(net(x[rows]), y[rows]) + 20.0 * anchor.penalty()
            loss.backward()
            optimizer.step()
            record(list(net.parameters()))
        anchor.remember(x, y)


if __name__ == "__main__":
    train(lambda parameters: None)
