import torch
from torch import nn


class SAM(torch.optim.Optimizer):
    def __init__(self, params, base, rho=0.05, **kw):
        super().__init__(params, dict(rho=rho, **kw))
        self.base = base(self.param_groups, **kw)
        self.param_groups = self.base.param_groups

    @torch.no_grad()
    def ascend(self):
        norm = torch.stack([p.grad.norm() for g in self.param_groups for p in g["params"]]).norm()
        for g in self.param_groups:
            for p in g["params"]:
                e = p.grad * (g["rho"] / (norm + 1e-12))
                p.add_(e)
                self.state[p]["e"] = e
        self.zero_grad()

    @torch.no_grad()
    def descend(self):
        for g in self.param_groups:
            for p in g["params"]:
                p.sub_(self.state[p]["e"])
        self.base.step()
        self.zero_grad()

    def step(self, closure=None):
        raise NotImplementedError("use ascend and descend")


torch.manual_seed(132)
x = torch.randn(192, 12)
y = (x[:, :4].square().sum(1) > 4).long()
net = nn.Sequential(nn.Linear(12, 40), nn.ReLU(), nn.Linear(40, 2))
sam = SAM(net.parameters(), torch.optim.SGD, rho=0.05, lr=0.1)
for epoch in range(4):
    for idx in torch.randperm(192).split(48):
        nn.functional.cross_entropy(net(x[idx]), y[idx]).backward()
        sam.ascend()
        loss = nn.functional.cross_entropy(net(x[idx]), y[idx])
        loss.backward()
        sam.descend()
    print(epoch, loss.item())
