import torch
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def blobs(n, seed):
    g = torch.Generator().manual_seed(seed)
    y = torch.randint(4, (n,), generator=g)
    x = 0.8 * torch.randn(n, 3, 8, 8, generator=g)
    for i, k in enumerate(y.tolist()):
        x[i, :, (k // 2) * 4 : (k // 2) * 4 + 4, (k % 2) * 4 : (k % 2) * 4 + 4] += 1
    return TensorDataset(x, y)


def get_loader(split, batch_size):
    if split == "train":
        data = blobs(144, 0)
        return DataLoader(data, batch_size, sampler=DistributedSampler(data), drop_last=True)
    return DataLoader(blobs(64, 1), 64, shuffle=False)
