import torch
from torch.utils.data import DataLoader, Dataset


class Blobs(Dataset):
    def __init__(self, count, seed, size=12):
        g = torch.Generator().manual_seed(seed)
        self.images = torch.randn(count, 3, size, size, generator=g)
        self.masks = self.images.argmax(1)

    def __len__(self):
        return len(self.images)

    def __getitem__(self, index):
        return self.images[index], self.masks[index]


def make_loaders(batch_size):
    return (
        DataLoader(Blobs(48, seed=0), batch_size=batch_size, shuffle=True),
        DataLoader(Blobs(16, seed=1), batch_size=batch_size),
    )
