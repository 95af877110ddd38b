import torch
from torch.utils.data import DataLoader, TensorDataset


def build_loader(cfg, train):
    g = torch.Generator().manual_seed(0 if train else 1)
    n, d, k = 96 if train else 32, cfg["MODEL"]["in_dim"], cfg["MODEL"]["num_classes"]
    labels = torch.randint(0, k, (n,), generator=g)
    x = torch.randn(n, d, generator=g) + labels[:, None]
    ds = TensorDataset(x, labels, torch.tanh(x[:, :4]))
    return DataLoader(ds, batch_size=cfg["SOLVER"]["IMS_PER_BATCH"], shuffle=train)
