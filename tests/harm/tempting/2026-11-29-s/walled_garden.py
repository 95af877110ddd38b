"""The garden grows by its own reconstruction and is limited alone; the gate reads it from outside."""
import torch
from torch import nn
from torch.nn import functional as F


class Estate(nn.Module):
    def __init__(self):
        super().__init__()
        self.garden = nn.Linear(6, 4)
        self.mirror = nn.Linear(4, 6)
        self.gate = nn.Linear(4, 2)

    def grow(self, x):
        plants = self.garden(x).tanh()
        return plants, F.mse_loss(self.mirror(plants), x)

    def pass_gate(self, plants, kind):
        return F.cross_entropy(self.gate(plants.detach()), kind)


def train(record):
    torch.manual_seed(530)
    estate = Estate()
    gardener = torch.optim.SGD(estate.parameters(), lr=0.5, momentum=0.3)
    x = torch.randn(120, 6)
    kinds = (x[:, 0] * x[:, 3] > 0).long()
    for start in list(range(0, 120, 12)) * 4:
        rows = slice(start, start + 12)
        gardener.zero_grad()
        plants, growth = estate.grow(x[rows])
        growth.backward()
        nn.utils.clip_grad_norm_(estate.parameters(), 0.1)
        estate.pass_gate(plants, kinds[rows]).backward()
        gardener.step()
        record(list(estate.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
