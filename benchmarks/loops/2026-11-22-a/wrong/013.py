import argparse

import torch
from torch.amp import GradScaler, autocast
from torch.utils.data import DataLoader

from vit import VisionTransformer
from vit.data import SatelliteTiles


def clip_gradients(model, max_norm):
    params = [p for p in model.parameters() if p.grad is not None]
    if not params:
        return torch.tensor(0.0)
    return torch.nn.utils.clip_grad_norm_(params, max_norm)


def build(args):
    model = VisionTransformer(img_size=args.size, num_classes=args.classes).to("cuda")
    decay = [p for p in model.parameters() if p.ndim > 1]
    other = [p for p in model.parameters() if p.ndim <= 1]
    groups = [{"params": decay, "weight_decay": 0.05}, {"params": other, "weight_decay": 0.0}]
    return model, torch.optim.AdamW(groups, lr=args.lr)


def run(args):
    model, optimizer = build(args)
    loader = DataLoader(SatelliteTiles(args.root), args.batch, shuffle=True, num_workers=8, drop_last=True)
    scaler = GradScaler("cuda")
    criterion = torch.nn.BCEWithLogitsLoss()
    total = len(loader)
    for epoch in range(args.epochs):
        model.train()
        optimizer.zero_grad()
        for it, (tiles, labels) in enumerate(loader):
            with autocast("cuda", dtype=torch.float16):
                loss = criterion(model(tiles.cuda()), labels.cuda().float())
            scaler.scale(loss / args.accum).backward()
            if (it + 1) % args.accum == 0 or it + 1 == total:
                norm = clip_gradients(model, args.clip)
                scaler.step(optimizer)
                scaler.update()
                optimizer.zero_grad()
                print(f"{epoch}:{it} loss {loss.item():.4f} norm {norm.item():.3f}")


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--root")
    p.add_argument("--size", type=int, default=224)
    p.add_argument("--classes", type=int, default=17)
    p.add_argument("--batch", type=int, default=16)
    p.add_argument("--accum", type=int, default=4)
    p.add_argument("--clip", type=float, default=1.0)
    p.add_argument("--lr", type=float, default=3e-4)
    p.add_argument("--epochs", type=int, default=30)
    run(p.parse_args())
