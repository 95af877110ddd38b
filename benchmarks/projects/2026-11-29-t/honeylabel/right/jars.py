import torch


def shelf(n):
    g = torch.Generator().manual_seed(12)
    for _ in range(n):
        pollen = torch.randn(10, 11, generator=g)
        yield pollen, pollen[:, :4].argmax(1)
