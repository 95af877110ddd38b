import torch

OPTIMIZERS = {}


def register(name):
    def deco(fn):
        OPTIMIZERS[name] = fn
        return fn

    return deco


@register("adam")
def _adam(params, lr):
    return torch.optim.Adam(params, lr=lr, betas=(0.5, 0.999))


@register("rmsprop")
def _rmsprop(params, lr):
    return torch.optim.RMSprop(params, lr=lr)
