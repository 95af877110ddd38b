import torch
from torch.utils.data import DataLoader, Dataset


class BlobDataset(Dataset):
    """Noisy squares on a dark background; the mask says where the square is."""

    def __init__(self, size: int, side: int = 16, seed: int = 0):
        generator = torch.Generator().manual_seed(seed)
        self.images = torch.rand(size, 1, side, side, generator=generator) * 0.3
        self.masks = torch.zeros(size, side, side, dtype=torch.long)
        corners = torch.randint(0, side - 6, (size, 2), generator=generator)
        for i, (top, left) in enumerate(corners.tolist()):
            self.images[i, 0, top : top + 6, left : left + 6] += 0.6
            self.masks[i, top : top + 6, left : left + 6] = 1

    def __len__(self):
        return len(self.images)

    def __getitem__(self, index):
        return self.images[index], self.masks[index]


def build_loaders(batch_size: int):
    train = DataLoader(BlobDataset(64, seed=1), batch_size=batch_size, shuffle=True, drop_last=True)
    val = DataLoader(BlobDataset(24, seed=2), batch_size=batch_size)
    return train, val
