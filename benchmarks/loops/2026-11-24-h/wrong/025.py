import argparse

import torch
import torch.nn as nn
from torch.amp import GradScaler, autocast


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--fp16", action=argparse.BooleanOptionalAction, default=True)
    p.add_argument("--steps", type=int, default=20)
    p.add_argument("--margin", type=float, default=0.4)
    return p.parse_args()


def triplets(n, dim=16):
    while True:
        anchor = torch.randn(n, dim)
        yield anchor, anchor + 0.1 * torch.randn(n, dim), torch.randn(n, dim)


def backward_and_step(loss, optimizer, scaler):
    optimizer.zero_grad()
    if scaler is not None:
        scaler.scale(loss).backward()
        optimizer.step()
    else:
        loss.backward()
        optimizer.step()


def main(args):
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(0)
    embed = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 8)).to(device)
    criterion = nn.TripletMarginLoss(margin=args.margin)
    optimizer = torch.optim.Adam(embed.parameters(), lr=1e-3)
    scaler = GradScaler(device, init_scale=256.0) if args.fp16 else None
    embed.train()
    source = triplets(32)
    for step in range(args.steps):
        a, p, n = (t.to(device) for t in next(source))
        with autocast(device, dtype=torch.float16, enabled=args.fp16):
            loss = criterion(embed(a), embed(p), embed(n))
        backward_and_step(loss, optimizer, scaler)
        if step % 5 == 0:
            print(f"{step:03d} triplet {loss.item():.4f}")


if __name__ == "__main__":
    main(parse())
