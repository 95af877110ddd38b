import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset

from config import *


class TabularDataset(Dataset):
    def __init__(self, X, y):
        self.X, self.y = X, y

    def __len__(self):
        return len(self.X)

    def __getitem__(self, idx):
        return torch.from_numpy(self.X[idx]), torch.tensor(self.y[idx])


def load_train():
    rng = np.random.RandomState(SEED)
    X = rng.randn(800, 20).astype("float32")
    w = rng.randn(20)
    y = ((X @ w + rng.randn(800)) > 0).astype("float32")
    return X, y


def kfold(n):
    idx = np.random.RandomState(SEED).permutation(n)
    for part in np.array_split(idx, N_FOLDS):
        yield np.setdiff1d(idx, part), part


def make_loader(X, y, train):
    return DataLoader(TabularDataset(X, y), batch_size=BATCH_SIZE, shuffle=train)
