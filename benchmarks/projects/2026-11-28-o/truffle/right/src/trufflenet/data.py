import torch


def make_hunts(count, seed):
    gen = torch.Generator().manual_seed(seed)
    x = torch.randn(count, 20, 7, generator=gen)
    return [(scent, (scent[:, 1] - scent[:, 4] > 0).long()) for scent in x]
