import torch
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


class PairData:
    """Two noisy views of each sample."""

    def __init__(self, n, batch, rank, world):
        gen = torch.Generator().manual_seed(2)
        base = torch.randn(n, 10, generator=gen)
        self.epoch = 0
        self.sampler = DistributedSampler(TensorDataset(base), num_replicas=world, rank=rank, shuffle=True)
        self.loader = DataLoader(TensorDataset(base), batch_size=batch, sampler=self.sampler)

    def begin(self, epoch):
        self.epoch = epoch

    def __len__(self):
        return len(self.loader)

    def __iter__(self):
        for (x,) in self.loader:
            yield x + 0.1 * torch.randn_like(x), x + 0.1 * torch.randn_like(x)
