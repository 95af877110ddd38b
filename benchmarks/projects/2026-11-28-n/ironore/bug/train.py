import sys

import torch
import yaml
from torch import nn

import ore_hooks  # noqa: F401  (fills the registry)
from registry import create
from runner import Runner


def samples(batches):
    out = []
    for _ in range(batches):
        spectrum = torch.rand(6, 10)
        out.append((spectrum, (spectrum[:, :5].sum(1) > spectrum[:, 5:].sum(1)).long()))
    return out


def main(path):
    with open(path) as file:
        settings = yaml.safe_load(file)
    torch.manual_seed(settings["seed"])
    net = nn.Sequential(nn.Linear(10, 20), nn.GELU(), nn.Linear(20, 2))
    batches = samples(15)
    runner = Runner(net, batches, settings)
    runner.hooks = [create(name) for name in settings["hooks"]]
    runner.run(settings["epochs"])


if __name__ == "__main__":
    main(sys.argv[1])
