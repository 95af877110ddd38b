import torch
from torch import nn
from tqdm import tqdm


class PolicyHead(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(5, 20), nn.Mish(), nn.Linear(20, 2))

    def forward(self, obs, goal):
        return nn.functional.huber_loss(self.layers(obs), goal)


class Loop:
    """One call of tick() is one iteration; housekeeping of the previous one comes first."""

    def __init__(self, module, peak=1e-2, warm=5, total=30):
        self.module = module
        self.optimizer = torch.optim.Adam(module.parameters(), lr=peak)
        ramp = torch.optim.lr_scheduler.LinearLR(self.optimizer, 0.1, 1.0, total_iters=warm)
        decay = torch.optim.lr_scheduler.CosineAnnealingLR(self.optimizer, T_max=total - warm)
        self.schedule = torch.optim.lr_scheduler.SequentialLR(self.optimizer, [ramp, decay], milestones=[warm])
        self.iteration = 0

    def housekeeping(self):
        if self.iteration > 0:
            self.schedule.step()
            self.optimizer.zero_grad()

    def tick(self, *batch):
        self.housekeeping()
        loss = self.module(*batch)
        loss.backward()
        self.optimizer.step()
        self.iteration += 1
        return loss.item(), self.optimizer.param_groups[0]["lr"]


torch.manual_seed(0)
loop = Loop(PolicyHead())
rates = []
for _ in tqdm(range(30), disable=True):
    obs = torch.randn(16, 5)
    loss, rate = loop.tick(obs, torch.stack([obs[:, 0] * obs[:, 1], obs[:, 2].abs()], 1))
    rates.append(round(rate, 5))
print(loss, rates[:7], rates[-1])
