import random

import numpy as np
import torch


def seed_everything(seed):
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)


class AverageMeter:
    def __init__(self):
        self.sum, self.count = 0.0, 0

    def update(self, val, n=1):
        self.sum += val * n
        self.count += n

    @property
    def avg(self):
        return self.sum / self.count


def mcrmse(truth, guess):
    return float(np.sqrt(((truth - guess) ** 2).mean(axis=0)).mean())


def is_due(step, every):
    return step % every == 0


def propagate(loss, model, every, max_norm=None):
    (loss / every).backward()
    if max_norm is not None:
        return torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm).item()
    return None
