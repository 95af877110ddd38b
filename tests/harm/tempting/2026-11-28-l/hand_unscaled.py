"""A loss scale that is looked after by hand: the scaler only keeps the number."""
import torch
from torch import nn


class Halver:
    def __init__(self, start):
        self.scaler = torch.amp.GradScaler("cpu", init_scale=start)

    def scale(self, loss):
        return self.scaler.scale(loss)

    @torch.no_grad()
    def restore(self, params):
        inverse = 1.0 / self.scaler.get_scale()
        finite = True
        for p in params:
            p.grad.mul_(inverse)
            finite = finite and bool(torch.isfinite(p.grad).all())
        return finite

    def lower(self):
        self.scaler.update(self.scaler.get_scale() / 2)


def train(record):
    torch.manual_seed(2)
    net = nn.Sequential(nn.Linear(7, 20), nn.Tanh(), nn.Linear(20, 1))
    params = list(net.parameters())
    opt = torch.optim.SGD(params, lr=0.1, momentum=0.9)
    halver = Halver(2.0**14)
    for turn in range(30):
        x = torch.randn(16, 7)
        y = x.pow(2).mean(1, keepdim=True)
        opt.zero_grad()
        with torch.autocast("cpu", dtype=torch.float16):
            out = net(x)
        loss = nn.functional.mse_loss(out.float(), y)
        halver.scale(loss).backward()
        if halver.restore(params):
            opt.step()
            record(params)
        else:
            halver.lower()


if __name__ == "__main__":
    train(lambda parameters: None)
