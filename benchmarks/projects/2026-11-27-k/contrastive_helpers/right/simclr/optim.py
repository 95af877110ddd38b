import math

import torch


def sgd_with_cosine(model, lr, rounds, batches, per_update):
    updates = rounds * math.ceil(batches / per_update)
    optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)
    return optimizer, torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=updates)
