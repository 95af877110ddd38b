import torch
from torch import nn


def windows(stream, size):
    held = []
    for item in stream:
        held.append(item)
        if len(held) == size:
            yield held
            held = []


torch.manual_seed(49)
net = nn.Linear(2, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
stream = (torch.randn(5, 2) for _ in range(15))
for group in windows(stream, 5):
    opt.zero_grad()
    for x in group:
        ((net(x) - x).pow(2).mean() / len(group)).backward()
    opt.step()
