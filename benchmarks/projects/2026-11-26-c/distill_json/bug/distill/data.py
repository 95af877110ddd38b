import torch
from torch.utils.data import DataLoader, TensorDataset


def spirals(n, seed, classes=4, dim=8):
    g = torch.Generator().manual_seed(seed)
    y = torch.randint(0, classes, (n,), generator=g)
    r = torch.rand(n, generator=g)
    angle = r * 4 + y * (6.2832 / classes)
    xy = torch.stack([r * angle.cos(), r * angle.sin()], 1)
    lift = torch.randn(2, dim, generator=torch.Generator().manual_seed(9))
    return TensorDataset(xy @ lift + 0.02 * torch.randn(n, dim, generator=g), y)


def build_loaders(cfg):
    return (DataLoader(spirals(200, 0), batch_size=cfg.micro_batch_size, shuffle=True),
            DataLoader(spirals(64, 1), batch_size=32))
