import torch


def doughs(batches):
    out = []
    for _ in range(batches):
        mix = torch.rand(7, 4)
        out.append((mix, 0.5 + mix @ torch.tensor([[0.2], [0.9], [-0.4], [0.3]])))
    return out
