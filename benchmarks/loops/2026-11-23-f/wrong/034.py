import torch
from torch import nn

on = torch.cuda.is_available()
dev = torch.device("cuda" if on else "cpu")
net = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 1)).to(dev)
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
scaler = torch.amp.GradScaler(dev.type, enabled=on)


def half_loss(x):
    with torch.autocast(dev.type, dtype=torch.float16, enabled=on):
        return nn.functional.mse_loss(net(x).float(), x.mean(1, keepdim=True))


for it in range(20):
    clean = torch.randn(16, 6, device=dev)
    optimizer.zero_grad()
    l1 = half_loss(clean)
    scaler.scale(l1).backward()
    scaler.step(optimizer)

    optimizer.zero_grad()
    l2 = half_loss(clean + 0.1 * torch.randn_like(clean))
    scaler.scale(l2).backward()
    scaler.step(optimizer)
    scaler.update()
    if it % 5 == 0:
        print(it, l1.item(), l2.item())
