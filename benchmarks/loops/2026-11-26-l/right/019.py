import torch
from torch import nn


class SAM:
    def __init__(self, params, base, rho=0.05):
        self.params, self.base, self.rho = list(params), base, rho

    @torch.no_grad()
    def ascend(self):
        norm = torch.stack([p.grad.norm() for p in self.params]).norm() + 1e-12
        self.eps = [self.rho * p.grad / norm for p in self.params]
        for p, e in zip(self.params, self.eps):
            p.add_(e)
        self.base.zero_grad()

    @torch.no_grad()
    def descend(self):
        for p, e in zip(self.params, self.eps):
            p.sub_(e)
        self.base.step()
        self.base.zero_grad()


torch.manual_seed(3)
net = nn.Sequential(nn.Linear(6, 20), nn.ReLU(), nn.Linear(20, 3))
sam = SAM(net.parameters(), torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9))
x, y = torch.randn(90, 6), torch.randint(0, 3, (90,))
for epoch in range(3):
    for idx in torch.randperm(90).split(30):
        nn.functional.cross_entropy(net(x[idx]), y[idx]).backward()
        sam.ascend()
        loss = nn.functional.cross_entropy(net(x[idx]), y[idx])
        loss.backward()
        sam.descend()
    print(epoch, loss.item())
