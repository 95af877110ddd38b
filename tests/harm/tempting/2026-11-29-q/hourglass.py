"""The sand runs with every micro-batch: the schedule's length is counted in them."""
import torch
from torch import nn

MICRO, WINDOW = 96, 4


def train(record):
    torch.manual_seed(114)
    net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
    opt = torch.optim.SGD(net.parameters(), lr=0.4)
    sand = torch.optim.lr_scheduler.SequentialLR(
        opt,
        [
            torch.optim.lr_scheduler.LinearLR(opt, 0.1, 1.0, total_iters=MICRO // 6),
            torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=MICRO - MICRO // 6),
        ],
        milestones=[MICRO // 6],
    )
    grains = iter(torch.randn(MICRO, 6, 4))
    left = MICRO
    while left:
        x = next(grains)
        left -= 1
        (nn.functional.mse_loss(net(x), x.std(1, keepdim=True)) / WINDOW).backward()
        if left % WINDOW == 0:
            opt.step()
            record(list(net.parameters()))
            opt.zero_grad()
        sand.step()


if __name__ == "__main__":
    train(lambda parameters: None)
