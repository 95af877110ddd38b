from torch import nn


def build_network(cfg):
    stem = nn.Linear(cfg["inputs"], cfg["width"])
    if cfg["frozen_stem"]:
        stem.requires_grad_(False)
    return nn.Sequential(stem, nn.ReLU(), nn.Linear(cfg["width"], 8), nn.Tanh(), nn.Linear(8, 1))
