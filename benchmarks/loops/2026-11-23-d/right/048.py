import math

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
net = nn.Sequential(nn.Linear(10, 20), nn.ReLU(), nn.Linear(20, 1)).to(device)
opt = torch.optim.RMSprop(net.parameters(), lr=1e-3)
scaler = torch.amp.GradScaler(device)
skipped = 0
for step in range(30):
    x = torch.randn(8, 10, device=device)
    if step == 7:
        x[0, 0] = float("nan")  # a broken record
    with torch.autocast(device, dtype=torch.float16):
        loss = nn.functional.mse_loss(net(x), x[:, 1:2])
    opt.zero_grad()
    if not math.isfinite(loss.item()):
        skipped += 1
        continue
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()
print("last loss", loss.item(), "skipped", skipped)
