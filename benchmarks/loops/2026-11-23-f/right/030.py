import argparse

import torch
from torch import nn


def update(args, loss, net, optimizer, scaler):
    optimizer.zero_grad()
    if args.fp16:
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        nn.utils.clip_grad_norm_(net.parameters(), args.clip)
        scaler.step(optimizer)
        scaler.update()
    else:
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), args.clip)
        optimizer.step()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--fp16", action="store_true")
    ap.add_argument("--clip", type=float, default=1.0)
    args = ap.parse_args()
    net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
    scaler = torch.amp.GradScaler("cpu") if args.fp16 else None
    for i in range(20):
        x = torch.randn(16, 4)
        with torch.autocast("cpu", dtype=torch.float16, enabled=args.fp16):
            out = net(x)
        loss = nn.functional.mse_loss(out.float(), x[:, :1])
        update(args, loss, net, optimizer, scaler)
        if i % 5 == 0:
            print(i, loss.item())


if __name__ == "__main__":
    main()
