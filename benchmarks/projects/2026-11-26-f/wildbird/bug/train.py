import torch
import yaml
from torch import nn

import data
from engine import Engine
from utils import dist


def build_net(species):
    return nn.Sequential(
        nn.Conv2d(1, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(8, 16, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d((8, 1)),
        nn.Flatten(), nn.Dropout(0.2), nn.Linear(128, species),
    )


def main():
    with open("config.yaml") as stream:
        cfg = yaml.safe_load(stream)
    torch.manual_seed(cfg["seed"])
    dist.start()
    try:
        Engine(build_net(cfg["species"]), data.build(cfg), cfg).fit()
    finally:
        dist.stop()


if __name__ == "__main__":
    main()
