"""Stops in the middle and goes on from the weights alone; the schedule is wound forward to the same place."""
import io

import torch
from torch import nn
from torch.optim.lr_scheduler import CosineAnnealingLR, LinearLR, SequentialLR

TOTAL = 24


def build(done=0):
    net = nn.Sequential(nn.Linear(4, 12), nn.GELU(), nn.Linear(12, 1))
    opt = torch.optim.SGD(net.parameters(), lr=0.2)
    sched = SequentialLR(
        opt,
        [LinearLR(opt, start_factor=0.1, total_iters=4), CosineAnnealingLR(opt, T_max=TOTAL - 4)],
        milestones=[4],
    )
    for _ in range(done):
        sched.step()
    return net, opt, sched


def data(number):
    g = torch.Generator().manual_seed(number)
    x = torch.randn(32, 4, generator=g)
    return x, x.prod(1, keepdim=True)


def run(net, opt, sched, start, stop, record):
    for number in range(start, stop):
        x, y = data(number)
        opt.zero_grad()
        nn.functional.mse_loss(net(x), y).backward()
        opt.step()
        record(list(net.parameters()))
        sched.step()
    return stop


def train(record):
    torch.manual_seed(2)
    net, opt, sched = build()
    done = run(net, opt, sched, 0, 10, record)
    file = io.BytesIO()
    torch.save({"net": net.state_dict(), "done": done}, file)

    file.seek(0)
    saved = torch.load(file)
    net, opt, sched = build(saved["done"])
    net.load_state_dict(saved["net"])
    run(net, opt, sched, saved["done"], TOTAL, record)


if __name__ == "__main__":
    train(lambda parameters: None)
