import torch
from torch import nn


class Lion(torch.optim.Optimizer):
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.99)):
        super().__init__(params, dict(lr=lr, betas=betas))

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            b1, b2 = group["betas"]
            for p in group["params"]:
                if p.grad is None:
                    continue
                m = self.state[p].setdefault("m", torch.zeros_like(p))
                p.sub_(group["lr"] * (b1 * m + (1 - b1) * p.grad).sign())
                m.lerp_(p.grad, 1 - b2)
        self.zero_grad()


torch.manual_seed(0)
net = nn.Sequential(nn.Linear(10, 20), nn.ReLU(), nn.Linear(20, 1))
opt = Lion(net.parameters(), lr=3e-3)
for it in range(30):
    x = torch.randn(32, 10)
    loss = nn.functional.mse_loss(net(x), x.mean(1, keepdim=True))
    loss.backward()
    opt.step()
    if it % 10 == 0:
        print(it, loss.item())
