import random

import numpy as np
import torch


class CFG:
    seed = 42
    n_fold = 3
    epochs = 3
    batch_size = 16
    n_accumulate = 4
    lr = 2e-3
    min_lr = 1e-5
    hidden = 48
    n_features = 18


def seed_everything(seed=CFG.seed):
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)


def is_update_step(step, total):
    return (step + 1) % CFG.n_accumulate == 0 or (step + 1) == total
