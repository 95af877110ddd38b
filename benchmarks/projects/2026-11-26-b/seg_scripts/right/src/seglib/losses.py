from torch.nn import functional as F

from .constants import DICE_WEIGHT, EPS


def dice(probabilities, target):
    overlap = (probabilities * target).sum((0, 2, 3))
    size = probabilities.sum((0, 2, 3)) + target.sum((0, 2, 3))
    return 1 - ((2 * overlap + EPS) / (size + EPS)).mean()


def segmentation_loss(logits, masks):
    one_hot = F.one_hot(masks, logits.shape[1]).permute(0, 3, 1, 2).float()
    return F.cross_entropy(logits, masks) + DICE_WEIGHT * dice(logits.softmax(1), one_hot)
