import math

from torch.nn.utils import clip_grad_norm_


def measure(net):
    return float(clip_grad_norm_(net.parameters(), math.inf))


def limit(net, most=1.0):
    return float(clip_grad_norm_(net.parameters(), most))
