import torch
from torch import nn

torch.manual_seed(17)
trunk = nn.Linear(5, 10)
a, b = nn.Linear(10, 2), nn.Linear(10, 1)
params = [p for m in (trunk, a, b) for p in m.parameters()]
opt = torch.optim.Adam(params, lr=2e-3)
for _ in range(20):
    x = torch.randn(8, 5)
    opt.zero_grad()
    nn.functional.cross_entropy(a(torch.relu(trunk(x))), (x[:, 0] > 0).long()).backward()
    nn.functional.mse_loss(b(torch.relu(trunk(x))), x[:, 1:2]).backward()
    nn.utils.clip_grad_norm_(params, 5.0)
    opt.step()
