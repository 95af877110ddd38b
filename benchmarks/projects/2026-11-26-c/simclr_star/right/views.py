import torch
from torch.utils.data import DataLoader, Dataset
from torch.utils.data.distributed import DistributedSampler


def labelled_points(n, seed):
    g = torch.Generator().manual_seed(seed)
    y = torch.randint(0, 3, (n,), generator=g)
    return torch.eye(10)[y] * 2 + 0.5 * torch.randn(n, 10, generator=g), y


class TwoViews(Dataset):
    def __init__(self, n=112):
        self.x, _ = labelled_points(n, 0)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        x = self.x[i]
        return tuple(x * (torch.rand(10) > 0.1) + 0.2 * torch.randn(10) for _ in range(2))


def two_view_loader(batch_size):
    data = TwoViews()
    return DataLoader(data, batch_size=batch_size, sampler=DistributedSampler(data, shuffle=True))
