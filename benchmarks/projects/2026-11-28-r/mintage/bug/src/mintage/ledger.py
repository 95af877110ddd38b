import torch
from torch.utils.data import DataLoader, TensorDataset


def blanks(settings):
    alloy = torch.randn(60, settings.features)
    wear = alloy[:, :2].sum(1, keepdim=True) + 0.05 * torch.randn(60, 1)
    return DataLoader(TensorDataset(alloy, wear), batch_size=6, shuffle=True)
