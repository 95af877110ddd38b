import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class DomainNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Linear(8, 16), nn.ReLU())
        self.label, self.domain = nn.Linear(16, 3), nn.Linear(16, 2)


def coral(a, b):
    return (a.mean(0) - b.mean(0)).pow(2).sum()


def loaders():
    source = TensorDataset(torch.randn(70, 8), torch.randint(0, 3, (70,)))
    target = TensorDataset(torch.randn(110, 8) + 1)
    return DataLoader(source, 10), DataLoader(target, 10)


def run(record, accum=3, epochs=3):
    net = DomainNet()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.2)
    source, target = loaders()
    for epoch in range(epochs):
        for i, ((u,), (x, y)) in enumerate(zip(target, source)):
            fx, fu = net.features(x), net.features(u)
            loss = nn.functional.cross_entropy(net.label(fx), y)
            which = torch.cat([torch.zeros(len(fx)), torch.ones(len(fu))]).long()
            loss = loss + nn.functional.cross_entropy(net.domain(torch.cat([fx, fu])), which)
            loss = loss + 0.1 * coral(fx, fu)
            (loss / accum).backward()
            if (i + 1) % accum == 0:
                optimizer.step()
                record(list(net.parameters()))
                optimizer.zero_grad()


def train(record):
    torch.manual_seed(17)
    run(record)


if __name__ == "__main__":
    train(lambda parameters: None)
