import torch
from torch import nn

torch.manual_seed(142)
head = nn.Sequential(nn.Linear(10, 20), nn.ReLU(), nn.Linear(20, 10))
opt = torch.optim.SGD(head.parameters(), lr=0.05)
scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
skipped = 0

for step in range(14):
    x = torch.randn(8, 10)
    if step in (4, 9):
        x[0, 0] = 300.0
    opt.zero_grad()
    with torch.autocast("cpu", dtype=torch.float16):
        y = head(x)
    loss = nn.functional.mse_loss(y.float(), x)
    scaler.scale(loss).backward()
    scaler.unscale_(opt)
    total_norm = nn.utils.clip_grad_norm_(head.parameters(), 5.0)
    if total_norm > 100:
        skipped += 1
    else:
        scaler.step(opt)
    scaler.update()
    print(step, f"loss {loss.item():.3f} norm {total_norm.item():.2f} skipped {skipped}")
