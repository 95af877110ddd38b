import random

import numpy as np
import torch


class CFG:
    seed = 7
    epochs = 3
    batch_size = 8
    accum = 4
    lr = 3e-3
    n_feat = 12
    n_classes = 4
    n_rows = 152


def seed_everything(seed=CFG.seed):
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)


def window_closed(i):
    return (i + 1) % CFG.accum == 0
