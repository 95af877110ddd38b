import torch
from torch.utils.data import DataLoader, TensorDataset


def churn_loader(rows, batch, seed):
    g = torch.Generator().manual_seed(seed)
    num = torch.randn(rows, 5, generator=g)
    plan = torch.randint(3, (rows,), generator=g)
    region = torch.randint(7, (rows,), generator=g)
    churn = (num[:, 0] + 0.8 * (plan == 2) - 0.3 * (region > 4) > 0.2).float()
    return DataLoader(TensorDataset(num, torch.stack([plan, region], 1), churn), batch_size=batch, shuffle=True)
