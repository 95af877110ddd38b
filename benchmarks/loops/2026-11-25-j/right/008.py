import argparse

import torch
from torch import nn

ap = argparse.ArgumentParser()
ap.add_argument("--dtype", choices=["bfloat16", "float16"], default="bfloat16")
ap.add_argument("--steps", type=int, default=8)
opts = ap.parse_args()

torch.manual_seed(108)
ptdtype = getattr(torch, opts.dtype)
ctx = torch.amp.autocast(device_type="cpu", dtype=ptdtype)
scaler = torch.amp.GradScaler("cpu", enabled=(opts.dtype == "float16"))
gpt = nn.Sequential(nn.Embedding(16, 24), nn.Linear(24, 48), nn.GELU(), nn.Linear(48, 16))
optimizer = torch.optim.AdamW(gpt.parameters(), lr=1e-3, betas=(0.9, 0.95))

for it in range(opts.steps):
    seq = torch.randint(0, 16, (8, 12))
    with ctx:
        logits = gpt(seq[:, :-1])
        loss = nn.functional.cross_entropy(logits.flatten(0, 1).float(), seq[:, 1:].flatten())
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    nn.utils.clip_grad_norm_(gpt.parameters(), 1.0)
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad(set_to_none=True)
    print(it, loss.item())
