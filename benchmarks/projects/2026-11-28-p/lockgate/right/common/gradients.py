from torch.nn.utils import clip_grad_norm_

__all__ = ["CAP", "limit"]

CAP = 0.8


def limit(net, cap):
    return clip_grad_norm_(net.parameters(), cap)
