import torch
from torch import nn

torch.manual_seed(28)
d = "cuda" if torch.cuda.is_available() else "cpu"
net = nn.Linear(4, 4).to(d)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
scaler = torch.amp.GradScaler(d)
skipped = 0
for i in range(12):
    x = torch.randn(5, 4, device=d)
    if i % 5 == 3:
        x[0, 0] = float("inf")
    with torch.autocast(d, dtype=torch.float16, enabled=d == "cuda"):
        loss = (net(x) - x).square().mean()
    if not torch.isfinite(loss):
        skipped += 1
        continue
    opt.zero_grad()
    scaler.scale(loss).backward()
    scaler.unscale_(opt)
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    scaler.step(opt)
    scaler.update()
print(skipped)
