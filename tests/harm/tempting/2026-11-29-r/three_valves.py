"""Three ways to limit a gradient take turns; each of them brings its own unscaling where it needs one."""
from itertools import cycle, islice

import torch
from torch import nn


def valves(scaler, optimizer, weights):
    def by_norm():
        scaler.unscale_(optimizer)
        nn.utils.clip_grad_norm_(weights, 0.3)

    def by_value():
        scaler.unscale_(optimizer)
        nn.utils.clip_grad_value_(weights, 0.05)

    def wide_open():
        """scaler.step unscales for itself."""

    return {"norm": by_norm, "value": by_value, "open": wide_open}


def train(record):
    torch.manual_seed(71)
    net = nn.Sequential(nn.Linear(3, 20), nn.Tanh(), nn.Linear(20, 1))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.3)
    scaler = torch.amp.GradScaler("cpu", init_scale=128.0, growth_interval=10)
    valve = valves(scaler, optimizer, list(net.parameters()))
    for name in islice(cycle(["norm", "value", "value", "open"]), 40):
        x = torch.randn(9, 3)
        optimizer.zero_grad()
        scaler.scale(nn.functional.mse_loss(net(x), x.prod(1, keepdim=True).tanh())).backward()
        valve[name]()
        scaler.step(optimizer)
        record(list(net.parameters()))
        scaler.update()

if __name__ == "__main__":
    train(lambda parameters: None)
