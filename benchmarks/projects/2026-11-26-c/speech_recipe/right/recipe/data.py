import torch
from torch.utils.data import DataLoader, TensorDataset


def commands(n, n_mels, seed):
    g = torch.Generator().manual_seed(seed)
    labels = torch.randint(0, 4, (n,), generator=g)
    feats = torch.randn(n, 12, n_mels, generator=g)
    feats[torch.arange(n), :, labels] += 1.5
    return TensorDataset(feats, labels)


def make_sets(batch_size, n_mels):
    return (DataLoader(commands(82, n_mels, 0), batch_size=batch_size, shuffle=True),
            DataLoader(commands(32, n_mels, 1), batch_size=batch_size))
