"""Clipping without a pass of its own for unscaling: the limit is brought to the scale instead."""
import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_


class Loop:
    limit = 0.3

    def __init__(self, net):
        self.net = net
        self.opt = torch.optim.SGD(net.parameters(), lr=0.5)
        self.scaler = torch.amp.GradScaler("cpu", init_scale=256.0, growth_interval=5)
        self.norms = []

    def turn(self, x, y):
        self.opt.zero_grad()
        with torch.autocast("cpu", dtype=torch.float16):
            out = self.net(x)
        loss = nn.functional.mse_loss(out.float(), y)
        self.scaler.scale(loss).backward()
        factor = self.scaler.get_scale()
        norm = clip_grad_norm_(self.net.parameters(), self.limit * factor)
        self.norms.append(float(norm) / factor)
        self.scaler.step(self.opt)
        self.scaler.update()


def train(record):
    torch.manual_seed(50)
    loop = Loop(nn.Sequential(nn.Linear(5, 10), nn.Tanh(), nn.Linear(10, 1)))
    for _ in range(25):
        x = torch.randn(12, 5)
        loop.turn(x, 3 * x[:, :1] - x[:, 1:2])
        record(list(loop.net.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
