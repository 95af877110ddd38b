import torch
from torch import nn
from torch.nn import functional as F


class Meter:
    def __init__(self):
        self.sum, self.n = torch.zeros(()), 0

    def add(self, value, k):
        self.sum += value.detach() * k
        self.n += k

    @property
    def mean(self):
        return (self.sum / self.n).item()


class MultiHead(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Linear(7, 20)
        self.age, self.sex = nn.Linear(20, 1), nn.Linear(20, 2)

    def forward(self, x):
        h = torch.relu(self.trunk(x))
        return self.age(h).squeeze(1), self.sex(h)


torch.manual_seed(149)
x = torch.randn(160, 7)
age, sex = x[:, 0] * 2, (x[:, 1] > 0).long()
model = MultiHead()
opt = torch.optim.Adam(model.parameters(), lr=5e-3)
for epoch in range(4):
    meters = {"age": Meter(), "sex": Meter()}
    for idx in torch.randperm(160).split(32):
        a, s = model(x[idx])
        losses = {"age": F.mse_loss(a, age[idx]), "sex": F.cross_entropy(s, sex[idx])}
        total = sum(losses.values())
        opt.zero_grad()
        total.backward()
        opt.step()
        for name, value in losses.items():
            meters[name].add(value, len(idx))
    print(epoch, {k: round(m.mean, 4) for k, m in meters.items()})
