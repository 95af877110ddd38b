"""Plain training, then mixed precision with a loss scale. In both the weights are pulled to an anchor."""
import torch
from torch import nn


def pull(net, anchor, strength=0.5, scale=lambda loss: loss):
    far = sum((p - a).pow(2).sum() for p, a in zip(net.parameters(), anchor))
    scale(strength * far).backward()
    return far.item()


def plain_stage(net, anchor, batches, record):
    opt = torch.optim.SGD(net.parameters(), lr=0.05)
    for x, y in batches:
        opt.zero_grad()
        nn.functional.l1_loss(net(x), y).backward()
        pull(net, anchor)
        opt.step()
        record(list(net.parameters()))


def mixed_stage(net, anchor, batches, record):
    opt = torch.optim.SGD(net.parameters(), lr=0.05)
    scaler = torch.amp.GradScaler("cpu", init_scale=4096.0)
    for x, y in batches:
        opt.zero_grad()
        with torch.autocast("cpu", dtype=torch.float16):
            out = net(x)
        loss = nn.functional.l1_loss(out.float(), y)
        scaler.scale(loss).backward()
        pull(net, anchor, scale=scaler.scale)
        scaler.step(opt)
        record(list(net.parameters()))
        scaler.update()


def train(record):
    torch.manual_seed(111)
    net = nn.Sequential(nn.Linear(5, 10), nn.Tanh(), nn.Linear(10, 1))
    anchor = [p.detach().clone() for p in net.parameters()]
    batches = [(x, 2 * x[:, :1] - x[:, 1:2]) for x in torch.randn(24, 12, 5)]
    plain_stage(net, anchor, batches[:12], record)
    mixed_stage(net, anchor, batches[12:], record)


if __name__ == "__main__":
    train(lambda parameters: None)
