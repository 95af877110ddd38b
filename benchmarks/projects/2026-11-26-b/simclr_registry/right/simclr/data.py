import torch
from torch.utils.data import DataLoader, Dataset


class TwoViews(Dataset):
    def __init__(self, count=192, features=24):
        self.base = torch.randn(count, features, generator=torch.Generator().manual_seed(1))

    def __len__(self):
        return len(self.base)

    def __getitem__(self, index):
        x = self.base[index]
        return x + 0.1 * torch.randn_like(x), x + 0.1 * torch.randn_like(x)


def view_loader(batch_size):
    return DataLoader(TwoViews(), batch_size=batch_size, shuffle=True, drop_last=True)
