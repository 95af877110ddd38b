import torch
from torch import nn

torch.manual_seed(39)
e, d = nn.Linear(8, 6), nn.Linear(3, 8)
opt = torch.optim.Adam([*e.parameters(), *d.parameters()], lr=1e-3)
for _ in range(20):
    x = torch.rand(12, 8)
    m, lv = e(x).chunk(2, 1)
    z = m + torch.randn_like(m) * (lv / 2).exp()
    nll = nn.functional.binary_cross_entropy_with_logits(d(z), x, reduction="none").sum(1).mean()
    kl = 0.5 * (m.square() + lv.exp() - 1 - lv).sum(1).mean()
    opt.zero_grad()
    (nll + kl.clamp(min=0.5)).backward()
    opt.step()
print(nll.item(), kl.item())
