from typing import Iterator

import torch
from torch import Tensor

WindowBatch = tuple[Tensor, Tensor]


def hourly(n: int = 700) -> Tensor:
    t = torch.arange(n, dtype=torch.float32)
    daily, weekly = torch.sin(t * 6.2832 / 24), torch.sin(t * 6.2832 / 168)
    return daily + 0.5 * weekly + 0.1 * torch.randn(n)


def windows(series: Tensor, past: int = 48, size: int = 32) -> list[WindowBatch]:
    frames = series.unfold(0, past + 1, 1)
    frames = frames[torch.randperm(len(frames))]
    return [(f[:, :-1], f[:, -1:]) for f in frames.split(size)]


def numbered(batches: list[WindowBatch]) -> Iterator[tuple[int, WindowBatch]]:
    yield from enumerate(batches, start=1)
