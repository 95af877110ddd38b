import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset

from cfg import *


def read_train():
    rng = np.random.default_rng(CFG.seed)
    x = rng.normal(size=(CFG.rows, CFG.features)).astype("float32")
    y = (x[:, 0] - x[:, 1] * x[:, 2] > 0).astype("float32")
    return x, y, rng.permutation(CFG.rows) % CFG.n_fold


class NightDataset(Dataset):
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return torch.from_numpy(self.x[i]), torch.tensor(self.y[i])


def fold_loaders(fold):
    x, y, folds = read_train()
    trn, val = folds != fold, folds == fold
    return (
        DataLoader(NightDataset(x[trn], y[trn]), CFG.batch_size, shuffle=True),
        DataLoader(NightDataset(x[val], y[val]), CFG.batch_size),
    )
