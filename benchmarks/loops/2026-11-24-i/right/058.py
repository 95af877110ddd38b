import torch
from torch import nn
from torch.optim.swa_utils import SWALR, AveragedModel

torch.manual_seed(58)
net = nn.Linear(4, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
avg, swa_sched = AveragedModel(net), SWALR(opt, swa_lr=0.05)
cos = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=6)
for epoch in range(6):
    for x in torch.randn(4, 8, 4):
        opt.zero_grad()
        nn.functional.cross_entropy(net(x), (x[:, 0] > 0).long()).backward()
        opt.step()
    if epoch >= 3:
        avg.update_parameters(net)
        swa_sched.step()
    else:
        cos.step()
