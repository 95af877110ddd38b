"""Hard gates by Gumbel-softmax; torch's schedules anneal their temperature, sample by sample."""
import torch
from torch import nn
from torch.nn import functional as F

ACCUM = 4


class Temperature:
    """A number that a schedule of torch's moves."""

    def __init__(self, start, gamma):
        self.holder = torch.optim.SGD([torch.zeros(())], lr=start)
        self.scheduler = torch.optim.lr_scheduler.ExponentialLR(self.holder, gamma)
        self.holder.step()

    @property
    def value(self):
        return self.holder.param_groups[0]["lr"]


class Gated(nn.Module):
    def __init__(self, temperature):
        super().__init__()
        self.temperature = temperature
        self.gate = nn.Linear(5, 3)
        self.experts = nn.ModuleList(nn.Linear(5, 1) for _ in range(3))

    def forward(self, x):
        chosen = F.gumbel_softmax(self.gate(x), tau=self.temperature.value)
        return sum(chosen[:, k : k + 1] * e(x) for k, e in enumerate(self.experts))


def train(record):
    torch.manual_seed(44)
    temperature = Temperature(2.0, 0.97)
    net = Gated(temperature)
    optimizer = torch.optim.Adam(net.parameters(), lr=0.02)
    scheduler = temperature.scheduler
    optimizer.zero_grad()
    for i in range(48):
        x = torch.randn(10, 5)
        loss = F.mse_loss(net(x), x.abs().amax(1, keepdim=True))
        (loss / ACCUM).backward()
        if (i + 1) % ACCUM == 0:
            optimizer.step()
            record(list(net.parameters()))
            optimizer.zero_grad()
        scheduler.step()


if __name__ == "__main__":
    train(lambda parameters: None)
