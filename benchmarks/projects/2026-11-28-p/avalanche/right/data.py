import torch


def profiles(days=9):
    generator = torch.Generator().manual_seed(2)
    for_day = []
    for _ in range(days):
        snow = torch.randn(16, 8, generator=generator)
        for_day.append((snow, (snow.sum(1, keepdim=True) > 0).float()))
    return for_day
