import torch
from torch import nn


class Events:
    def __init__(self):
        self.table = {}

    def on(self, name, fn):
        self.table.setdefault(name, []).append(fn)
        return fn

    def fire(self, name):
        for fn in self.table.get(name, []):
            fn()


torch.manual_seed(154)
net = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 4))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
sched = torch.optim.lr_scheduler.ExponentialLR(opt, 0.9)
events = Events()
events.on("epoch_start", net.train)
events.on("batch_start", opt.zero_grad)
events.on("epoch_end", sched.step)
events.on("finish", net.eval)
apply_update = opt.step

for epoch in range(5):
    events.fire("epoch_start")
    for _ in range(8):
        events.fire("batch_start")
        x = torch.randn(20, 4)
        loss = nn.functional.mse_loss(net(x), x.flip(1))
        loss.backward()
        apply_update()
    events.fire("epoch_end")
    print(epoch, loss.item(), sched.get_last_lr())
events.fire("finish")
