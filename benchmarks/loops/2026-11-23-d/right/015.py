import torch
from contextlib import contextmanager
from torch import nn


@contextmanager
def evaluating(net):
    mode = net.training
    net.eval()
    try:
        with torch.no_grad():
            yield net
    finally:
        net.train(mode)


net = nn.Sequential(nn.Linear(9, 30), nn.Dropout(0.4), nn.ReLU(), nn.Linear(30, 2))
opt = torch.optim.AdamW(net.parameters(), lr=2e-3)
held_out = torch.randn(64, 9)
truth = (held_out.sum(1) > 0).long()
net.train()
for it in range(1, 61):
    x = torch.randn(32, 9)
    y = (x.sum(1) > 0).long()
    loss = nn.functional.cross_entropy(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if it % 15 == 0:
        with evaluating(net) as frozen:
            acc = (frozen(held_out).argmax(1) == truth).float().mean()
        print(it, f"{loss.item():.3f}", f"{acc.item():.2f}")
