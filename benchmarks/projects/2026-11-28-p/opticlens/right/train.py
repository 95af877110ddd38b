import argparse

import torch

from lens.config import Config
from lens.loop import Grinder


def surfaces(count=7):
    generator = torch.Generator().manual_seed(34)
    out = []
    for _ in range(count):
        rays = torch.randn(10, 6, generator=generator)
        out.append((rays, rays[:, :2].cumsum(1)))
    return out


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--config", default="lens.json")
    cfg = Config.read(parser.parse_args().config)
    torch.manual_seed(cfg.seed)
    net = torch.nn.Sequential(torch.nn.Linear(6, 12), torch.nn.ReLU(), torch.nn.Linear(12, 2))
    grinder = Grinder(net, cfg)
    for epoch in range(cfg.epochs):
        print(epoch, grinder.polish(surfaces()))


if __name__ == "__main__":
    main()
