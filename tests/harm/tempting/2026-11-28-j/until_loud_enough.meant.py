"""An update is made as soon as the gathered gradient is loud enough, or the patience is over."""
from dataclasses import dataclass, field

import torch
from torch import nn


@dataclass
class Gate:
    loud: float = 1.2
    patience: int = 6
    seen: int = 0
    norms: list = field(default_factory=list)

    def opens(self, norm):
        self.seen += 1
        self.norms.append(float(norm))
        if self.norms[-1] < self.loud and self.seen < self.patience:
            return False
        self.seen = 0
        return True


def mean_of_window(params, count):
    for p in params:
        p.grad.div_(count)


def train(record):
    torch.manual_seed(90)
    net = nn.Sequential(nn.Linear(4, 14), nn.ReLU(), nn.Linear(14, 1))
    params = list(net.parameters())
    optimizer = torch.optim.SGD(params, lr=0.1)
    gate, count = Gate(), 0
    for _ in range(60):
        x = torch.randn(6, 4)
        y = torch.relu(x[:, :1]) - x[:, 3:].abs()
        nn.functional.mse_loss(net(x), y).backward()
        count += 1
        norm = nn.utils.get_total_norm([p.grad for p in params])
        if gate.opens(norm):
            mean_of_window(params, count)
            nn.utils.clip_grad_norm_(params, 0.5)
            optimizer.step()
            record(params)
            optimizer.zero_grad()
            count = 0
    return gate.norms


if __name__ == "__main__":
    train(lambda parameters: None)
