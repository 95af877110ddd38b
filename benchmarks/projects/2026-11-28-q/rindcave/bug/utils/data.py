import torch
from torch.utils.data import DataLoader, TensorDataset


def wheels(count):
    milk = torch.randn(count, 6)
    return DataLoader(TensorDataset(milk, milk[:, :2].sum(1, keepdim=True)), batch_size=8)
