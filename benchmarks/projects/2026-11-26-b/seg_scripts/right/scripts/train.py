import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))

import torch

from seglib import SegNet, make_loaders
from seglib.loop import fit_epoch, validate


def parse_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--accum", type=int, default=4)
    parser.add_argument("--lr", type=float, default=5e-3)
    parser.add_argument("--batch-size", type=int, default=4)
    return parser.parse_args()


def main():
    args = parse_args()
    torch.manual_seed(2)
    train_loader, val_loader = make_loaders(args.batch_size)
    model = SegNet(classes=3)
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.9)
    for epoch in range(args.epochs):
        loss = fit_epoch(model, train_loader, optimizer, args.accum)
        scheduler.step()
        iou = validate(model, val_loader)
        print(f"epoch {epoch}: loss {loss:.4f} iou {iou:.3f}")


if __name__ == "__main__":
    main()
