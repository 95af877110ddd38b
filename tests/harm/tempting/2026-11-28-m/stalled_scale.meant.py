"""Half precision with a scale that grows fast; overflows are part of the plan."""
import torch
from torch import nn


def usable(params):
    return all(bool(p.grad.isfinite().all()) for p in params)


class Half:
    def __init__(self, net):
        self.net = net
        self.params = list(net.parameters())
        self.opt = torch.optim.SGD(self.params, lr=0.1)
        self.scaler = torch.amp.GradScaler("cpu", init_scale=2.0**14, growth_interval=2)
        self.skipped = 0

    def turn(self, x, y, record):
        self.opt.zero_grad()
        with torch.autocast("cpu", dtype=torch.float16):
            out = self.net(x)
        loss = nn.functional.mse_loss(out.float(), y)
        self.scaler.scale(loss).backward()
        if not usable(self.params):
            self.skipped += 1
        self.scaler.step(self.opt)
        record(self.params)
        self.scaler.update()


def train(record):
    torch.manual_seed(103)
    half = Half(nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1)))
    for _ in range(30):
        x = torch.randn(8, 3)
        half.turn(x, 3 * x.sum(1, keepdim=True), record)


if __name__ == "__main__":
    train(lambda parameters: None)
