"""Gradients are turned by a full matrix in a hook; the slow copy sets the next targets in bfloat16."""
import copy

import torch
from torch import nn


class Turned(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.linear = nn.Linear(inputs, outputs)
        self.register_buffer("second", torch.eye(inputs))
        self.linear.weight.register_hook(self.turn)

    def turn(self, grad):
        whitened = grad @ torch.linalg.inv(self.second + 0.1 * torch.eye(len(self.second)))
        return whitened.to(grad.dtype)

    def forward(self, x):
        if self.training:
            with torch.no_grad(), torch.autocast("cpu", enabled=False):
                self.second.lerp_(x.float().T @ x.float() / len(x), 0.1)
        return self.linear(x)


def train(record):
    torch.manual_seed(221)
    net = nn.Sequential(Turned(5, 16), nn.Tanh(), Turned(16, 4))
    slow = copy.deepcopy(net).eval().requires_grad_(False)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
    x = torch.randn(24, 5)
    wanted = x[:, :4].sin()
    for _ in range(18):
        optimizer.zero_grad()
        following = torch.randn(24, 5)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            loss = nn.functional.mse_loss(net(x).float(), wanted)
            loss.backward()
            ahead = slow(following)
        optimizer.step()
        record(list(net.parameters()))
        with torch.no_grad():
            for old, new in zip(slow.parameters(), net.parameters()):
                old.lerp_(new, 0.1)
        x, wanted = following, 0.3 * ahead.float() + 0.7 * following[:, :4].sin()

if __name__ == "__main__":
    train(lambda parameters: None)
