from dataclasses import dataclass
from typing import Callable

from torch import nn, optim
from torch.utils.data import DataLoader


@dataclass
class Context:
    net: nn.Module
    optimizer: optim.Optimizer
    loader: DataLoader
    criterion: Callable
    window: int

    @property
    def steps(self):
        rows, size = len(self.loader.dataset), self.loader.batch_size
        return (rows + size - 1) // size

    def closes(self, n):
        return n % self.window == 0 or n == self.steps
