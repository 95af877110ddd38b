from torch.nn import functional as F

from registry import LOSSES, loss


@loss("bce")
def bce(logits, target):
    return F.binary_cross_entropy_with_logits(logits, target)


@loss("focal")
def focal(logits, target, gamma=1.5):
    each = F.binary_cross_entropy_with_logits(logits, target, reduction="none")
    return (each * (1 - (-each).exp()) ** gamma).mean()


def build_loss(train):
    chosen = LOSSES[train["loss"]]

    def criterion(logits, target):
        return chosen(logits.squeeze(1), target)

    return criterion
