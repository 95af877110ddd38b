import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

__all__ = ["Forecaster", "heat_loader"]


class Forecaster(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.rnn = nn.GRU(1, hidden, batch_first=True)
        self.out = nn.Linear(hidden, 1)

    def forward(self, x):
        return self.out(self.rnn(x)[0][:, -1]).squeeze(-1)


def heat_loader(window, batch_size, hours=256):
    t = torch.arange(hours + window).float()
    load = torch.sin(t * 6.2832 / 24) + 0.1 * torch.randn(len(t), generator=torch.Generator().manual_seed(9))
    x = load.unfold(0, window, 1)[:hours]
    return DataLoader(TensorDataset(x[..., None], load[window:]), batch_size=batch_size, shuffle=True)
