from collections.abc import Iterator

import torch
from torch.utils.data import DataLoader, TensorDataset


def readings(n: int, lag: int) -> TensorDataset:
    t = torch.arange(n + lag, dtype=torch.float32)
    load = torch.sin(t / 24 * 6.2832) + 0.3 * torch.sin(t / 168 * 6.2832) + 0.05 * torch.randn(n + lag)
    x = load.unfold(0, lag, 1)[:n]
    return TensorDataset(x, load[lag:].unsqueeze(1))


def make_loader(n: int, lag: int, batch_size: int) -> DataLoader:
    return DataLoader(readings(n, lag), batch_size=batch_size, shuffle=True)


def flagged(loader: DataLoader, every: int) -> Iterator[tuple]:
    for i, batch in enumerate(loader):
        yield batch, (i + 1) % every == 0 or i + 1 == len(loader)
