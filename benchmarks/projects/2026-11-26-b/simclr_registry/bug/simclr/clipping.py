from torch.nn.utils import clip_grad_norm_, clip_grad_value_

from .registry import Registry

CLIPPERS = Registry()


@CLIPPERS.register("norm")
def clip_norm(parameters, limit):
    return clip_grad_norm_(parameters, limit)


@CLIPPERS.register("value")
def clip_value(parameters, limit):
    return clip_grad_value_(parameters, limit)
