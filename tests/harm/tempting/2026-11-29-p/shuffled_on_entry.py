import torch
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


class Passes:
    """A loader that knows how often it was walked."""

    def __init__(self, dataset, batch_size, world=1, rank=0):
        self.order = DistributedSampler(dataset, num_replicas=world, rank=rank, shuffle=True, seed=9)
        self.loader = DataLoader(dataset, batch_size=batch_size, sampler=self.order)
        self.walked = 0

    def __len__(self):
        return len(self.loader)

    def __iter__(self):
        self.order.set_epoch(self.walked)
        self.walked += 1
        yield from self.loader


class EarlyStop:
    def __init__(self, patience):
        self.best, self.bad, self.patience = float("inf"), 0, patience

    def __call__(self, value):
        self.best, self.bad = (value, 0) if value < self.best - 1e-4 else (self.best, self.bad + 1)
        return self.bad >= self.patience


def train(record):
    torch.manual_seed(101)
    x = torch.randn(64, 4)
    y = (x[:, :1] * x[:, 1:2]).tanh()
    passes = Passes(TensorDataset(x, y), batch_size=8)
    net = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 1))
    optimizer = torch.optim.Adam(net.parameters(), lr=0.02)
    stop = EarlyStop(patience=2)
    for epoch in range(8):
        total = 0.0
        for inputs, targets in passes:
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(net(inputs), targets)
            loss.backward()
            optimizer.step()
            record(list(net.parameters()))
            total += loss.item()
        if stop(total / len(passes)):
            break


if __name__ == "__main__":
    train(lambda parameters: None)
