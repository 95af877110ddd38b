import torch
from torch.utils.data import DataLoader, TensorDataset


def build_loader(is_train, batch_size):
    g = torch.Generator().manual_seed(0 if is_train else 1)
    n = 84 if is_train else 24
    labels = torch.randint(0, 4, (n,), generator=g)
    images = torch.randn(n, 1, 8, 8, generator=g)
    images += labels.view(-1, 1, 1, 1) * 0.5
    return DataLoader(TensorDataset(images, labels), batch_size=batch_size, shuffle=is_train)
