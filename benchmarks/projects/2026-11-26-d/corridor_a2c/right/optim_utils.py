import torch


def make_optimizer(name, params, **kw):
    return getattr(torch.optim, name)(params, **kw)


def propagate(optimizer, loss):
    optimizer.zero_grad()
    loss.backward()
