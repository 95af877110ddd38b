import json

import torch
from torch.utils.data import DataLoader, TensorDataset

import visreg
from visreg.runner import Runner


def dataset(n):
    centres = torch.randn(5, 9, 16)
    y = torch.randint(5, (n,))
    return TensorDataset(centres[y] + 0.8 * torch.randn(n, 9, 16), y)


if __name__ == "__main__":
    with open("experiment.json") as handle:
        spec = json.load(handle)
    torch.manual_seed(0)
    Runner(spec).run(DataLoader(dataset(320), spec["batch_size"], shuffle=True))
