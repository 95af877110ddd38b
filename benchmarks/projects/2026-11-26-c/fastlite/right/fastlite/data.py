import torch
from torch.utils.data import DataLoader, TensorDataset


class DataLoaders:
    def __init__(self, train, valid):
        self.train, self.valid = train, valid

    @classmethod
    def from_tensors(cls, x, y, bs=8, valid_pct=0.2, seed=42):
        idx = torch.randperm(len(x), generator=torch.Generator().manual_seed(seed))
        cut = int(valid_pct * len(x))
        va, tr = idx[:cut], idx[cut:]
        return cls(DataLoader(TensorDataset(x[tr], y[tr]), batch_size=bs, shuffle=True),
                   DataLoader(TensorDataset(x[va], y[va]), batch_size=2 * bs))
