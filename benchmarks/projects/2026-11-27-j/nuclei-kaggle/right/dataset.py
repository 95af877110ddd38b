import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset

from common import *


class NucleiDataset(Dataset):
    def __init__(self, ids):
        self.ids = ids

    def __len__(self):
        return len(self.ids)

    def __getitem__(self, i):
        rng = np.random.default_rng(self.ids[i])
        yy, xx = np.mgrid[: CFG.img, : CFG.img]
        mask = np.zeros((CFG.img, CFG.img), dtype=np.float32)
        for _ in range(3):
            cy, cx, r = rng.uniform(4, CFG.img - 4, 2).tolist() + [rng.uniform(2, 4)]
            mask[(yy - cy) ** 2 + (xx - cx) ** 2 < r * r] = 1.0
        img = mask + 0.4 * rng.standard_normal(mask.shape).astype(np.float32)
        return torch.from_numpy(img.astype(np.float32))[None], torch.from_numpy(mask)[None]


def prepare_loaders(fold):
    ids = np.arange(50)
    train_ids, valid_ids = ids[ids % CFG.folds != fold], ids[ids % CFG.folds == fold]
    train_loader = DataLoader(NucleiDataset(train_ids), batch_size=CFG.bs, shuffle=True)
    valid_loader = DataLoader(NucleiDataset(valid_ids), batch_size=CFG.bs * 2)
    return train_loader, valid_loader
