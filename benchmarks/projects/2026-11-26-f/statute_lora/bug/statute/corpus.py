import torch
from torch.utils.data import DataLoader


def clauses(n=92, length=12, vocab=32, seed=2):
    g = torch.Generator().manual_seed(seed)
    start = torch.randint(vocab, (n, 1), generator=g)
    stride = torch.randint(1, 4, (n, 1), generator=g)
    return (start + stride * torch.arange(length + 1)) % vocab


def collate(rows):
    rows = torch.stack(rows)
    return {"ids": rows[:, :-1], "labels": rows[:, 1:]}


def loader(batch_size=8):
    return DataLoader(list(clauses()), batch_size, shuffle=True, collate_fn=collate)
