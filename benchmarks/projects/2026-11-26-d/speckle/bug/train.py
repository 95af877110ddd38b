import argparse

import torch

from fields import batches
from guard import Guard
from regress import Regressor, step_loss


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--amp", action="store_true")
    ap.add_argument("--epochs", type=int, default=2)
    opts = ap.parse_args()
    torch.manual_seed(6)
    net = Regressor()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.02, momentum=0.9)
    scaler = torch.amp.GradScaler("cpu", enabled=opts.amp, init_scale=256.0)
    guard = Guard(net, optimizer, scaler, max_norm=0.3)
    for epoch in range(opts.epochs):
        guard.begin_epoch()
        for x, y in batches(6, seed=epoch):
            optimizer.zero_grad(set_to_none=True)
            loss = step_loss(net, x, y, opts.amp)
            with guard.update():
                scaler.scale(loss).backward()
        print(epoch, f"{loss.item():.4f}", guard.report())


if __name__ == "__main__":
    main()
