import torch
from torch import nn


def one_epoch(net, opt, sched, data):
    for x, y in data:
        opt.zero_grad()
        nn.functional.mse_loss(net(x), y).backward()
        opt.step()
    sched.step()


torch.manual_seed(52)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
sched = torch.optim.lr_scheduler.PolynomialLR(opt, total_iters=4)
data = [(torch.randn(5, 4), torch.randn(5, 1)) for _ in range(4)]
for _ in range(4):
    one_epoch(net, opt, sched, data)
print(sched.get_last_lr())
