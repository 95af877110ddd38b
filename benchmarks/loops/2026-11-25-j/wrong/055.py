import argparse

import torch
from torch import nn


def get_args():
    ap = argparse.ArgumentParser()
    ap.add_argument("--amp", action="store_true", default=torch.cuda.is_available())
    ap.add_argument("--epochs", type=int, default=2)
    ap.add_argument("--lr", type=float, default=3e-3)
    return ap.parse_args()


def main():
    args = get_args()
    torch.manual_seed(55)
    dev = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = nn.Sequential(nn.Linear(20, 40), nn.ReLU(), nn.Linear(40, 2)).to(dev)
    opt = torch.optim.Adam(model.parameters(), lr=args.lr)
    scaler = torch.amp.GradScaler(dev.type, enabled=args.amp)
    emails = torch.randn(90, 20, device=dev)
    spam = (emails[:, 0] > 0.5).long()
    for epoch in range(args.epochs):
        for idx in torch.randperm(90, device=dev).split(15):
            opt.zero_grad()
            with torch.autocast(dev.type, dtype=torch.float16, enabled=args.amp):
                loss = nn.functional.cross_entropy(model(emails[idx]), spam[idx])
            scaler.scale(loss).backward()
            scaler.step(opt)
        scaler.update()
        print("epoch", epoch, "loss", loss.item())


if __name__ == "__main__":
    main()
