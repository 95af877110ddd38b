import torch.nn.functional as F

IGNORE = -100


def masked_lm_loss(logits, labels, window):
    loss = F.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=IGNORE)
    return loss / window
