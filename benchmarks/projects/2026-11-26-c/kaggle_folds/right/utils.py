import os
import random

import numpy as np
import torch

from config import *


def seed_everything(seed):
    random.seed(seed)
    os.environ["PYTHONHASHSEED"] = str(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)


def optimize(model, optimizer, scheduler, update):
    if update:
        torch.nn.utils.clip_grad_norm_(model.parameters(), CFG.max_grad_norm)
        optimizer.step()
        optimizer.zero_grad()
        scheduler.step()


def get_score(y_true, y_pred):
    return float(np.sqrt(np.mean((y_true - y_pred) ** 2)))


class AverageMeter:
    def __init__(self):
        self.sum, self.count = 0.0, 0

    def update(self, val, n=1):
        self.sum += val * n
        self.count += n

    @property
    def avg(self):
        return self.sum / max(self.count, 1)


@torch.no_grad()
def predict(model, loader, device):
    preds = []
    for x, _ in loader:
        out = model(x.to(device))
        preds.append(out.detach().cpu().numpy())
    return np.concatenate(preds)


def make_folds(n, n_fold, seed):
    fold = np.arange(n) % n_fold
    np.random.RandomState(seed).shuffle(fold)
    return fold
