import math

import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils import clip_grad_norm_


class ConvNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(1, 4, 3, padding=1)
        self.out = nn.Linear(4 * 8, 3)

    def forward(self, x):
        return self.out(F.relu(self.conv(x)).flatten(1))


class Report:
    def __init__(self):
        self.rows = []

    def add(self, net, norm):
        widest = max((p.grad.abs().max().item(), name) for name, p in net.named_parameters())
        self.rows.append((norm, *widest))

    def last(self):
        return self.rows[-1]


def batches(n):
    for _ in range(n):
        x = torch.randn(12, 1, 8)
        yield x, (x.sum((1, 2)) > 0).long() + (x[:, 0, 0] > 1).long()


def train(record):
    torch.manual_seed(0)
    net = ConvNet()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.8)
    report = Report()
    limit = 1.0
    for epoch in range(3):
        for step, (x, y) in enumerate(batches(6)):
            optimizer.zero_grad()
            loss = F.cross_entropy(net(x), y)
            loss.backward()
            for p in net.parameters():
                p.grad.clamp_(-limit, limit)
            optimizer.step()
            record(list(net.parameters()))
            norm = clip_grad_norm_(net.parameters(), math.inf).item()
            report.add(net, norm)
            if norm > 1.5:
                limit = max(0.1, 0.9 * limit)
        print(epoch, round(loss.item(), 4), report.last(), round(limit, 3))


if __name__ == "__main__":
    train(lambda parameters: None)
