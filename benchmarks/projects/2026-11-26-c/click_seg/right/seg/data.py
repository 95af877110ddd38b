import torch
from torch.utils.data import DataLoader, TensorDataset


def shapes_loader(n, batch_size, seed, shuffle):
    g = torch.Generator().manual_seed(seed)
    mask = torch.zeros(n, 1, 16, 16)
    for i in range(n):
        r, c, h, w = torch.randint(2, 8, (4,), generator=g).tolist()
        mask[i, 0, r:r + h, c:c + w] = 1
    image = mask + 0.4 * torch.randn(n, 1, 16, 16, generator=g)
    return DataLoader(TensorDataset(image, mask), batch_size=batch_size, shuffle=shuffle)
