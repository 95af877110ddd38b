import torch
from torch import nn

torch.manual_seed(30)
net = nn.Linear(5, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
micro = 4
for u in range(5):
    opt.zero_grad()
    for _ in range(micro):
        x = torch.randn(6, 5)
        (net(x).squeeze(1) - x[:, 0]).pow(2).mean().backward()
    for p in net.parameters():
        p.grad.div_(micro)
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    opt.step()
