import torch
from torch import nn

torch.manual_seed(89)
model = nn.Sequential(nn.Linear(2, 24), nn.ReLU(), nn.Linear(24, 2))
opt = torch.optim.AdamW(model.parameters(), lr=5e-3)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=8)
window = 3
left = window
for i in range(24):
    pts = torch.randn(16, 2)
    label = (pts.norm(dim=1) > 1).long()
    (nn.functional.cross_entropy(model(pts), label) / window).backward()
    left -= 1
    sched.step()
    if left == 0:
        opt.step()
        opt.zero_grad()
        left = window
print(opt.param_groups[0]["lr"])
