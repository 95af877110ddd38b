import torch


def junction_batches(n, size=32, seed=7):
    g = torch.Generator().manual_seed(seed)
    mix = torch.randn(9, generator=g)
    for _ in range(n):
        x = torch.randn(size, 9, generator=g)
        day = torch.randint(7, (size,), generator=g)
        x[:, 8] = day / 3 - 1
        flow = x @ mix
        yield x, flow, (flow > 1).float(), day
