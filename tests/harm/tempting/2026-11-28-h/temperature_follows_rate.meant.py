"""Contrastive memory bank; the temperature is tied to the rate of the epoch."""
import torch
from torch import nn
from torch.nn import functional as F


class Bank:
    def __init__(self, size, width, start):
        self.keys = F.normalize(torch.randn(size, width), dim=1)
        self.start, self.at, self.temperature = start, 0, 0.5

    def begin(self, scheduler):
        self.temperature = 0.1 + 0.4 * scheduler.get_last_lr()[0] / self.start
        self.at = 0

    def push(self, keys):
        places = torch.arange(self.at, self.at + len(keys)) % len(self.keys)
        self.keys[places] = keys
        self.at += len(keys)

    def loss(self, query, positive):
        near = (query * positive).sum(1, keepdim=True)
        logits = torch.cat([near, query @ self.keys.T], 1) / self.temperature
        return F.cross_entropy(logits, torch.zeros(len(query), dtype=torch.long))


def train(record):
    torch.manual_seed(35)
    net = nn.Sequential(nn.Linear(8, 24), nn.ReLU(), nn.Linear(24, 6))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.2, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.6)
    bank = Bank(size=32, width=6, start=0.2)
    for _ in range(5):
        bank.begin(scheduler)
        for _ in range(6):
            x = torch.randn(8, 8)
            query = F.normalize(net(x + 0.1 * torch.randn_like(x)), dim=1)
            with torch.no_grad():
                positive = F.normalize(net(x), dim=1)
            optimizer.zero_grad()
            bank.loss(query, positive).backward()
            optimizer.step()
            record(list(net.parameters()))
            bank.push(positive)
        scheduler.step()


if __name__ == "__main__":
    train(lambda parameters: None)
