import torch.nn as nn

ITERS_TO_ACCUMULATE = 4

bce = nn.BCEWithLogitsLoss()


def accum_loss(logits, target):
    loss = bce(logits.view(-1), target)
    return loss / ITERS_TO_ACCUMULATE, loss.item()
