import argparse

import torch

from charlm.comms import process_group, replicate
from charlm.corpus import CHARS, chunk_loader
from charlm.loop import pretrain
from charlm.net import CharGRU


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=3)
    p.add_argument("--accum", type=int, default=4)
    p.add_argument("--lr", type=float, default=1e-2)
    return p.parse_args()


def main():
    args = parse()
    torch.manual_seed(11)
    with process_group():
        replica = replicate(CharGRU(len(CHARS)))
        optimizer = torch.optim.AdamW(replica.parameters(), lr=args.lr)
        pretrain(replica, chunk_loader(16, 4), optimizer, args.epochs, args.accum)


if __name__ == "__main__":
    main()
