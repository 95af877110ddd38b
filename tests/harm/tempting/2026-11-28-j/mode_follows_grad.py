"""The mode follows the gradient mode: whoever forwards under no_grad gets the network without its noise."""
import copy

import torch
from torch import nn
from torch.nn import functional as F


def follow_grad_mode(module, args):
    module.train(torch.is_grad_enabled())


def build():
    net = nn.Sequential(nn.Linear(6, 18), nn.BatchNorm1d(18), nn.ReLU(), nn.Dropout(0.3), nn.Linear(18, 2))
    net.register_forward_pre_hook(follow_grad_mode)
    return net


@torch.no_grad()
def rounding_check(net, probe):
    net.eval()
    exact = copy.deepcopy(net).double()(probe.double())
    return (exact - net(probe)).abs().max().item()


def train(record):
    torch.manual_seed(6)
    net = build()
    optimizer = torch.optim.Adam(net.parameters(), lr=5e-3)
    probe = torch.randn(4, 6)
    checks = []
    for epoch in range(4):
        for _ in range(6):
            x = torch.randn(16, 6)
            y = (x.prod(1) > 0).long()
            optimizer.zero_grad()
            F.cross_entropy(net(x), y).backward()
            optimizer.step()
            record(list(net.parameters()))
        checks.append(rounding_check(net, probe))
    return checks


if __name__ == "__main__":
    train(lambda parameters: None)
