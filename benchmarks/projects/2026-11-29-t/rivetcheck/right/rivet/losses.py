import torch
from torch.nn import functional as F

from .parallel import bare


def distil_loss(student, teacher, image, kind, heat=2.0):
    with torch.no_grad():
        soft = F.softmax(bare(teacher)(image) / heat, dim=1)
    logits = student(image)
    hard = F.cross_entropy(logits, kind)
    return hard + F.kl_div(F.log_softmax(logits / heat, dim=1), soft, reduction="batchmean")
