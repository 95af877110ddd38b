import contextlib
import torch
from torch import nn


@contextlib.contextmanager
def evaluating(net):
    mode = net.training
    net.eval()
    try:
        with torch.no_grad():
            yield net
    finally:
        net.train(mode)


torch.manual_seed(0)
x, y = torch.randn(200, 10), torch.randint(0, 2, (200,))
net = nn.Sequential(nn.Linear(10, 40), nn.BatchNorm1d(40), nn.ReLU(), nn.Dropout(0.3), nn.Linear(40, 2))
opt = torch.optim.AdamW(net.parameters(), lr=3e-3)
net.train()
for epoch in range(4):
    for idx in torch.randperm(160).split(32):
        opt.zero_grad()
        nn.functional.cross_entropy(net(x[idx]), y[idx]).backward()
        opt.step()
    with evaluating(net):
        acc = (net(x[160:]).argmax(1) == y[160:]).float().mean().item()
    print(epoch, acc)
