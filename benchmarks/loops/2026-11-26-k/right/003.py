from itertools import islice

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def windows(loader, size):
    it = iter(loader)
    while chunk := list(islice(it, size)):
        yield chunk


torch.manual_seed(103)
x = torch.randn(210, 9)
y = x.cumsum(1)[:, ::3]
loader = DataLoader(TensorDataset(x, y), batch_size=16, shuffle=True)
net = nn.Sequential(nn.Linear(9, 24), nn.ReLU(), nn.Linear(24, 3))
opt = torch.optim.AdamW(net.parameters(), lr=5e-3)

for epoch in range(4):
    shown = 0.0
    for chunk in windows(loader, 4):
        opt.zero_grad()
        for xb, yb in chunk:
            loss = nn.functional.mse_loss(net(xb), yb) / len(chunk)
            loss.backward()
            shown += loss.item() * len(chunk)
        opt.step()
    print(f"{epoch} {shown / len(loader):.4f}")
