import torch
from torch.utils.data import DataLoader, Dataset


class StripDataset(Dataset):
    def __init__(self, n):
        g = torch.Generator().manual_seed(n)
        self.x = torch.rand(n, 3, 16, 16, generator=g)
        self.y = torch.zeros(n, 16, 16, dtype=torch.long)
        for i, c in enumerate(torch.randint(2, 12, (n,), generator=g).tolist()):
            self.y[i, :, c : c + 3] = 1
            self.x[i, :, :, c : c + 3] *= 0.3

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return {"image": self.x[i], "mask": self.y[i]}


def roads(n, batch_size, shuffle=False):
    return DataLoader(StripDataset(n), batch_size=batch_size, shuffle=shuffle)
