import torch
from torch import nn

torch.manual_seed(6)
gen = nn.Sequential(nn.Linear(2, 12), nn.ReLU(), nn.Linear(12, 2))
dis = nn.Sequential(nn.Linear(2, 12), nn.ReLU(), nn.Linear(12, 1))
og, od = torch.optim.Adam(gen.parameters(), 1e-3), torch.optim.Adam(dis.parameters(), 1e-3)
for i in range(25):
    z = torch.randn(14, 2)
    real = torch.randn(14, 2) + 2
    dis.zero_grad()
    ld = dis(gen(z).detach()).mean() - dis(real).mean()
    ld.backward()
    nn.utils.clip_grad_value_(dis.parameters(), 0.05)
    od.step()
    if i % 5 == 0:
        gen.zero_grad()
        lg = -dis(gen(z)).mean()
        lg.backward()
        og.step()
print(ld.item(), lg.item())
