import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(149)
enc = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 8))
opt = torch.optim.Adam(enc.parameters(), lr=1e-3)
N = 4
pending = 0
for views in torch.randn(20, 2, 8, 10):
    a, b = F.normalize(enc(views[0]), dim=1), F.normalize(enc(views[1]), dim=1)
    logits = a @ b.t() / 0.2
    loss = F.cross_entropy(logits, torch.arange(8)) / N
    loss.backward()
    pending += 1
    if pending > N:
        opt.step()
        opt.zero_grad()
        pending = 0
opt.zero_grad()
print(loss.item() * N)
