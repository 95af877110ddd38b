from functools import partial
from math import ceil

import torch
from torch.nn.utils import clip_grad_norm_

from depth.losses import scale_invariant
from depth.net import DuneNet
from depth.options import parse
from depth.probe import Probe
from depth.scenes import scenes
from depth.stepper import Stepper


def main():
    args = parse()
    torch.manual_seed(args.seed)
    net, loader, held_out = DuneNet(), scenes(66, seed=1), scenes(18, seed=2)
    sgd = torch.optim.SGD(net.parameters(), lr=args.lr, momentum=0.9)
    updates = args.epochs * ceil(len(loader) / args.every)
    schedule = torch.optim.lr_scheduler.PolynomialLR(sgd, total_iters=updates, power=0.9)
    weights = list(net.parameters())
    limit = partial(clip_grad_norm_, weights, args.max_norm)
    probe = Probe(net)
    stepper = Stepper(
        sgd, args.every,
        each=[probe.watch, limit], done=[probe.count, schedule.step],
    )
    for epoch in range(args.epochs):
        net.train()
        for image, depth in loader:
            stepper(scale_invariant(net(image), depth))
        stepper.flush()
        net.eval()
        with torch.no_grad():
            error = sum(scale_invariant(net(image), depth).item() for image, depth in held_out) / len(held_out)
        print(epoch, f"{error:.4f}", probe.summary(), f"rate {schedule.get_last_lr()[0]:.5f}")


if __name__ == "__main__":
    main()
