"""Steps with an overflow are left out and counted."""
import torch
from torch import nn


def loudest(parameters):
    return max(p.grad.abs().max() for p in parameters)


def samples(n):
    gen = torch.Generator().manual_seed(16)
    for _ in range(n):
        x = torch.randn(14, 4, generator=gen)
        yield x, x.square().mean(1, keepdim=True)


def train(record):
    torch.manual_seed(143)
    net = nn.Sequential(nn.Linear(4, 18), nn.ReLU(), nn.Linear(18, 1))
    weights = list(net.parameters())
    opt = torch.optim.SGD(weights, lr=0.1)
    scaler = torch.amp.GradScaler("cpu", init_scale=2.0**20, growth_interval=200)
    skipped = 0
    for x, y in samples(40):
        opt.zero_grad()
        with torch.autocast("cpu", dtype=torch.float16):
            out = net(x)
            loss = nn.functional.mse_loss(out, y.half())
        scaler.scale(loss).backward()
        if torch.isfinite(loudest(weights)):
            scaler.step(opt)
            scaler.update()
            record(weights)
        else:
            skipped += 1
    print("skipped", skipped, "scale", scaler.get_scale())
    return skipped


if __name__ == "__main__":
    train(lambda parameters: None)
