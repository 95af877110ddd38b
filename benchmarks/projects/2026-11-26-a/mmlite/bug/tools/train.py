import pathlib
import sys

import torch
import yaml
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import mmlite  # noqa: E402,F401
from mmlite.runner import Runner  # noqa: E402


def spirals(n):
    t = torch.rand(n) * 6
    side = torch.randint(0, 2, (n,))
    angle = t + side * torch.pi
    points = torch.stack([t * angle.cos(), t * angle.sin()], 1) / 6
    return TensorDataset(points + 0.02 * torch.randn(n, 2), side)


def main(path):
    with open(path) as handle:
        cfg = yaml.safe_load(handle)
    torch.manual_seed(cfg["seed"])
    hidden = cfg["model"]["hidden"]
    model = nn.Sequential(nn.Linear(2, hidden), nn.Tanh(), nn.Linear(hidden, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    loader = DataLoader(spirals(cfg["data"]["samples"]), batch_size=cfg["data"]["batch"], shuffle=True)
    Runner(cfg, model, optimizer, nn.CrossEntropyLoss()).run(loader, cfg["epochs"])


if __name__ == "__main__":
    main(sys.argv[1])
