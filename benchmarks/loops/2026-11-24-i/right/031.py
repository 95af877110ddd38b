import torch
from torch import nn

torch.manual_seed(31)
x, y = torch.randn(40, 3), torch.randn(40, 1)
net = nn.Linear(3, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.2)
for epoch in range(6):
    opt.zero_grad()
    for a, b in zip(x.split(10), y.split(10)):
        (nn.functional.mse_loss(net(a), b, reduction="sum") / len(x)).backward()
    opt.step()
    with torch.no_grad():
        print(epoch, nn.functional.mse_loss(net(x), y).item())
