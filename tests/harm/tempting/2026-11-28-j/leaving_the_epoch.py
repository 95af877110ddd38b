"""Whoever leaves an epoch, at its end or by a break, makes an update of what has gathered."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Gathering:
    def __init__(self, optimizer, size, record):
        self.optimizer, self.size, self.record = optimizer, size, record
        self.pending = 0

    def __enter__(self):
        self.pending = 0
        return self

    def flush(self):
        self.optimizer.step()
        self.record(self.optimizer.param_groups[0]["params"])
        self.optimizer.zero_grad()
        self.pending = 0

    def add(self, loss):
        (loss / self.size).backward()
        self.pending += 1
        if self.pending == self.size:
            self.flush()

    def __exit__(self, kind, error, trace):
        if kind is None and self.pending:
            self.flush()


def train(record):
    torch.manual_seed(23)
    x = torch.randn(70, 4)
    loader = DataLoader(TensorDataset(x, (x[:, :1] - x[:, 3:]).exp()), batch_size=10, shuffle=True)
    net = nn.Sequential(nn.Linear(4, 11), nn.ELU(), nn.Linear(11, 1))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.02)
    for epoch in range(4):
        with Gathering(optimizer, 3, record) as gathering:
            for inputs, target in loader:
                gathering.add(nn.functional.smooth_l1_loss(net(inputs), target))


if __name__ == "__main__":
    train(lambda parameters: None)
