import torch


def scenes(n, batch, seed=5):
    g = torch.Generator().manual_seed(seed)
    kind = torch.randint(3, (n,), generator=g)
    at = torch.randint(2, 10, (n, 2), generator=g)
    image = 0.1 * torch.randn(n, 1, 12, 12, generator=g)
    for i, (k, (r, c)) in enumerate(zip(kind.tolist(), at.tolist())):
        image[i, 0, r - k % 2 : r + 1 + k % 2, c - k // 2 : c + 1 + k // 2] += 1.0
    return list(zip(image.split(batch), kind.split(batch), (at / 12).split(batch)))
