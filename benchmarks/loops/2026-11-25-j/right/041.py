from collections import defaultdict

import torch
from torch import nn


class Events:
    def __init__(self):
        self.handlers = defaultdict(list)

    def on(self, name, *fns):
        self.handlers[name].extend(fns)

    def fire(self, name):
        for fn in self.handlers[name]:
            fn()


torch.manual_seed(141)
net = nn.Sequential(nn.Linear(6, 12), nn.Dropout(0.1), nn.ReLU(), nn.Linear(12, 1))
optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)
scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.8)
events = Events()
events.on("epoch_start", net.train)
events.on("batch_start", optimizer.zero_grad)
events.on("gradients_ready", optimizer.step)
events.on("epoch_end", scheduler.step)

salary = torch.randn(60, 6)
bonus = salary.clamp(min=0).sum(1, keepdim=True)
for epoch in range(3):
    events.fire("epoch_start")
    for rows in torch.arange(60).chunk(5):
        events.fire("batch_start")
        loss = nn.functional.mse_loss(net(salary[rows]), bonus[rows])
        loss.backward()
        events.fire("gradients_ready")
    events.fire("epoch_end")
    print(epoch, loss.item(), scheduler.get_last_lr())
