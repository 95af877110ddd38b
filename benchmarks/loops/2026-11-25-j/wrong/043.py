import argparse

import torch
import torch.nn.functional as F
from torch import nn

p = argparse.ArgumentParser()
p.add_argument("--grad-accum", type=int, default=3)
p.add_argument("--iters", type=int, default=16)
args = p.parse_args()

torch.manual_seed(43)
V, D = 24, 16
lm = nn.Sequential(nn.Embedding(V, D), nn.Flatten(), nn.Linear(4 * D, V))
opt = torch.optim.AdamW(lm.parameters(), lr=1e-2, weight_decay=0.1)
scaler = torch.amp.GradScaler("cpu", init_scale=512.0)
text = torch.randint(0, V, (2000,))

for step in range(args.iters):
    pos = torch.randint(0, len(text) - 5, (16,))
    ctx = torch.stack([text[q : q + 4] for q in pos.tolist()])
    nxt = text[pos + 4]
    with torch.autocast("cpu", dtype=torch.float16):
        loss = F.cross_entropy(lm(ctx).float(), nxt)
    scaler.scale(loss / args.grad_accum).backward()
    if step > 0 and step % args.grad_accum == 0:
        scaler.unscale_(opt)
        nn.utils.clip_grad_norm_(lm.parameters(), 1.0)
        scaler.step(opt)
        scaler.update()
        opt.zero_grad(set_to_none=True)
        print(f"step {step}: {loss.item():.3f}")
