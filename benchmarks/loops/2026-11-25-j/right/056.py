import math

import torch
from torch import nn

torch.manual_seed(156)
MICRO, MAX_UPDATES, WARMUP, PEAK, FLOOR = 4, 10, 3, 3e-3, 3e-4
model = nn.Sequential(nn.Embedding(18, 16), nn.Linear(16, 16), nn.SiLU(), nn.Linear(16, 18))
optimizer = torch.optim.AdamW(model.parameters(), lr=PEAK)


def lr_at(update):
    if update < WARMUP:
        return PEAK * (update + 1) / WARMUP
    ratio = (update - WARMUP) / (MAX_UPDATES - WARMUP)
    return FLOOR + 0.5 * (PEAK - FLOOR) * (1 + math.cos(math.pi * ratio))


for it in range(MICRO * MAX_UPDATES):
    update, micro = divmod(it, MICRO)
    for group in optimizer.param_groups:
        group["lr"] = lr_at(update)
    tokens = torch.randint(0, 18, (8, 10))
    logits = model(tokens[:, :-1])
    loss = nn.functional.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten()) / MICRO
    loss.backward()
    if micro == MICRO - 1:
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        print(f"update {update} lr {optimizer.param_groups[0]['lr']:.5f} loss {loss.item() * MICRO:.3f}")
