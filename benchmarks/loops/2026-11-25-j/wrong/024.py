import torch
import torch.nn.functional as F
from torch import nn
from torch.optim.lr_scheduler import CosineAnnealingWarmRestarts


def make_step(model, opt, sched, window):
    micro = 0

    def step(x, y):
        nonlocal micro
        loss = F.smooth_l1_loss(model(x), y)
        loss.div(window).backward()
        micro += 1
        if micro == window:
            opt.step()
            opt.zero_grad()
            micro = 0
        if opt.state:
            sched.step()
        return loss.item()

    return step


torch.manual_seed(24)
forecaster = nn.Sequential(nn.Linear(24, 32), nn.ReLU(), nn.Linear(32, 6))
opt = torch.optim.SGD(forecaster.parameters(), lr=0.05, momentum=0.9, nesterov=True)
sched = CosineAnnealingWarmRestarts(opt, T_0=10)
series = torch.sin(torch.arange(400) / 7.0) + 0.05 * torch.randn(400)
windows = series.unfold(0, 30, 5)
step = make_step(forecaster, opt, sched, window=2)
for epoch in range(2):
    for block in windows[:72].split(6):
        value = step(block[:, :24], block[:, 24:])
    print(epoch, round(value, 4), sched.get_last_lr())
