import argparse

import torch
from torch import nn

ap = argparse.ArgumentParser()
ap.add_argument("--dtype", choices=["float32", "bfloat16", "float16"], default="bfloat16")
ap.add_argument("--iters", type=int, default=20)
opt = ap.parse_args()

device = "cuda" if torch.cuda.is_available() else "cpu"
dtype = getattr(torch, opt.dtype)
model = nn.Sequential(nn.Linear(12, 24), nn.GELU(), nn.Linear(24, 12)).to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
# no loss scaling unless the gradients can underflow
scaler = torch.amp.GradScaler(device, enabled=dtype == torch.float16)
for it in range(opt.iters):
    x = torch.randn(32, 12, device=device)
    with torch.autocast(device, dtype=dtype, enabled=dtype != torch.float32):
        loss = nn.functional.l1_loss(model(x), x)
    optimizer.zero_grad(set_to_none=True)
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    scaler.step(optimizer)
    scaler.update()
    if it % 5 == 0:
        print(it, loss.item())
