import os
import random

import numpy as np
import torch
import torch.nn as nn
from torch.optim.lr_scheduler import MultiStepLR


class CFG:
    seed = 42
    epochs = 4
    bs = 16
    lr = 3e-3
    n_classes = 5
    milestones = [2, 3]
    device = "cpu"


def seed_everything(seed=CFG.seed):
    random.seed(seed)
    os.environ["PYTHONHASHSEED"] = str(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)


def get_optim(model):
    optimizer = torch.optim.AdamW(model.parameters(), lr=CFG.lr, weight_decay=1e-4)
    scheduler = MultiStepLR(optimizer, milestones=CFG.milestones, gamma=0.3)
    return optimizer, scheduler


def next_lr(scheduler):
    scheduler.step()
    return scheduler.get_last_lr()[0]
