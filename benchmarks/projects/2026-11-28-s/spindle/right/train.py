import sys

import torch

from parts import make_net, make_optimizer, make_schedule, skeins
from loops import run_epoch
from tree import load


def main(overrides):
    cfg = load(overrides)
    torch.manual_seed(cfg.seed)
    net = make_net(cfg)
    optimizer = make_optimizer(cfg, net)
    schedule = make_schedule(cfg, optimizer)
    scaler = torch.amp.GradScaler("cpu", init_scale=cfg.amp.scale)
    batches = skeins(cfg.loop.batches)
    for epoch in range(cfg.loop.epochs):
        loss = run_epoch(cfg, net, batches, optimizer, schedule, scaler)
        print(f"epoch {epoch}: {loss:.4f} at {optimizer.param_groups[0]['lr']:.5f}")


if __name__ == "__main__":
    main(sys.argv[1:])
