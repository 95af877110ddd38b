import argparse
import os
from contextlib import nullcontext

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

from datasets import build_dataloaders
from engine import evaluate, train_one_epoch
from models import StateNet


def get_args():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", default=3, type=int)
    p.add_argument("--batch-size", default=8, type=int)
    p.add_argument("--accum", default=4, type=int, help="micro-batches per update")
    p.add_argument("--samples", default=144, type=int)
    p.add_argument("--lr", default=0.1, type=float)
    p.add_argument("--single", dest="distributed", action="store_false")
    return p.parse_args()


def init_distributed():
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", "29571")
    os.environ.setdefault("RANK", "0")
    os.environ.setdefault("WORLD_SIZE", "1")
    dist.init_process_group("nccl" if torch.cuda.is_available() else "gloo")


def main():
    args = get_args()
    torch.manual_seed(7)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    if args.distributed:
        init_distributed()

    train_loader, val_loader = build_dataloaders(args)
    model = StateNet().to(device)
    args.defer = nullcontext
    if args.distributed:
        model = DistributedDataParallel(model)
        args.defer = model.no_sync
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=args.epochs)

    for epoch in range(args.epochs):
        train_one_epoch(model, criterion, train_loader, optimizer, device, epoch, args)
        scheduler.step()
        accuracy = evaluate(model, val_loader, device)
        print(f"[{epoch}] val accuracy {accuracy:.3f}")

    if args.distributed:
        dist.destroy_process_group()


if __name__ == "__main__":
    main()
