import torch
from torch.utils.data import DataLoader, TensorDataset


def make_loaders(cfg):
    g = torch.Generator().manual_seed(0)
    weights = torch.randn(cfg.features, cfg.classes, generator=g)
    loaders = []
    for count, shuffle in ((cfg.samples, True), (60, False)):
        x = torch.randn(count, cfg.features, generator=g)
        y = (x @ weights).argmax(1)
        loaders.append(DataLoader(TensorDataset(x, y), batch_size=cfg.batch_size, shuffle=shuffle))
    return loaders
