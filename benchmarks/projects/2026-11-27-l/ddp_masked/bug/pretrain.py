import argparse
import math

import torch

from lrs import warmup_cosine
from masked import MaskedAE, low_rank
from parallel import shard, spread, start, stop
from pretrainer import Pretrainer


def main(argv=None):
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=4)
    ap.add_argument("--accum", type=int, default=4)
    ap.add_argument("--batch", type=int, default=16)
    args = ap.parse_args(argv)
    torch.manual_seed(13)
    start()
    loader = shard(low_rank(300), args.batch)
    net = spread(MaskedAE())
    optimizer = torch.optim.AdamW(net.parameters(), lr=1e-2)
    updates = args.epochs * math.ceil(len(loader) / args.accum)
    Pretrainer(net, optimizer, warmup_cosine(optimizer, updates), args.accum).fit(loader, args.epochs)
    stop()


if __name__ == "__main__":
    main()
