import torch
from torch import nn


class Plan:
    def __init__(self, effective, micro):
        self.effective, self.micro = effective, micro

    @property
    def window(self):
        return self.effective // self.micro


class Loop:
    def __init__(self, plan, net):
        self.plan, self.net = plan, net
        self.opt = torch.optim.SGD(net.parameters(), lr=0.1)

    def run(self, updates):
        total = updates * self.plan.window
        for i in range(total):
            is_update = (i + 1) % self.plan.window == 0
            x = torch.randn(self.plan.micro, 4)
            loss = nn.functional.mse_loss(self.net(x), x.cumsum(1))
            (loss / self.plan.window).backward()
            if not is_update:
                continue
            nn.utils.clip_grad_norm_(self.net.parameters(), 2.0)
            self.opt.step()
            self.opt.zero_grad()
        return loss.item()


torch.manual_seed(38)
print(Loop(Plan(32, 8), nn.Linear(4, 4)).run(5))
