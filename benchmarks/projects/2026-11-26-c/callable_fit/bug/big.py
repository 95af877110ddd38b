import argparse

import torch
import torch.nn.functional as F

from events import clip_to
from fit import fit, measure
from problems import batches, deep_net


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--accumulate", type=int, default=4)
    parser.add_argument("--max-norm", type=float, default=1.0)
    args = parser.parse_args()

    torch.manual_seed(0)
    train, test = batches(176, 16, 2), batches(48, 16, 3)
    net = deep_net()
    optimizer = torch.optim.AdamW(net.parameters(), lr=3e-3)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.9)
    for epoch in range(args.epochs):
        loss = fit(
            net, train, optimizer, F.smooth_l1_loss,
            accumulate=args.accumulate,
            after_backward=clip_to(args.max_norm),
        )
        scheduler.step()
        print(f"big {epoch}: {loss:.4f} test {measure(net, test, F.l1_loss):.4f}")


if __name__ == "__main__":
    main()
