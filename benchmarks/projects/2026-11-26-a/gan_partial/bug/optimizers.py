from functools import partial

import torch
from torch.nn.utils import clip_grad_norm_


def descend(optimizer, loss, max_norm):
    params = [p for group in optimizer.param_groups for p in group["params"]]
    loss.backward()
    norm = clip_grad_norm_(params, max_norm)
    optimizer.step()
    optimizer.zero_grad()
    return norm.item()


def make_update(module, lr, max_norm=10.0):
    optimizer = torch.optim.Adam(module.parameters(), lr=lr, betas=(0.5, 0.99))
    return partial(descend, optimizer, max_norm=max_norm)
