import torch
from torch import nn

torch.manual_seed(25)
net = nn.Linear(6, 6)
opt = torch.optim.AdamW(net.parameters(), lr=1e-2)
total, warm = 30, 5


def rate(step):
    return min((step + 1) / warm, (total - step) / (total - warm + 1))


sched = torch.optim.lr_scheduler.LambdaLR(opt, rate)
for step in range(total):
    x = torch.randn(4, 6)
    loss = nn.functional.smooth_l1_loss(net(x), x.flip(1))
    opt.zero_grad()
    loss.backward()
    opt.step()
    sched.step()
print(sched.get_last_lr()[0])
