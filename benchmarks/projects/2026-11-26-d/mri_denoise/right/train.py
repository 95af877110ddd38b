import argparse

import torch

from data import make_loaders
from engine import train_one_epoch
from models import DnCNN
from utils.amp import LossScaler
from utils.evaluate import psnr_on


def parse_args():
    p = argparse.ArgumentParser("MRI denoising")
    p.add_argument("--epochs", default=3, type=int)
    p.add_argument("--lr", default=2e-3, type=float)
    p.add_argument("--clip-grad", default=0.5, type=float)
    p.add_argument("--seed", default=0, type=int)
    return p.parse_args()


def main(args):
    torch.manual_seed(args.seed)
    train_loader, val_loader = make_loaders(args.seed)
    model = DnCNN(width=8)
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    scaler = LossScaler("cpu")
    best = 0.0
    for epoch in range(args.epochs):
        stats = train_one_epoch(model, train_loader, optimizer, scaler, args.clip_grad)
        psnr = psnr_on(model, val_loader)
        best = max(best, psnr)
        print(f"[{epoch}] loss {stats['loss']:.4f} gnorm {stats['gnorm']:.3f} psnr {psnr:.2f} (best {best:.2f})")


if __name__ == "__main__":
    main(parse_args())
