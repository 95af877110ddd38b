import torch
from torch import nn


class Graph(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.msg, self.out = nn.Linear(d, d), nn.Linear(d, 1)

    def forward(self, x, adj):
        return self.out(torch.relu(adj @ self.msg(x))).mean(0)


torch.manual_seed(197)
net = Graph(4)
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
sums = {"mse": 0.0, "mae": 0.0}
for i in range(30):
    x, adj = torch.randn(7, 4), (torch.rand(7, 7) > 0.6).float()
    goal = x.sum().reshape(1)
    pred = net(x, adj)
    mse, mae = (pred - goal).pow(2).mean(), (pred - goal).abs().mean()
    opt.zero_grad()
    mse.backward()
    opt.step()
    sums["mse"] += mse.item()
    sums["mae"] = sums["mae"] + mae
print({k: float(v) / 30 for k, v in sums.items()})
