import argparse
import os
import tempfile

import torch
import torch.nn.functional as F

from data import distributed_loader, sequences
from engine import fit_epoch
from model import SequenceNet, save, trainable
from parallel import process_group, wrap


def next_step(model, batch):
    x, _ = batch
    return F.mse_loss(model(x[:, :-1]), x[:, 1:])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--every", type=int, default=4)
    parser.add_argument("--out", default=os.path.join(tempfile.gettempdir(), "sequence_net.pt"))
    args = parser.parse_args()

    torch.manual_seed(0)
    with process_group(29542) as rank:
        loader = distributed_loader(sequences(76, 0), 8, shuffle=True)
        model = wrap(SequenceNet().set_task("recon"))
        optimizer = torch.optim.Adam(trainable(model), lr=1e-2)
        for epoch in range(args.epochs):
            loader.sampler.set_epoch(epoch)
            loss = fit_epoch(model, loader, optimizer, next_step, every=args.every)
            print(f"pretrain {epoch} mse {loss:.4f}")
        if rank == 0:
            save(model, args.out)


if __name__ == "__main__":
    main()
