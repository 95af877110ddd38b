import torch
from torch.utils.data import DataLoader, Dataset

from config import CFG


class LeafDataset(Dataset):
    def __init__(self, n, seed):
        g = torch.Generator().manual_seed(seed)
        self.labels = torch.randint(0, CFG.n_classes, (n,), generator=g)
        self.images = torch.randn(n, 3, 12, 12, generator=g)
        self.images += self.labels.view(-1, 1, 1, 1) * 0.4

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, idx):
        return self.images[idx], self.labels[idx]


def get_loaders():
    tr = DataLoader(LeafDataset(160, 0), batch_size=CFG.bs, shuffle=True)
    va = DataLoader(LeafDataset(64, 1), batch_size=CFG.bs * 2)
    return tr, va
