"""Four shards make one update, and the rate listens to the norm of the gradient."""
import torch
from torch import nn
from torch.nn import functional as F

SHARDS = 4


class RateByNorm:
    """Slows down where the gradient is long."""

    def __init__(self, opt, base):
        self.opt, self.base, self.norm = opt, base, 0.0

    def see(self, norm):
        self.norm = float(norm)

    def apply(self):
        for group in self.opt.param_groups:
            group["lr"] = self.base / (1.0 + self.norm)


def train(record):
    torch.manual_seed(103)
    net = nn.Sequential(nn.Linear(5, 20), nn.ReLU(), nn.Linear(20, 4))
    opt = torch.optim.SGD(net.parameters(), lr=0.5)
    rate = RateByNorm(opt, 0.5)
    x = torch.randn(64, 5)
    y = (x[:, :4] + x[:, 1:]).argmax(1)
    for update in range(12):
        order = torch.randperm(len(x))
        opt.zero_grad()
        for shard in order.chunk(SHARDS):
            loss = F.cross_entropy(net(x[shard]) * 3, y[shard])
            (loss / SHARDS).backward()
        norm = nn.utils.clip_grad_norm_(net.parameters(), 0.4)
        rate.see(norm)
        rate.apply()
        opt.step()
        record(list(net.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
