import torch


def phantom_batches(count, size=4, side=16):
    """Round lesions on noise, with their masks."""
    axis = torch.arange(side, dtype=torch.float32)
    batches = []
    for _ in range(count):
        centre = torch.rand(size, 2, 1, 1) * side
        radius = 2 + 3 * torch.rand(size, 1, 1)
        far = (axis.view(1, -1, 1) - centre[:, 0]) ** 2 + (axis.view(1, 1, -1) - centre[:, 1]) ** 2
        mask = (far < radius**2).float().unsqueeze(1)
        batches.append((mask + 0.3 * torch.randn_like(mask), mask))
    return batches
