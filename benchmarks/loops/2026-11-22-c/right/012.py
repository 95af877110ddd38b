import math

import torch
import torch.nn.functional as F
from torch.nn.utils import clip_grad_norm_


def guarded_step(model, optimizer, scaler, max_norm, spike):
    scaler.unscale_(optimizer)
    norm = clip_grad_norm_(model.parameters(), max_norm).item()
    if math.isfinite(norm) and norm > spike:
        optimizer.zero_grad(set_to_none=True)
        scaler.update()
        return norm, False
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad(set_to_none=True)
    return norm, True


def train(args, model, stream):
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=args.decay)
    scaler = torch.amp.GradScaler("cuda")
    taken = 0
    model.train()
    while taken < args.steps:
        x, y = next(stream)
        with torch.autocast("cuda", dtype=torch.float16):
            loss = F.mse_loss(model(x.cuda()), y.cuda())
        scaler.scale(loss).backward()
        norm, stepped = guarded_step(model, optimizer, scaler, args.max_norm, args.spike)
        taken += stepped
        if not stepped:
            print(f"spike after {taken} steps: norm {norm:.1f}")
        elif taken % args.log_every == 0:
            print(taken, loss.item(), norm)
    return model
