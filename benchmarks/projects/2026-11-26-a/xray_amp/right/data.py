import torch
from torch.utils.data import DataLoader, TensorDataset


def scans(n, seed):
    g = torch.Generator().manual_seed(seed)
    finding = torch.randint(0, 2, (n, 3), generator=g).float()
    image = torch.rand(n, 1, 12, 12, generator=g)
    for k in range(3):
        image[:, 0, 4 * k : 4 * k + 3, 2:6] += finding[:, k, None, None]
    return TensorDataset(image, finding)


def loaders(batch_size):
    return (
        DataLoader(scans(80, 0), batch_size=batch_size, shuffle=True),
        DataLoader(scans(24, 1), batch_size=batch_size),
    )
