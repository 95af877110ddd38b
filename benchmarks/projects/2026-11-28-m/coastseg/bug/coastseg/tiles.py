import torch
from torch.utils.data import DataLoader, TensorDataset


def tiles(n: int, seed: int) -> TensorDataset:
    g = torch.Generator().manual_seed(seed)
    shore = torch.rand(n, 1, 1, generator=g) * 8 + 4
    rows = torch.arange(16).view(1, 16, 1).expand(n, 16, 16)
    land = (rows > shore).float()
    image = land.unsqueeze(1) * 0.6 + 0.3 * torch.randn(n, 2, 16, 16, generator=g)
    return TensorDataset(image, land.unsqueeze(1))


def tile_loaders() -> tuple[DataLoader, DataLoader]:
    return DataLoader(tiles(64, 0), 8, shuffle=True), DataLoader(tiles(24, 1), 8)
