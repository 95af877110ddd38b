import torch
from torch import nn

torch.manual_seed(22)
net = nn.Sequential(nn.Linear(2, 6), nn.ReLU(), nn.Linear(6, 1))
opt = torch.optim.Adagrad(net.parameters(), lr=0.05)
data = [(torch.randn(4, 2), torch.randn(4, 1)) for _ in range(12)]
SIZE = 4
waiting = SIZE
k = 0
opt.zero_grad()
while k < len(data):
    x, y = data[k]
    (nn.functional.l1_loss(net(x), y) / SIZE).backward()
    k += 1
    waiting -= 1
    if waiting == 0:
        opt.step()
        opt.zero_grad()
        waiting = SIZE
