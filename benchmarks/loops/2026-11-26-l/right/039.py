import torch
from torch import nn


class Ranker(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(14, 28), nn.ReLU(), nn.Linear(28, 1))

    @torch.autocast("cpu", dtype=torch.bfloat16)
    def pair_loss(self, better, worse):
        margin = self.net(better) - self.net(worse)
        return nn.functional.softplus(-margin.float()).mean()


torch.manual_seed(0)
ranker = Ranker()
opt = torch.optim.SGD(ranker.parameters(), lr=0.1)
for step in range(10):
    a, b = torch.randn(16, 14), torch.randn(16, 14)
    swap = (a[:, 0] < b[:, 0])[:, None]
    better, worse = torch.where(swap, b, a), torch.where(swap, a, b)
    opt.zero_grad()
    with torch.autograd.set_detect_anomaly(True):
        loss = ranker.pair_loss(better, worse)
        loss.backward()
    opt.step()
print(loss.item())
