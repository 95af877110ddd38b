import torch
from torch.utils.data import Dataset

from datamodule import DataModule


class TwoViews(Dataset):
    def __init__(self, n, dim, seed):
        g = torch.Generator().manual_seed(seed)
        self.clean = torch.randn(n, dim, generator=g)

    def __len__(self):
        return len(self.clean)

    def __getitem__(self, i):
        x = self.clean[i]
        return x + 0.2 * torch.randn_like(x), x + 0.2 * torch.randn_like(x)


class PairsModule(DataModule):
    seed = 21

    def dataset(self):
        return TwoViews(n=230, dim=10, seed=self.seed)
