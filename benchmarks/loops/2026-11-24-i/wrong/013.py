import torch
from torch import nn
from torch.optim.lr_scheduler import ExponentialLR

torch.manual_seed(6)
enc, dec = nn.Linear(12, 3), nn.Linear(3, 12)
opt = torch.optim.Adam([{"params": enc.parameters()}, {"params": dec.parameters(), "lr": 5e-3}], lr=1e-2)
sched = ExponentialLR(opt, 0.9)
data = torch.randn(96, 12)

for epoch in range(5):
    sched.step()
    total = 0.0
    for rows in data.split(16):
        opt.zero_grad()
        err = nn.functional.mse_loss(dec(torch.tanh(enc(rows))), rows)
        err.backward()
        opt.step()
        total += err.item() * len(rows)
    print(epoch, total / len(data))
