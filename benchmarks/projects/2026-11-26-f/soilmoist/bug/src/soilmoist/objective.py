from functools import partial

from torch.nn import functional as F


def masked_huber(pred, target, mask, delta=1.0, share=1.0):
    each = F.huber_loss(pred, target, reduction="none", delta=delta) * mask
    return share * each.sum() / mask.sum().clamp(min=1)


def training_objective(settings):
    return partial(masked_huber, delta=settings.delta)
