import math

from torch.optim.lr_scheduler import CosineAnnealingLR


def ends_window(i, every, total):
    return (i + 1) % every == 0 or i + 1 == total


def make_plan(opt, conf, n_pieces):
    updates = conf["epochs"] * math.ceil(n_pieces / conf["every"])
    return CosineAnnealingLR(opt, T_max=updates)
