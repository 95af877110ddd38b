import argparse

import torch
import yaml

from denoiser import Denoiser
from fit import fit
from noise import CosineNoise
from precision import Precision


def swiss_roll(n):
    r = torch.rand(n).sqrt() * 9 + 2
    return torch.stack([r * r.cos(), r * r.sin()], 1) / 8


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--config", default="toy.yaml")
    with open(parser.parse_args().config) as f:
        cfg = yaml.safe_load(f)
    torch.manual_seed(0)
    net = Denoiser(**cfg["model"])
    fit(net, CosineNoise(cfg["model"]["steps"]), Precision(**cfg["precision"]), swiss_roll(2000), cfg["train"])
