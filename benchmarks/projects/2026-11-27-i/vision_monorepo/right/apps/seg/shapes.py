import torch


def discs(n, size=16, seed=0):
    g = torch.Generator().manual_seed(seed)
    yy, xx = torch.meshgrid(torch.arange(size), torch.arange(size), indexing="ij")
    centre = torch.randint(4, size - 4, (n, 2, 1, 1), generator=g)
    mask = ((yy - centre[:, 0]) ** 2 + (xx - centre[:, 1]) ** 2 < 12).float()[:, None]
    image = mask + 0.5 * torch.randn(n, 1, size, size, generator=g)
    return image, mask
