import torch
from torch import nn

torch.manual_seed(107)
net = nn.Sequential(nn.Linear(5, 10), nn.Tanh(), nn.Linear(10, 2))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
stages = [1, 2, 4, 8]

for window in stages:
    for update in range(2):
        opt.zero_grad()
        acc = 0.0
        for _ in range(window):
            x = torch.randn(8, 5)
            y = (x.sum(1) > 0).long()
            loss = nn.functional.cross_entropy(net(x), y)
            acc += loss.item() / window
            (loss / window).backward()
        opt.step()
        print(f"effective batch {8 * window:3d} loss {acc:.4f}")
