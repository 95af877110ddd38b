import torch
from torch.utils.data import DataLoader, Dataset, DistributedSampler

TEXT = "the quick brown fox jumps over the lazy dog and runs away from the angry bear " * 12
CHARS = sorted(set(TEXT))
IDS = torch.tensor([CHARS.index(c) for c in TEXT])


class Chunks(Dataset):
    def __init__(self, width):
        self.width = width

    def __len__(self):
        return (len(IDS) - 1) // self.width

    def __getitem__(self, at):
        lo = at * self.width
        return IDS[lo : lo + self.width], IDS[lo + 1 : lo + self.width + 1]


def chunk_loader(width, batch_size):
    chunks = Chunks(width)
    return DataLoader(chunks, batch_size=batch_size, sampler=DistributedSampler(chunks, seed=5))
