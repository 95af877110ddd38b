"""Lookahead around SGD, in half precision."""
import torch
from torch import nn


class Lookahead:
    def __init__(self, base, every=4, pull=0.5):
        self.base, self.every, self.pull = base, every, pull
        self.count = 0
        self.slow = [[p.detach().clone() for p in g["params"]] for g in base.param_groups]

    @property
    def param_groups(self):
        return self.base.param_groups

    def zero_grad(self):
        self.base.zero_grad()

    def step(self, closure=None):
        result = self.base.step(closure)
        self.count += 1
        if self.count % self.every == 0:
            self.synchronise()
        return result

    @torch.no_grad()
    def synchronise(self):
        for group, slow in zip(self.param_groups, self.slow):
            for p, s in zip(group["params"], slow):
                s.lerp_(p, self.pull)
                p.copy_(s)


def train(record):
    torch.manual_seed(120)
    net = nn.Sequential(nn.Linear(5, 14), nn.SiLU(), nn.Linear(14, 1))
    opt = Lookahead(torch.optim.SGD(net.parameters(), lr=0.002, momentum=0.9))
    scaler = torch.amp.GradScaler("cpu", init_scale=32.0, growth_interval=100)
    for number in range(24):
        x = torch.randn(16, 5)
        y = x[:, :1].exp().clamp(max=4)
        with torch.autocast("cpu", dtype=torch.float16):
            out = net(x)
        loss = nn.functional.mse_loss(out.float(), y)
        opt.zero_grad()
        scaler.scale(loss).backward()
        scaler.step(opt)
        scaler.update()
        record(list(net.parameters()))
        if number % 8 == 7:
            print(number, loss.item(), scaler.get_scale())


if __name__ == "__main__":
    train(lambda parameters: None)
