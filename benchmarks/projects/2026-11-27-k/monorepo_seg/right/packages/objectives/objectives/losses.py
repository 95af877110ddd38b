import torch
from torch.nn import functional as F


def soft_dice(logits, target, eps=1.0):
    p = torch.sigmoid(logits).flatten(1)
    t = target.flatten(1)
    return 1 - ((2 * (p * t).sum(1) + eps) / (p.sum(1) + t.sum(1) + eps)).mean()


def mask_loss(logits, target, dice=0.5):
    return F.binary_cross_entropy_with_logits(logits, target) + dice * soft_dice(logits, target)


def inpainting_loss(net, image, drop=0.3):
    keep = (torch.rand_like(image) > drop).float()
    return F.mse_loss(net(image * keep), image)
