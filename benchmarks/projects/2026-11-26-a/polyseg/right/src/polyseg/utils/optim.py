import torch
from torch.nn.utils import clip_grad_norm_


def make_optimizer(model, lr, weight_decay=1e-4):
    decay, plain = [], []
    for name, param in model.named_parameters():
        (plain if param.ndim == 1 else decay).append(param)
    groups = [
        {"params": decay, "weight_decay": weight_decay},
        {"params": plain, "weight_decay": 0.0},
    ]
    return torch.optim.SGD(groups, lr=lr, momentum=0.9)


def limit_gradients(model, max_norm):
    return float(clip_grad_norm_(model.parameters(), max_norm))


def commit(optimizer, scheduler=None):
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
