import torch
from torch.utils.data import DataLoader, TensorDataset


def pairs(s, seed):
    g = torch.Generator().manual_seed(seed)
    docs = torch.randint(1, s.vocab, (s.pairs, 12), generator=g)
    queries = docs[:, :5].clone()
    queries[:, 0] = torch.randint(1, s.vocab, (s.pairs,), generator=g)
    return TensorDataset(queries, docs)


def get_loaders(s):
    return (
        DataLoader(pairs(s, 0), batch_size=s.batch_size, shuffle=True, drop_last=True),
        DataLoader(pairs(s, 1), batch_size=32),
    )
