import torch


def windows(count, size, past=24, ahead=6):
    out = []
    for _ in range(count):
        t = torch.arange(past + ahead)[None] + 50 * torch.rand(size, 1)
        wave = torch.sin(t / (2 + 2 * torch.rand(size, 1))) + 0.05 * torch.randn(size, past + ahead)
        out.append((wave[:, :past], wave[:, past:]))
    return out
