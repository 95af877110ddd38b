import torch.nn.functional as F

from config import *


def dice_coef(pred, true, eps=1.0):
    inter = (pred * true).sum(dim=(1, 2, 3))
    return ((2 * inter + eps) / (pred.sum(dim=(1, 2, 3)) + true.sum(dim=(1, 2, 3)) + eps)).mean()


def criterion(logits, true):
    bce = F.binary_cross_entropy_with_logits(logits, true)
    dice = 1 - dice_coef(logits.sigmoid(), true)
    return 0.5 * bce + 0.5 * dice
