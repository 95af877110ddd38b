import torch


def slices(count, seed):
    gen = torch.Generator().manual_seed(seed)
    spectra = torch.randn(count, 15, 8, generator=gen)
    return [(s, s[:, :3].argmax(1), s[:, 3:4].abs()) for s in spectra]
