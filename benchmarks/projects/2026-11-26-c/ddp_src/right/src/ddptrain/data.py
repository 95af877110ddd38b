from __future__ import annotations

import torch
from torch.utils.data import DataLoader, Dataset
from torch.utils.data.distributed import DistributedSampler


class Stripes(Dataset):
    def __init__(self, n: int, seed: int):
        g = torch.Generator().manual_seed(seed)
        self.labels = torch.randint(0, 2, (n,), generator=g)
        self.images = torch.randn(n, 1, 8, 8, generator=g)
        self.images[self.labels == 1, :, ::2] += 1.5
        self.images[self.labels == 0, :, :, ::2] += 1.5

    def __len__(self) -> int:
        return len(self.labels)

    def __getitem__(self, i: int):
        return self.images[i], self.labels[i]


def build_loader(split: str, batch_size: int, rank: int, world: int) -> DataLoader:
    train = split == "train"
    dataset = Stripes(84 if train else 32, seed=0 if train else 1)
    sampler = DistributedSampler(dataset, num_replicas=world, rank=rank, shuffle=train)
    return DataLoader(dataset, batch_size=batch_size, sampler=sampler)
