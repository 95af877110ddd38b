import torch
from torch import nn
from torch.optim.lr_scheduler import CosineAnnealingLR

torch.manual_seed(2)
ACCUM = 4
EPOCHS = 2
curve = []
train_batches = [(torch.randn(6, 20), torch.randint(0, 4, (6,))) for _ in range(14)]
mlp = nn.Sequential(nn.Linear(20, 32), nn.LayerNorm(32), nn.GELU(), nn.Linear(32, 4))
opt = torch.optim.AdamW(mlp.parameters(), lr=1e-3)
sched = CosineAnnealingLR(opt, T_max=EPOCHS)

for epoch in range(EPOCHS):
    mlp.train()
    for i, (x, y) in enumerate(train_batches):
        last = i == len(train_batches) - 1
        opt.zero_grad()
        loss = nn.functional.cross_entropy(mlp(x), y, label_smoothing=0.1)
        (loss / ACCUM).backward()
        curve.append(loss)
        if (i + 1) % ACCUM == 0 or last:
            opt.step()
    sched.step()
    print(epoch, torch.stack(curve[-len(train_batches):]).mean().item(), sched.get_last_lr())
