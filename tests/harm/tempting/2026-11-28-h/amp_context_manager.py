"""An ensemble of experts behind one gate; one backward, an optimizer each."""
from contextlib import contextmanager

import torch
from torch import nn
from torch.nn import functional as F


class Mixture(nn.Module):
    def __init__(self, experts=3):
        super().__init__()
        self.gate = nn.Linear(4, experts)
        self.experts = nn.ModuleList(
            nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1)) for _ in range(experts)
        )

    def forward(self, x):
        weights = self.gate(x).softmax(-1)
        outs = torch.cat([expert(x) for expert in self.experts], 1)
        return (weights * outs).sum(1)


@contextmanager
def turn(scaler, optimizers):
    for optimizer in optimizers:
        optimizer.zero_grad()
    yield
    scaler.update()


def train(record):
    torch.manual_seed(18)
    model = Mixture()
    optimizers = [torch.optim.SGD(model.gate.parameters(), lr=0.2)]
    optimizers += [torch.optim.Adam(e.parameters(), lr=0.01) for e in model.experts]
    scaler = torch.amp.GradScaler("cpu", init_scale=64.0, growth_interval=4)
    for _ in range(20):
        x = torch.randn(32, 4)
        y = torch.where(x[:, 0] > 0, x[:, 1], -x[:, 2])
        with turn(scaler, optimizers):
            scaler.scale(F.mse_loss(model(x), y)).backward()
            for optimizer in optimizers:
                scaler.step(optimizer)
        record(list(model.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
