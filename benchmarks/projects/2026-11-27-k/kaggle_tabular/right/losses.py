import torch.nn as nn

from config import *

bce = nn.BCEWithLogitsLoss()


def accum_loss(logits, target):
    loss = bce(logits.view(-1), target)
    return loss / GRAD_ACCUM, loss.item()
