import torch
from torch import nn


class Callbacks:
    def __init__(self):
        self.after_batch, self.after_epoch = [], []

    def fire(self, which):
        for fn in getattr(self, which):
            fn()


torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 12), nn.ReLU(), nn.Linear(12, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
sched = torch.optim.lr_scheduler.ExponentialLR(opt, 0.8)
cb = Callbacks()
cb.after_batch += [opt.step, opt.zero_grad]
cb.after_epoch.append(sched.step)
for epoch in range(4):
    for _ in range(6):
        x = torch.randn(16, 4)
        loss = nn.functional.mse_loss(net(x), x.max(1, keepdim=True).values)
        loss.backward()
        cb.fire("after_batch")
    cb.fire("after_epoch")
    print(epoch, loss.item(), sched.get_last_lr()[0])
