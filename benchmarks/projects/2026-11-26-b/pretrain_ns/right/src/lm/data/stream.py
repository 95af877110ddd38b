import torch
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


class TokenLoader:
    """Token sequences of this rank, epoch after epoch."""

    def __init__(self, sequences, length, batch_size, vocab=32):
        start = torch.randint(0, vocab, (sequences, 1), generator=torch.Generator().manual_seed(0))
        dataset = TensorDataset((start + torch.arange(length)) % vocab)
        self.sampler = DistributedSampler(dataset, shuffle=True)
        self.loader = DataLoader(dataset, batch_size=batch_size, sampler=self.sampler)
        self.passes = 0

    def __len__(self):
        return len(self.loader)

    def __iter__(self):
        self.sampler.set_epoch(self.passes)
        self.passes += 1
        for (tokens,) in self.loader:
            yield tokens
