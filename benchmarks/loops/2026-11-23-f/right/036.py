import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 1))
optim = torch.optim.Adam(net.parameters(), lr=1e-2)
sched = torch.optim.lr_scheduler.PolynomialLR(optim, total_iters=30, power=1.0)
scaler = torch.amp.GradScaler("cpu", init_scale=2.0 ** 10, growth_interval=5)

skipped = 0
for i in range(30):
    x = torch.randn(16, 6)
    optim.zero_grad()
    with torch.autocast("cpu", dtype=torch.float16):
        out = net(x)
        loss = nn.functional.mse_loss(out.float(), x.sum(1, keepdim=True))
    scaler.scale(loss).backward()
    before = scaler.get_scale()
    scaler.step(optim)
    scaler.update()
    if scaler.get_scale() >= before:
        sched.step()
    else:
        skipped += 1
    if i % 10 == 0:
        print(i, loss.item(), before, sched.get_last_lr()[0])
print("skipped", skipped)
