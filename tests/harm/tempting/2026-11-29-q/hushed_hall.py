"""The probe is decorated: every module gets its own mode back."""
import functools

import torch
from torch import nn


def hushed(probe):
    @functools.wraps(probe)
    def wrapped(net, *args):
        modes = {m: m.training for m in net.modules()}
        net.eval()
        try:
            return probe(net, *args)
        finally:
            for module, mode in modes.items():
                module.training = mode
    return wrapped


@hushed
@torch.no_grad()
def probe(net, x):
    return net(x).var().item()


def train(record):
    torch.manual_seed(106)
    net = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Dropout(0.3), nn.Linear(8, 1))
    net[1].eval()
    opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.5)
    held, widths = torch.randn(16, 4), []
    for n in range(40):
        if n % 8 == 0:
            widths.append(probe(net, held))
        x = torch.randn(8, 4) + 0.5
        opt.zero_grad()
        nn.functional.mse_loss(net(x), x.sum(1, keepdim=True)).backward()
        opt.step()
        record(list(net.parameters()))
    return widths


if __name__ == "__main__":
    train(lambda parameters: None)
