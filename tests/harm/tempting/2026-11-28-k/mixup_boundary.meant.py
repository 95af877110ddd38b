"""Mixup for sensor data: the partners are drawn anew whenever a window begins."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Mixer:
    def __init__(self, x, y, alpha=0.4):
        self.x, self.y = x, y
        self.beta = torch.distributions.Beta(alpha, alpha)

    def redraw(self, size):
        self.rows = torch.randint(0, len(self.x), (size,))
        self.weight = self.beta.sample().item()

    def __call__(self, x, y):
        keep, w = self.rows[: len(x)], self.weight
        return w * x + (1 - w) * self.x[keep], w * y + (1 - w) * self.y[keep]


def sensors(n=96):
    kind = torch.randint(0, 3, (n,))
    x = torch.randn(n, 8) * 0.5 + nn.functional.one_hot(kind, 8) * 2
    return x, nn.functional.one_hot(kind, 3).float()


def train(record, accum=4, size=8):
    torch.manual_seed(7)
    x, y = sensors()
    loader = DataLoader(TensorDataset(x, y), batch_size=size, shuffle=True)
    mixer = Mixer(x, y)
    net = nn.Sequential(nn.Linear(8, 16), nn.GELU(), nn.Linear(16, 3))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.3)
    for epoch in range(3):
        for i, (features, target) in enumerate(loader):
            boundary = i % accum == 0
            if boundary:
                mixer.redraw(size)
            features, target = mixer(features, target)
            loss = nn.functional.cross_entropy(net(features), target)
            (loss / accum).backward()
            if (i + 1) % accum == 0 or i + 1 == len(loader):
                optimizer.step()
                record(list(net.parameters()))
                optimizer.zero_grad()
        print(epoch, f"{loss.item():.4f}", f"{mixer.weight:.3f}")


if __name__ == "__main__":
    train(lambda parameters: None)
