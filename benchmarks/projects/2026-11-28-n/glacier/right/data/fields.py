import torch


def fields(batches, seed):
    generator = torch.Generator().manual_seed(seed)
    out = []
    for _ in range(batches):
        slope = torch.rand(8, 7, generator=generator)
        out.append((slope, slope.pow(3).mean(1, keepdim=True)))
    return out
