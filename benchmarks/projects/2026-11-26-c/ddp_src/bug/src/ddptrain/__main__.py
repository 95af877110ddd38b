from __future__ import annotations

import argparse
from dataclasses import dataclass

import torch

from .data import build_loader
from .distributed import cleanup, is_main, parallelize, setup
from .engine import train_one_epoch, validate
from .net import ConvNet


@dataclass(frozen=True)
class Config:
    epochs: int
    batch_size: int
    accum_steps: int
    lr: float
    seed: int


def parse() -> Config:
    p = argparse.ArgumentParser(prog="ddptrain")
    p.add_argument("--epochs", type=int, default=3)
    p.add_argument("--batch-size", type=int, default=8)
    p.add_argument("--accum-steps", type=int, default=4)
    p.add_argument("--lr", type=float, default=0.05)
    p.add_argument("--seed", type=int, default=0)
    return Config(**vars(p.parse_args()))


def main() -> None:
    cfg = parse()
    rank, world = setup()
    torch.manual_seed(cfg.seed)
    try:
        train_loader = build_loader("train", cfg.batch_size, rank, world)
        val_loader = build_loader("val", cfg.batch_size, rank, world)
        model = parallelize(ConvNet())
        optimizer = torch.optim.SGD(model.parameters(), lr=cfg.lr, momentum=0.9, nesterov=True)
        scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=cfg.epochs)

        for epoch in range(cfg.epochs):
            loss = train_one_epoch(model, train_loader, optimizer, epoch, cfg.accum_steps)
            scheduler.step()
            acc = validate(model, val_loader)
            if is_main(rank):
                print(f"[{epoch}] loss={loss:.4f} acc={acc:.3f}")
    finally:
        cleanup()


if __name__ == "__main__":
    main()
