from itertools import chain

import torch


def collect(*modules):
    return list(chain.from_iterable(m.parameters() for m in modules))


def adam(params, lr):
    return torch.optim.Adam(params, lr=lr, eps=1e-5)
