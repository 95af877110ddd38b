"""A physics-style fit by L-BFGS; the points go through the network in chunks."""
import torch
from torch import nn

CHUNKS = 3


class Wave(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(1, 8), nn.Tanh(), nn.Linear(8, 1))

    def forward(self, t):
        return t * (1 - t) * self.layers(t)


def residual(net, t):
    t = t.clone().requires_grad_(True)
    u = net(t)
    (du,) = torch.autograd.grad(u.sum(), t, create_graph=True)
    return (du + u - torch.cos(3 * t)).square().mean()


def closure(net, points, weights):
    net.zero_grad()
    total = 0.0
    for weight, part in zip(weights, points.chunk(CHUNKS)):
        loss = weight * residual(net, part)
        loss.backward()
        total += loss.item()
    return torch.tensor(total)


def train(record):
    torch.manual_seed(214)
    net = Wave()
    optimizer = torch.optim.LBFGS(net.parameters(), lr=0.1, max_iter=4, history_size=5)
    points = torch.linspace(0.02, 0.98, 30)[:, None]
    weights = [1 / CHUNKS] * CHUNKS
    for _ in range(6):
        shuffled = points[torch.randperm(len(points))]
        optimizer.step(lambda: closure(net, shuffled, weights))
        record(list(net.parameters()))

if __name__ == "__main__":
    train(lambda parameters: None)
