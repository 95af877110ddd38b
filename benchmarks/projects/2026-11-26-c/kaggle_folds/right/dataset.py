import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset

from config import CFG


class TabularDataset(Dataset):
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return torch.tensor(self.x[i]), torch.tensor(self.y[i])


def load_train():
    rng = np.random.RandomState(CFG.seed)
    x = rng.randn(CFG.n_rows, CFG.n_features).astype(np.float32)
    y = (x[:, 0] * 2 + np.sin(x[:, 1]) + 0.1 * rng.randn(CFG.n_rows)).astype(np.float32)
    return x, y


def get_loaders(x, y, folds, fold):
    trn, val = folds != fold, folds == fold
    train_loader = DataLoader(TabularDataset(x[trn], y[trn]), batch_size=CFG.batch_size, shuffle=True)
    valid_loader = DataLoader(TabularDataset(x[val], y[val]), batch_size=CFG.batch_size * 2)
    return train_loader, valid_loader, y[val]
