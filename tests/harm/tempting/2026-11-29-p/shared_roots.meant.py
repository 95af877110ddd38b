"""Roots with two optimizers: one for the shape of all weights, one that pulls the roots along slowly."""
import torch
from torch import nn
from torch.nn import functional as F


class Plant(nn.Module):
    def __init__(self):
        super().__init__()
        self.roots = nn.Linear(7, 14)
        self.leaves = nn.ModuleDict({"light": nn.Linear(14, 1), "water": nn.Linear(14, 2)})

    def forward(self, x):
        hidden = torch.relu(self.roots(x))
        return {name: leaf(hidden) for name, leaf in self.leaves.items()}


def update(optimizers, plant, record):
    for optimizer in optimizers:
        optimizer.step()
        record(list(plant.parameters()))
    for optimizer in optimizers:
        optimizer.zero_grad()


def train(record):
    torch.manual_seed(219)
    plant = Plant()
    optimizers = [
        torch.optim.Adam(plant.parameters(), lr=0.01),
        torch.optim.SGD(plant.roots.parameters(), lr=0.05, momentum=0.9),
    ]
    for _ in range(20):
        x = torch.randn(16, 7)
        out = plant(x)
        loss = F.mse_loss(out["light"], x[:, :3].sum(1, keepdim=True).cos())
        loss = loss + 0.5 * F.cross_entropy(out["water"], (x[:, 3] > x[:, 4]).long())
        loss.backward()
        update(optimizers, plant, record)

if __name__ == "__main__":
    train(lambda parameters: None)
