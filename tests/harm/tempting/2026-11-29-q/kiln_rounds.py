"""Noise as large as the rate of the step; the schedule is as long as the updates are many."""
import torch
from torch import nn

PARTS, UPDATES = 3, 24


def jitter(net, rate):
    with torch.no_grad():
        for p in net.parameters():
            p.add_(torch.randn_like(p), alpha=0.05 * rate)


def train(record):
    torch.manual_seed(19)
    net = nn.Sequential(nn.Linear(4, 8), nn.Sigmoid(), nn.Linear(8, 1))
    opt = torch.optim.SGD(net.parameters(), lr=0.4)
    cosine = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=UPDATES)
    for micro in range(PARTS * UPDATES):
        x = torch.randn(8, 4)
        loss = nn.functional.mse_loss(net(x), x.max(1, keepdim=True).values)
        (loss / PARTS).backward()
        if micro % PARTS == PARTS - 1:
            opt.step()
            jitter(net, opt.param_groups[0]["lr"])
            record(list(net.parameters()))
            opt.zero_grad()
        cosine.step()


if __name__ == "__main__":
    train(lambda parameters: None)
