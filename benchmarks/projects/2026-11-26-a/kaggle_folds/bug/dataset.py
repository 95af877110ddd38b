import numpy as np
import torch
from torch.utils.data import Dataset

from config import CFG


def make_train():
    rng = np.random.RandomState(CFG.seed)
    features = rng.randn(180, CFG.n_features).astype("float32")
    target = (features[:, 0] * features[:, 1] > 0).astype("float32")
    fold = np.arange(180) % CFG.n_fold
    return features, target, fold


class TrainDataset(Dataset):
    def __init__(self, features, target):
        self.features = features
        self.target = target

    def __len__(self):
        return len(self.features)

    def __getitem__(self, idx):
        return torch.from_numpy(self.features[idx]), torch.tensor(self.target[idx])
