import argparse

import torch

import comm
from loop import holdout, one_epoch
from tables import holdout_loader, train_loader
from tabnet import PriceModel


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=3)
    p.add_argument("--accum", type=int, default=4)
    p.add_argument("--lr", type=float, default=5e-3)
    return p.parse_args()


def run(args):
    torch.manual_seed(0)
    model = comm.replicate(PriceModel())
    opt = torch.optim.Adam(model.parameters(), lr=args.lr)
    loader, held = train_loader(), holdout_loader()
    for epoch in range(args.epochs):
        train = one_epoch(model, loader, opt, args.accum)
        print(epoch, round(train, 4), round(holdout(model.module, held), 4))


if __name__ == "__main__":
    comm.start()
    try:
        run(parse())
    finally:
        comm.stop()
