import torch
from torch import nn

torch.manual_seed(105)
net = nn.Sequential(nn.Linear(2, 64), nn.ReLU(), nn.Linear(64, 1))
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
opt.zero_grad()
for i in range(24):
    r = torch.rand(32, 2) * 2 - 1
    sdf = r.norm(dim=1, keepdim=True) - 0.5
    err = (net(r) - sdf).abs().mean()
    (0.25 * err).backward()
    if i % 4 == 3:
        opt.step()
        opt.zero_grad()
        print(f"{i + 1:3d} samples seen, l1 {err.item():.4f}")
