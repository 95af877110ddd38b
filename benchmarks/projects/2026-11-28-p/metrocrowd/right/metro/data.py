import torch
from torch.utils.data import DataLoader, TensorDataset


def stations(cfg):
    generator = torch.Generator().manual_seed(cfg.seed)
    hours = torch.rand(96, 5, generator=generator)
    crowd = torch.sin(hours.sum(1, keepdim=True))
    return DataLoader(TensorDataset(hours, crowd), batch_size=cfg.batch, shuffle=True)
