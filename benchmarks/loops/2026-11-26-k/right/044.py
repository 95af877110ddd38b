import io

import torch
from torch import nn


class CycleAE:
    def __init__(self):
        self.ab = nn.Linear(6, 6)
        self.ba = nn.Linear(6, 6)
        self.opts = [torch.optim.SGD(m.parameters(), lr=0.05) for m in (self.ab, self.ba)]
        self.scheds = [torch.optim.lr_scheduler.StepLR(o, 2, 0.5) for o in self.opts]
        self.epoch = 0

    def state(self):
        keys = {"ab": self.ab, "ba": self.ba, "o0": self.opts[0], "o1": self.opts[1]}
        keys |= {"s0": self.scheds[0], "s1": self.scheds[1]}
        return keys

    def save(self, f):
        torch.save({k: v.state_dict() for k, v in self.state().items()} | {"epoch": self.epoch}, f)

    def load(self, f):
        data = torch.load(f)
        for k, v in self.state().items():
            v.load_state_dict(data[k])
        self.epoch = data["epoch"]

    def fit(self, data, until):
        while self.epoch < until:
            for x in data:
                cycle = nn.functional.mse_loss(self.ba(self.ab(x)), x)
                for o in self.opts:
                    o.zero_grad()
                cycle.backward()
                for o in self.opts:
                    o.step()
            for s in self.scheds:
                s.step()
            self.epoch += 1
            print(self.epoch, cycle.item(), self.scheds[0].get_last_lr())


torch.manual_seed(144)
data = [torch.randn(30, 6) for _ in range(5)]
first, second, disk = CycleAE(), CycleAE(), io.BytesIO()
first.fit(data, 2)
first.save(disk)
disk.seek(0)
second.load(disk)
second.fit(data, 5)
