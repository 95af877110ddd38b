import torch
from torch.utils.data import DataLoader, TensorDataset


def loaders(features=10, batch_size=16):
    g = torch.Generator().manual_seed(0)
    weights = torch.randn(features, generator=g)
    result = []
    for count, shuffle in ((288, True), (64, False)):
        x = torch.randn(count, features, generator=g)
        y = torch.tanh(x @ weights) + 0.05 * torch.randn(count, generator=g)
        result.append(DataLoader(TensorDataset(x, y), batch_size=batch_size, shuffle=shuffle))
    return result
