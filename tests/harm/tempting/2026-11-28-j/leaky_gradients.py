"""Heavy-ball by hand: the gradient buffers themselves are the momentum."""
import torch
from torch import nn

DECAY = 0.8


def spiral(n, generator):
    t = torch.rand(n, 1, generator=generator) * 6.0
    x = torch.cat([t.cos() * t, t.sin() * t], 1)
    return x + 0.1 * torch.randn(n, 2, generator=generator), (t > 3.0).float()


class Leaky:
    """What is left of a gradient after an update leaks out slowly."""

    def __init__(self, parameters, decay):
        self.parameters, self.decay = parameters, decay

    def __call__(self):
        torch._foreach_mul_([p.grad for p in self.parameters], self.decay)


def train(record):
    torch.manual_seed(3)
    generator = torch.Generator().manual_seed(11)
    net = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 1))
    parameters = list(net.parameters())
    optimizer = torch.optim.SGD(parameters, lr=0.02)
    leak = Leaky(parameters, DECAY)
    criterion = nn.BCEWithLogitsLoss()
    for _ in range(30):
        x, y = spiral(32, generator)
        criterion(net(x), y).backward()
        optimizer.step()
        record(parameters)
        leak()


if __name__ == "__main__":
    train(lambda parameters: None)
