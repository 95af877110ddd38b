import torch


def sky_images(batches):
    night = []
    for _ in range(batches):
        label = torch.randint(0, 3, (4,))
        night.append((torch.randn(4, 1, 8, 8) + label.view(4, 1, 1, 1), label))
    return night
