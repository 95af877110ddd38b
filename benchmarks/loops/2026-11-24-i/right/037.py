import torch
from torch import nn

torch.manual_seed(37)
net = nn.Sequential(nn.Linear(2, 10), nn.Dropout(0.1), nn.Tanh(), nn.Linear(10, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, patience=1)
x, v = torch.randn(30, 2), torch.randn(12, 2)
for epoch in range(5):
    net.train()
    for rows in x.split(6):
        opt.zero_grad()
        loss = (net(rows).squeeze(1) - rows.prod(1)).square().mean()
        loss.backward()
        opt.step()
    net.eval()
    with torch.inference_mode():
        val = (net(v).squeeze(1) - v.prod(1)).square().mean().item()
    plateau.step(val)
    print(epoch, val)
