import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(2, 24), nn.ReLU(), nn.Dropout(0.2), nn.Linear(24, 1))
opt = torch.optim.Adam(net.parameters(), lr=1e-2)


@torch.no_grad()
def uncertainty(x, samples=10):
    draws = torch.stack([net(x) for _ in range(samples)])
    return draws.mean(0), draws.std(0)


probe = torch.randn(5, 2)
for it in range(40):
    x = torch.randn(32, 2)
    loss = nn.functional.mse_loss(net(x), x.prod(1, keepdim=True))
    opt.zero_grad()
    loss.backward()
    opt.step()
    if it % 10 == 9:
        mean, std = uncertainty(probe)
        print(it + 1, loss.item(), std.mean().item())
