import argparse

import torch
import torch.nn as nn


def train(args):
    torch.manual_seed(args.seed)
    net = nn.Sequential(nn.Linear(6, 18), nn.ReLU(), nn.Linear(18, 2))
    optim = torch.optim.SGD(net.parameters(), lr=args.lr)
    scaler = torch.amp.GradScaler("cpu", enabled=not args.no_amp)
    ce = nn.CrossEntropyLoss()
    for it in range(args.iters):
        x = torch.randn(32, 6)
        y = (x[:, 0] * x[:, 1] > 0).long()
        optim.zero_grad()
        with torch.autocast("cpu", dtype=torch.float16, enabled=not args.no_amp):
            loss = ce(net(x), y)
        scaler.scale(loss).backward()
        if args.clip > 0:
            nn.utils.clip_grad_norm_(net.parameters(), args.clip)
        scaler.step(optim)
        scaler.update()
        if it % 10 == 0:
            print(it, loss.item())


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--seed", type=int, default=0)
    p.add_argument("--iters", type=int, default=25)
    p.add_argument("--lr", type=float, default=0.1)
    p.add_argument("--clip", type=float, default=1.0)
    p.add_argument("--no-amp", action="store_true")
    train(p.parse_args())
