import torch
from torch import nn

torch.manual_seed(45)
BIG, SMALL = 30, 6
molecules = torch.randn(102, 14)
energy = molecules.abs().sum(1, keepdim=True)
net = nn.Sequential(nn.Linear(14, 28), nn.Softplus(), nn.Linear(28, 1))
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
sched = torch.optim.lr_scheduler.StepLR(opt, step_size=2, gamma=0.5)


def one_epoch():
    filled, seen = 0, 0.0
    for idx in torch.randperm(len(molecules)).split(SMALL):
        loss = nn.functional.mse_loss(net(molecules[idx]), energy[idx])
        (loss * SMALL / BIG).backward()
        seen += loss.item() * len(idx)
        filled += len(idx)
        if filled >= BIG:
            opt.step()
            opt.zero_grad()
            filled = 0
    return seen / len(molecules)


for epoch in range(4):
    print(epoch, round(one_epoch(), 3), sched.get_last_lr())
    sched.step()
