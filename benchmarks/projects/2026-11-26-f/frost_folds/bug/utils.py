import random

import numpy as np
import torch

from cfg import *


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


class LRMeter:
    """Keeps the rates that were used; `tick` goes on to the next one."""

    def __init__(self, scheduler):
        self.scheduler = scheduler
        self.rates = []

    def note(self):
        self.rates.append(self.scheduler.get_last_lr()[0])

    def tick(self):
        self.note()
        self.scheduler.step()


def is_boundary(step, n_steps, every=CFG.gradient_accumulation_steps):
    return step % every == 0 or step + 1 == n_steps


def get_score(y_true, y_pred):
    return float(((y_pred > 0.5) == (y_true > 0.5)).mean())
