import torch
from torch.utils.data import DataLoader, TensorDataset, random_split


def make_moons(n, seed=0, noise=0.15):
    g = torch.Generator().manual_seed(seed)
    t = torch.rand(n, generator=g) * 3.1416
    y = torch.arange(n) % 2
    x = torch.where(y == 0, t.cos(), 1 - t.cos())
    z = torch.where(y == 0, t.sin(), 0.5 - t.sin())
    pts = torch.stack([x, z], 1) + noise * torch.randn(n, 2, generator=g)
    return TensorDataset(pts, y)


def train_test_loaders(n=200, batch_size=20, test_ratio=0.2):
    ds = make_moons(n)
    n_test = int(n * test_ratio)
    train, test = random_split(ds, [n - n_test, n_test], generator=torch.Generator().manual_seed(1))
    return DataLoader(train, batch_size, shuffle=True), DataLoader(test, batch_size)
