import torch
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


class Crackle(nn.Module):
    def __init__(self):
        super().__init__()
        self.stylus = nn.Linear(6, 14)
        self.amp = nn.Linear(14, 1)

    def loss(self, groove, level):
        return nn.functional.mse_loss(self.amp(torch.relu(self.stylus(groove))), level)

    def forward(self, groove, level):
        return self.loss(groove, level)


def crate(records, batch):
    gen = torch.Generator().manual_seed(81)
    groove = torch.randn(records, 6, generator=gen)
    data = TensorDataset(groove, groove[:, :3].sum(1, keepdim=True))
    return DataLoader(data, batch, sampler=DistributedSampler(data, shuffle=True))
