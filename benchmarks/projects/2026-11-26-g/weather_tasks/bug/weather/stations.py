import torch


def reports(count, size=16):
    batches = []
    for _ in range(count):
        x = torch.randn(size, 10)
        rain = (x[:, 0] + x[:, 1] * x[:, 2] > 0.3).float()
        batches.append((x, {"rain": rain, "wind": x[:, 3].abs() + 0.1 * torch.randn(size)}))
    return batches
