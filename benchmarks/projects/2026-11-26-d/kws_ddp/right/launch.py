import argparse
import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP

from audio import clips
from report import accuracy
from session import Session
from spotter import Spotter


def cli():
    ap = argparse.ArgumentParser()
    ap.add_argument("--amp", action="store_true", help="float16 with loss scaling")
    ap.add_argument("--epochs", type=int, default=2)
    ap.add_argument("--accum", type=int, default=2)
    return ap.parse_args()


def main(args):
    os.environ.setdefault("MASTER_ADDR", "localhost")
    os.environ.setdefault("MASTER_PORT", "29655")
    dist.init_process_group("gloo", rank=0, world_size=1)
    torch.manual_seed(2)
    model = DDP(Spotter())
    session = Session(model, accum=args.accum, amp=args.amp, quiet=model.no_sync)
    train, held_out = clips(7, seed=0), clips(3, seed=1)
    for epoch in range(args.epochs):
        loss, norm = session.epoch(train)
        print(f"epoch {epoch}: loss {loss:.3f} norm {norm:.3f} acc {accuracy(model.module, held_out):.3f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main(cli())
