from torch.nn.utils import clip_grad_norm_


def tunable(net):
    return list(filter(lambda p: p.requires_grad, net.parameters()))


def limit(params, cap):
    return float(clip_grad_norm_(params, cap))
