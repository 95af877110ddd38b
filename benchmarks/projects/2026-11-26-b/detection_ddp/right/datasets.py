import torch
from torch.utils.data import DataLoader, Dataset, DistributedSampler


class Boxes(Dataset):
    def __init__(self, count, seed, size=16, num_classes=5):
        g = torch.Generator().manual_seed(seed)
        self.images = torch.randn(count, 3, size, size, generator=g)
        self.boxes = torch.rand(count, 4, generator=g)
        self.labels = torch.randint(0, num_classes, (count,), generator=g)

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        return self.images[i], {"boxes": self.boxes[i], "labels": self.labels[i]}


def build_loaders(batch_size):
    train, val = Boxes(40, seed=0), Boxes(16, seed=1)
    sampler = DistributedSampler(train)
    return (
        DataLoader(train, batch_size=batch_size, sampler=sampler),
        DataLoader(val, batch_size=batch_size, sampler=DistributedSampler(val, shuffle=False)),
    )
