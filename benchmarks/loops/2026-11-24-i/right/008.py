import torch
from torch import nn

torch.manual_seed(8)
micro_batches, every = 24, 3
net = nn.Linear(4, 4)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda seen: 1 - seen / (micro_batches + 1))
for i in range(micro_batches):
    x = torch.randn(5, 4)
    ((net(x) - x).pow(2).mean() / every).backward()
    if (i + 1) % every == 0:
        opt.step()
        opt.zero_grad()
        for _ in range(every):
            sched.step()
print(sched.get_last_lr())
