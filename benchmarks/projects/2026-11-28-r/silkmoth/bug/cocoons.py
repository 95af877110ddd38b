from torch import nn, randn
from torch.utils.data import DataLoader, TensorDataset

from common import *

__all__ = ["Grader", "trays"]


class Grader(nn.Module):
    def __init__(self):
        super().__init__()
        self.reel = nn.Linear(11, 22)
        self.out = nn.Linear(22, GRADES)

    def forward(self, x):
        return self.out(self.reel(x).tanh())


def trays():
    x = randn(COCOONS, 11)
    return DataLoader(TensorDataset(x, x[:, :GRADES].argmin(1)), batch_size=8)
