import math

import torch
import yaml
from torch import nn

from .objective import PinballLoss
from .pulse import Pulse
from .series import make_loader
from .windowing import windows


class Forecaster(nn.Module):
    def __init__(self, history, horizon, hidden, levels):
        super().__init__()
        self.shape = (horizon, levels)
        self.body = nn.Sequential(nn.Linear(history, hidden), nn.GELU(), nn.Linear(hidden, horizon * levels))

    def forward(self, x):
        return self.body(x).unflatten(1, self.shape)


def run_epoch(net, loader, objective, optimizer, pulse, micro):
    for window in windows(loader, micro):
        optimizer.zero_grad()
        for past, future in window:
            loss = objective(net(past), future)
            loss.backward()
            pulse.after_batch(loss.item())
        optimizer.step()
        pulse.after_window()


def main(path):
    with open(path) as source:
        cfg = yaml.safe_load(source)
    torch.manual_seed(cfg["seed"])
    loader = make_loader(cfg["history"], cfg["horizon"], cfg["batch"])
    net = Forecaster(cfg["history"], cfg["horizon"], cfg["hidden"], len(cfg["quantiles"]))
    objective = PinballLoss(cfg["quantiles"], share=1 / cfg["micro"])
    optimizer = torch.optim.SGD(net.parameters(), lr=cfg["lr"], momentum=0.9)
    updates = cfg["epochs"] * math.ceil(len(loader) / cfg["micro"])
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.1, total_iters=updates)
    pulse = Pulse(schedule)
    for epoch in range(cfg["epochs"]):
        run_epoch(net, loader, objective, optimizer, pulse, cfg["micro"])
        print(epoch, pulse.report())
