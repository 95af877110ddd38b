import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(151)


class SAM:
    def __init__(self, params, base, rho=0.05):
        self.params, self.base, self.rho, self.eps = list(params), base, rho, []

    @torch.no_grad()
    def climb(self):
        norm = torch.stack([p.grad.norm() for p in self.params]).norm() + 1e-12
        self.eps = [self.rho * p.grad / norm for p in self.params]
        for p, e in zip(self.params, self.eps):
            p.add_(e)

    @torch.no_grad()
    def descend(self):
        for p, e in zip(self.params, self.eps):
            p.sub_(e)
        self.base.step()


net = nn.Sequential(nn.Linear(6, 24), nn.ReLU(), nn.Linear(24, 3))
base = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
sam = SAM(net.parameters(), base)
for step in range(12):
    x = torch.randn(30, 6)
    y = x[:, :3].argmax(1)
    base.zero_grad()
    first = F.cross_entropy(net(x), y)
    first.backward()
    sam.climb()
    base.zero_grad()
    second = F.cross_entropy(net(x), y)
    second.backward()
    sam.descend()
    if step % 4 == 0:
        print(f"{step}: flat {first.item():.3f} sharp {second.item():.3f}")
