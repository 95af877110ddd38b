"""A pace-maker asks the network now and then how well it does, and makes the samples harder."""
import torch
from torch import nn
from torch.nn import functional as F


def sample(n, spread):
    y = torch.randint(2, (n,))
    return (2.0 * y - 1).unsqueeze(1) / (1 + spread) + torch.randn(n, 6) * spread, y


class Pace:
    def __init__(self, net, every):
        self.net, self.every, self.spread = net, every, 0.5

    def score(self):
        self.net.eval()
        with torch.no_grad():
            x, y = sample(64, self.spread)
            return (self.net(x).argmax(1) == y).float().mean().item()

    def __iter__(self):
        for number in range(10_000):
            if number and number % self.every == 0 and self.score() > 0.6:
                self.spread += 0.25
            yield sample(20, self.spread)


def train(record, epochs=2):
    torch.manual_seed(56)
    net = nn.Sequential(nn.Linear(6, 24), nn.ReLU(), nn.Dropout(0.5), nn.Linear(24, 2))
    optimizer = torch.optim.RMSprop(net.parameters(), lr=3e-3)
    batches = iter(Pace(net, every=5))
    for epoch in range(epochs):
        net.train()
        for _ in range(22):
            x, y = next(batches)
            optimizer.zero_grad()
            F.cross_entropy(net(x), y).backward()
            optimizer.step()
            record(list(net.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
