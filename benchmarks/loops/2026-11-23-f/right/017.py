from types import SimpleNamespace

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

cfg = SimpleNamespace(epochs=2, window=5, bs=6, lr=0.05)
torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(72, 4), torch.randn(72, 2)), batch_size=cfg.bs, shuffle=True)
net = nn.Linear(4, 2)
opt = torch.optim.SGD(net.parameters(), lr=cfg.lr)

for epoch in range(cfg.epochs):
    left = len(loader)
    in_window = 0
    for x, y in loader:
        if in_window == 0:
            size = min(cfg.window, left)
            opt.zero_grad()
        loss = nn.functional.mse_loss(net(x), y)
        (loss / size).backward()
        in_window += 1
        left -= 1
        if in_window == size:
            opt.step()
            in_window = 0
    print(epoch, loss.item())
