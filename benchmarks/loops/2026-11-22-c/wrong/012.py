import torch
import torch.nn.functional as F
from torch.nn.utils import clip_grad_norm_

from recon.data import scenes
from recon.model import Reconstructor


def train(args):
    model = Reconstructor(args.width).cuda()
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr, betas=(0.9, 0.95))
    scaler = torch.amp.GradScaler("cuda", enabled=args.amp)
    model.train()
    skipped = 0
    for step, (views, target) in enumerate(scenes(args.root)):
        with torch.autocast("cuda", dtype=torch.float16, enabled=args.amp):
            render = model(views.cuda())
            loss = F.mse_loss(render, target.cuda())
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        norm = clip_grad_norm_(model.parameters(), args.clip)
        if norm > args.spike and step > args.warmup:
            skipped += 1
            print(f"step {step}: gradient norm {norm:.1f}, update skipped ({skipped} so far)")
            optimizer.zero_grad(set_to_none=True)
            continue
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad(set_to_none=True)
        if step % args.log_every == 0:
            print(step, loss.item(), float(norm))
        if step >= args.steps:
            break
    return model
