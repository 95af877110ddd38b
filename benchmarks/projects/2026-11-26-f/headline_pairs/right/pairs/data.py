import torch
from torch.utils.data import DataLoader, TensorDataset


def headlines(n, seed, batch=12, words=50, length=8, shuffle=True):
    """Headlines and teasers that share their topic's words."""
    g = torch.Generator().manual_seed(seed)
    topic = torch.randint(10, (n, 1), generator=g)
    head = (5 * topic + torch.randint(5, (n, length), generator=g)) % words
    teaser = (5 * topic + torch.randint(5, (n, length), generator=g)) % words
    return DataLoader(TensorDataset(head, teaser), batch, shuffle=shuffle, generator=g)
