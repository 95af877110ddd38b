import torch
from torch import nn


class LoRALinear(nn.Module):
    def __init__(self, base, r=4):
        super().__init__()
        self.base = base.requires_grad_(False)
        self.a = nn.Parameter(torch.randn(r, base.in_features) * 0.02)
        self.b = nn.Parameter(torch.zeros(base.out_features, r))

    def forward(self, x):
        return self.base(x) + x @ self.a.T @ self.b.T


class Tuner:
    def __init__(self, net):
        self.net = net
        self.opt = torch.optim.AdamW(self.trainable, lr=1e-2)

    @property
    def trainable(self):
        return (p for p in self.net.parameters() if p.requires_grad)

    def step(self, x, y):
        loss = nn.functional.cross_entropy(self.net(x), y)
        self.opt.zero_grad()
        loss.backward()
        gn = nn.utils.clip_grad_norm_(self.trainable, 0.1)
        self.opt.step()
        return loss.item(), gn.item()


torch.manual_seed(0)
tuner = Tuner(nn.Sequential(LoRALinear(nn.Linear(6, 12)), nn.ReLU(), LoRALinear(nn.Linear(12, 3))))
x, y = torch.randn(30, 6), torch.randint(0, 3, (30,))
for i in range(10):
    out = tuner.step(x, y)
print(out)
