import torch.nn.functional as F


class BoxCriterion:
    def __init__(self, box_weight=1.0, micro_batches=1):
        self.box_weight = box_weight
        self.micro_batches = micro_batches

    def __call__(self, outputs, kind, centre):
        logits, box = outputs
        loss = F.cross_entropy(logits, kind) + self.box_weight * F.l1_loss(box, centre)
        return loss / self.micro_batches
