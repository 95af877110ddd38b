import torch
from torch import nn

torch.manual_seed(153)
WINDOW = 3
lm_head = nn.Sequential(nn.Linear(12, 12), nn.Tanh(), nn.Linear(12, 12))
opt = torch.optim.AdamW(lm_head.parameters(), lr=1e-3)


def micro_batches(n):
    for i in range(n):
        x = torch.randn(6, 12)
        if i == 7:
            x[2, 3] = float("nan")
        yield x


in_window = applied = discarded = 0
for x in micro_batches(24):
    loss = nn.functional.mse_loss(lm_head(x), x.flip(1))
    (loss / WINDOW).backward()
    in_window += 1
    if in_window < WINDOW:
        continue
    in_window = 0
    finite = all(p.grad.isfinite().all() for p in lm_head.parameters())
    if finite:
        opt.step()
        applied += 1
    else:
        discarded += 1
    opt.zero_grad()
print(f"applied {applied} discarded {discarded} loss {loss.item():.4f}")
