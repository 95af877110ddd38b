import torch
from torch import nn

torch.manual_seed(42)
a, b = nn.Linear(3, 3), nn.Linear(3, 3)
weights = [p for m in (a, b) for p in m.parameters() if p.dim() > 1]
opt = torch.optim.SGD([*a.parameters(), *b.parameters()], lr=0.1)
for _ in range(10):
    x = torch.randn(4, 3)
    opt.zero_grad()
    (b(torch.relu(a(x))) - x).abs().sum(1).mean().backward()
    nn.utils.clip_grad_norm_(weights, 1.0)
    opt.step()
