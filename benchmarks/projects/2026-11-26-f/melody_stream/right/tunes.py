import torch
from torch.utils.data import DataLoader


def tunes(n, seed, notes=24, length=13, batch=6, shuffle=True):
    g = torch.Generator().manual_seed(seed)
    root = torch.randint(notes, (n, 1), generator=g)
    scale = torch.tensor([0, 2, 4, 5, 7, 9, 11, 12, 11, 9, 7, 5, 4])
    melody = (root + scale[:length]) % notes
    return DataLoader(melody, batch, shuffle=shuffle, generator=g)
