import torch
from torch import nn
from torch.optim.lr_scheduler import CosineAnnealingLR, LinearLR, SequentialLR

UPDATES, ACCUM = 12, 3
net = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 4))
opt = torch.optim.AdamW(net.parameters(), lr=1e-2)
warm = LinearLR(opt, start_factor=0.1, total_iters=3)
cool = CosineAnnealingLR(opt, T_max=UPDATES - 3)
sched = SequentialLR(opt, [warm, cool], milestones=[3])

micro = 0
while micro < UPDATES * ACCUM:
    x = torch.randn(8, 4)
    loss = nn.functional.mse_loss(net(x), x.flip(1))
    (loss / ACCUM).backward()
    micro += 1
    if micro % ACCUM:
        continue
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    opt.step()
    sched.step()
    opt.zero_grad()
    print(f"update {micro // ACCUM:2d} lr {sched.get_last_lr()[0]:.5f} loss {loss.item():.3f}")
