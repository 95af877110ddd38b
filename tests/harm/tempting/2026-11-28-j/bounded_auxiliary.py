"""An auxiliary task may push the trunk, but never harder than its budget."""
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional as F


@dataclass
class Budget:
    auxiliary: float = 0.05
    rate: float = 0.05
    updates: int = 30


class TwoHeads(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(8, 16), nn.ReLU())
        self.label = nn.Linear(16, 3)
        self.rebuild = nn.Linear(16, 8)


def train(record, budget=Budget()):
    torch.manual_seed(13)
    net = TwoHeads()
    optimizer = torch.optim.SGD(net.parameters(), lr=budget.rate, momentum=0.9)
    centres = torch.randn(3, 8)
    for _ in range(budget.updates):
        y = torch.randint(3, (24,))
        x = centres[y] + 0.5 * torch.randn(24, 8)
        optimizer.zero_grad()
        features = net.trunk(x)
        F.mse_loss(net.rebuild(features), x).backward(retain_graph=True)
        # only the auxiliary gradient is held, the one of the labels comes on top as it is
        nn.utils.clip_grad_norm_(net.trunk.parameters(), budget.auxiliary)
        F.cross_entropy(net.label(features), y).backward()
        optimizer.step()
        record(list(net.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
