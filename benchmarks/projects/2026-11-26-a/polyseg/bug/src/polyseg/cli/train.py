import argparse
import logging

import torch
from torch import nn

from polyseg.data import build_loaders
from polyseg.engine.evaluation import confusion, mean_iou
from polyseg.engine.loop import train_epoch
from polyseg.model import TinyUNet
from polyseg.utils.optim import make_optimizer


def parse_args(argv=None):
    parser = argparse.ArgumentParser("polyseg-train")
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--batch-size", type=int, default=8)
    parser.add_argument("--lr", type=float, default=0.05)
    parser.add_argument("--max-norm", type=float, default=0.5)
    parser.add_argument("--classes", type=int, default=2)
    return parser.parse_args(argv)


def main(argv=None):
    args = parse_args(argv)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    torch.manual_seed(0)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

    train_loader, val_loader = build_loaders(args.batch_size)
    model = TinyUNet(args.classes).to(device)
    criterion = nn.CrossEntropyLoss()
    optimizer = make_optimizer(model, args.lr)
    scheduler = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, max_lr=args.lr, total_steps=args.epochs * len(train_loader)
    )

    for epoch in range(args.epochs):
        loss = train_epoch(
            model, train_loader, criterion, optimizer, scheduler, max_norm=args.max_norm, device=device
        )
        model.eval()
        matrix = confusion(model, val_loader, args.classes, device)
        print(f"epoch {epoch}: loss {loss:.4f} mIoU {mean_iou(matrix):.3f}")


if __name__ == "__main__":
    main()
