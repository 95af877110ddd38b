import math

from torch.optim.lr_scheduler import CosineAnnealingLR, LinearLR

from config import CFG


def get_scheduler(optimizer, n_batches):
    num_train_steps = CFG.epochs * math.ceil(n_batches / CFG.gradient_accumulation_steps)
    if CFG.scheduler == "linear":
        return LinearLR(optimizer, start_factor=1.0, end_factor=0.01, total_iters=num_train_steps)
    return CosineAnnealingLR(optimizer, T_max=num_train_steps)
