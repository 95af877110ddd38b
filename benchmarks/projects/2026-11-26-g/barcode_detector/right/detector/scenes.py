import torch


def scenes(count, size=8, width=32):
    for _ in range(count):
        strip = 0.2 * torch.randn(size, 1, width)
        there = (torch.rand(size) < 0.7).float()
        left = torch.randint(0, width // 2, (size,))
        long = torch.randint(4, width // 2, (size,))
        place = torch.arange(width)
        inside = (place >= left.unsqueeze(1)) & (place < (left + long).unsqueeze(1))
        strip[:, 0] += inside * there.unsqueeze(1) * (1 - 2 * (place % 2))
        yield strip, torch.stack([left, long], 1) / width, there
