from itertools import cycle

import torch
from torch import nn

from data import loader
from models import make_mixer

model = make_mixer(patch=16, dim=384, depth=8, classes=100)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.1)
scheduler = torch.optim.lr_scheduler.CosineAnnealingWarmRestarts(optimizer, T_0=500, T_mult=2)
criterion = nn.CrossEntropyLoss(label_smoothing=0.1)
model.train()

for micro, (x, y) in enumerate(cycle(loader), start=1):
    loss = criterion(model(x), y) / 2
    loss.backward()

    if micro % 2 == 0:
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        scheduler.step()
        optimizer.zero_grad()

    if micro % 400 == 0:
        print(micro // 2, 2 * loss.item(), scheduler.get_last_lr()[0])
        torch.save({"model": model.state_dict(), "micro": micro}, "last.pt")

    if micro == 16_000:
        break
