import argparse

import torch

from wx.grids import holdout_loader, training_loader
from wx.loop import score, train_epoch
from wx.net import Nowcaster
from wx.parallel import start, stop, wrap


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=3)
    ap.add_argument("--window", type=int, default=4)
    ap.add_argument("--batch", type=int, default=8)
    args = ap.parse_args()

    torch.manual_seed(0)
    rank, world = start()
    model = wrap(Nowcaster())
    loader = training_loader(rank, world, args.batch)
    held = holdout_loader()
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    for epoch in range(args.epochs):
        loader.sampler.set_epoch(epoch)
        loss = train_epoch(model, loader, optimizer, args.window)
        if rank == 0:
            print(f"[{epoch}] mse={loss:.4f} mae={score(model.module, held):.4f}")
    stop()


if __name__ == "__main__":
    main()
